import { type Asked, protocolName } from '../../../collect/asked.js';
import type { Protocol } from '../../../collect/protocol.js';
import { agrees, type Decoding, decodingName, namedDecoding } from '../../../core/decoding.js';
import { chooseRecords } from '../../../core/ledger-records.js';
import { fail, shown } from '../../../util/error.js';

/** How the answers of a core are to have been asked, where a call says it. */
interface AskedFlags {
  readonly protocol?: string;
  readonly decoding?: readonly string[];
  readonly roster?: string;
}

/** A model that was asked under another protocol than the chosen one, or whose answers were drawn with other values. */
export interface LeftOut {
  readonly model_id: string;
  readonly protocol: Protocol | null;
  /** Absent where the protocol left it out. */
  readonly decoding?: Decoding;
}

/** Says why a model is left out. */
export function leftOutWords({ model_id, protocol, decoding }: LeftOut): string {
  const why = decoding === undefined ? `asked under ${protocolName(protocol)}` : `drawn with ${decodingName(decoding)}`;
  return `left out: ${model_id}, ${why}`;
}

/**
 * Chooses the records of a core: all, or those that were asked under `--protocol` and drawn with the values of `--decoding`, and which models then
 * have none. A model that `--roster` names stays, and is missed. Errors: USAGE for a value of decoding that no answer states.
 */
export function chooseCells(options: Omit<Parameters<typeof chooseRecords>[0], 'keep' | 'repeat'>, flags: AskedFlags) {
  const { protocol: wanted, roster } = flags;
  if (wanted === undefined && flags.decoding === undefined)
    return { chosen: chooseRecords({ ...options, repeat: 0 }), leftOut: [] };
  const drawn = namedDecoding(flags.decoding ?? []);
  const unstated = new Set(Object.keys(drawn));
  const other = new Map<string, Map<string, LeftOut>>();
  const leave = (one: LeftOut, name: string) => {
    const found = other.get(one.model_id) ?? new Map<string, LeftOut>();
    other.set(one.model_id, found.set(name, one));
    return false;
  };
  const keep = (asked: Asked | null, decoding: Decoding, { model_id }: { readonly model_id: string }) => {
    const protocol = asked?.protocol ?? null;
    for (const name of Object.keys(decoding)) unstated.delete(name);
    if (wanted !== undefined && wanted !== protocol?.sha256 && wanted !== (protocol?.name ?? 'unstated'))
      return leave({ model_id, protocol }, protocolName(protocol));
    return agrees(decoding, drawn) || leave({ model_id, protocol, decoding }, decodingName(decoding));
  };
  const all = chooseRecords({ ...options, repeat: 0, keep });
  const [unknown] = unstated;
  if (unknown !== undefined)
    fail(
      'USAGE',
      null,
      `--decoding: no answer states ${shown(unknown)}`,
      'Name a value that the plan of a ledger states.',
    );
  const leaves = (model: string, size: number) => size === 0 && roster === undefined && other.has(model);
  const kept = [...all].filter(([model, row]) => !leaves(model, row.size));
  const leftOut = [...all].flatMap(([model, row]) => (leaves(model, row.size) ? [...other.get(model)!.values()] : []));
  return { chosen: new Map(kept), leftOut };
}
