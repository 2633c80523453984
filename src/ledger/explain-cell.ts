import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../io/canonical.js';
import { storedFile } from '../io/file.js';
import { readObject } from '../io/read-file.js';
import { fail } from '../util/error.js';
import { type CellBinding, type CellKey, contractDigest, EXECUTION_FIELDS, KEY_FIELDS } from './cell-key.js';
import type { RecordEntry } from './journal-event.js';
import { blockName, startOf } from './journal-state.js';
import { ownShard, shardOfCell } from './ledger-shard.js';
import { type LedgerView, readRecordFile, viewLedger } from './ledger-view.js';
import type { ResponseRecord } from './record.js';

/** A field in which two cell keys differ, as JSON text. */
interface KeyDifference {
  readonly field: string;
  readonly asked: string;
  readonly recorded: string;
}

/** What a failed request came to. */
interface ReturnOf {
  readonly outcome: string;
  readonly message: string | null;
  readonly model: string | null;
  readonly expected_model: string | null;
  readonly provider: string | null;
  readonly expected_provider: string | null;
  readonly finish_reason: string | null;
  readonly completion_tokens: number | null;
  readonly cost_micros: number | null;
}

function returnOf({ outcome, error, generation, route }: ResponseRecord): ReturnOf {
  return {
    outcome,
    message: error?.message ?? null,
    model: generation?.actual_model ?? null,
    expected_model: route.expected_model,
    provider: generation?.actual_provider ?? null,
    expected_provider: route.expected_provider,
    finish_reason: generation?.finish_reason ?? null,
    completion_tokens: generation?.completion_tokens ?? null,
    cost_micros: generation?.cost_micros ?? null,
  };
}

export interface Explanation {
  readonly cell: string;
  readonly verdict:
    | 'completed'
    | 'failed'
    | 'retry_requested'
    | 'ambiguous'
    | 'rejected'
    | 'other_contract'
    | 'other_shard'
    | 'never_asked';
  readonly will_be_asked: boolean;
  readonly why: string;
  readonly model_id: string | null;
  readonly task_id: string | null;
  readonly record: string | null;
  /** Of the record in force: what came back, what the route expected, and why that is no answer; null where it was one. */
  readonly came_back: ReturnOf | null;
  readonly superseded: readonly string[];
  /** Records of this cell that lie in quarantine. */
  readonly quarantined: readonly string[];
  /** Journal lines of the cell, oldest first. */
  readonly history: readonly {
    readonly line: number;
    readonly at: string;
    readonly type: string;
    /** What came back, for a line about a reply: its status and what is wrong with it. */
    readonly said?: string;
  }[];
  /** For a cell without a record: the recorded cell whose key is closest, and every field that differs. */
  readonly nearest: {
    readonly cell: string;
    readonly record: string;
    readonly differs: readonly KeyDifference[];
  } | null;
}

/** What a journal line about a reply says of it. */
interface Saying {
  readonly http_status?: number | null;
  readonly error_type?: string | null;
}

function saidBy({ http_status, error_type }: Saying): { readonly said?: string } {
  const words = [...(http_status == null ? [] : [`HTTP ${http_status}`]), ...(error_type == null ? [] : [error_type])];
  return words.length === 0 ? {} : { said: words.join(', ') };
}

/** Lists every field in which two keys differ, down to the single decoding value. */
export function keyDifferences(asked: CellKey, recorded: CellKey): KeyDifference[] {
  const text = (value: unknown) => (value === undefined ? 'absent' : canonicalJson(value));
  return KEY_FIELDS.flatMap((field) => {
    if (field !== 'decoding') {
      const [a, b] = [text(asked[field]), text(recorded[field])];
      return a === b ? [] : [{ field, asked: a, recorded: b }];
    }
    const names = new Set([...Object.keys(asked.decoding), ...Object.keys(recorded.decoding)]);
    return [...names].sort().flatMap((name) => {
      const [a, b] = [text(asked.decoding[name]), text(recorded.decoding[name])];
      return a === b ? [] : [{ field: `decoding.${name}`, asked: a, recorded: b }];
    });
  });
}

const WHY = {
  completed: 'it has a completed record',
  failed: 'it failed and is sealed; only `collect --retry FILE` asks it again',
  retry_requested: 'a retry list asked for it and no new record has come yet',
  ambiguous: 'a request was started and may have been accepted; `ledger seal` closes it, nothing re-sends it',
  other_contract:
    'its block holds records of another route, protocol or decoding, and two are never pooled; `ledger quarantine` puts the old block aside',
  other_shard: 'this ledger is a shard of the plan, and the cell is of another; `ledger merge` joins them',
  rejected: 'every request so far was certainly not accepted',
  never_asked: 'no request for it was ever started',
} as const;

/** The one cell id that starts with a prefix. */
function completeId(view: LedgerView, prefix: string, asked: CellBinding | undefined): string {
  const known = [...view.state.cells.keys()].filter((cell) => cell.startsWith(prefix));
  if (asked?.cell.startsWith(prefix) && !known.includes(asked.cell)) known.push(asked.cell);
  if (known.length === 1) return known[0]!;
  fail(
    'USAGE',
    { file: view.dir },
    known.length === 0 ? `no cell here starts with ${prefix}` : `${known.length} cells here start with ${prefix}`,
    'Give more of the cell id, or --plan to explain a cell that was never asked.',
  );
}

/** How far an entry is from a key, by what the journal knows of it. */
function distance(entry: RecordEntry, asked: CellBinding, contract: string): number {
  return (
    4 * Number(entry.task_id !== asked.task_id) +
    4 * Number(entry.model_id !== asked.key.model_id) +
    2 * Number(entry.phase !== asked.key.phase) +
    Number(entry.contract_sha256 !== contract) +
    Number(entry.repeat !== asked.key.repeat)
  );
}

function nearestOf(view: LedgerView, asked: CellBinding): Explanation['nearest'] {
  const contract = contractDigest(asked.key);
  let best: RecordEntry | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { head } of view.state.cells.values()) {
    if (!head) continue;
    const far = distance(head, asked, contract);
    if (far < least) [best, least] = [head, far];
  }
  if (!best) return null;
  const file = view.files.get(best.record_sha256)!;
  const differs = keyDifferences(asked.key, readRecordFile(file).key);
  return { cell: best.cell, record: file.path, differs };
}

/** Tells whether the block of a planned cell holds records that were made under another contract. */
function isForeign(view: LedgerView, { key, slot, panel }: CellBinding): boolean {
  const held = view.state.contracts.get(blockName({ phase: key.phase, slot, panel }));
  return held !== undefined && held !== contractDigest(key);
}

/** Tells whether a ledger is a shard of a plan and the cell of another one. */
function isElsewhere({ state }: LedgerView, cell: string): boolean {
  const own = ownShard(state);
  return own !== undefined && shardOfCell(cell, own.count) !== own.index;
}

/**
 * Explains why a cell will or will not be asked. `prefix` is the start of a cell id; `asked` is the planned cell, needed for one that the
 * ledger has never met. Errors: those of `viewLedger`; USAGE where no cell or several start with `prefix`.
 */
export function explainCell(dir: string, prefix: string, asked: CellBinding | undefined): Explanation {
  const history: { line: number; at: string; type: string; said?: string }[] = [];
  const needle = `"cell":"${prefix}`;
  const view = viewLedger(dir, ({ text, line }) => {
    if (!text.includes(needle)) return;
    const event = JSON.parse(text) as { at: string; type: string; cell?: string } & Saying;
    if (event.cell?.startsWith(prefix)) history.push({ line, at: event.at, type: event.type, ...saidBy(event) });
  });
  const id = completeId(view, prefix, asked);
  const cell = view.state.cells.get(id);
  const head = cell?.head;
  const verdict =
    cell?.attempt === 'maybe_accepted'
      ? 'ambiguous'
      : cell?.retry !== undefined
        ? 'retry_requested'
        : head
          ? head.status
          : asked !== undefined && isForeign(view, asked)
            ? 'other_contract'
            : isElsewhere(view, id)
              ? 'other_shard'
              : cell?.attempt === 'rejected'
                ? 'rejected'
                : 'never_asked';
  const path = (entry: RecordEntry) => view.files.get(entry.record_sha256)?.path ?? entry.record_sha256;
  const binding = asked ?? (cell && startOf(cell)?.binding);
  return {
    cell: id,
    verdict,
    will_be_asked: verdict === 'never_asked' || verdict === 'rejected' || verdict === 'retry_requested',
    why: head && verdict === 'failed' ? `${WHY.failed} (${head.outcome})` : WHY[verdict],
    model_id: head?.model_id ?? binding?.key.model_id ?? null,
    task_id: head?.task_id ?? binding?.task_id ?? null,
    record: head ? path(head) : null,
    came_back: head?.status === 'failed' ? returnOf(readRecordFile(view.files.get(head.record_sha256)!)) : null,
    superseded: cell?.superseded.map(path) ?? [],
    quarantined: view.state.quarantined.filter((entry) => entry.cell === id).map((entry) => entry.record_sha256),
    history,
    nearest: head || !binding ? null : nearestOf(view, binding),
  };
}

type Json = Readonly<Record<string, unknown>>;

/** Key fields that are digests of route fields, and would tell a reader nothing. */
const DIGESTS = ['endpoint_execution_sha256', 'protocol_sha256'] as const;

/** Fields of a frozen plan's route that those digests are made of. */
const FIELDS = [...EXECUTION_FIELDS, 'protocol', 'effort', 'extra_body'] as const;

const planRoutes = z.looseObject({ routes: z.array(z.looseObject({})) });

/** The route of a stored manifest that has this digest. */
function storedRoute(dir: string, field: string, sha256: string): Json | undefined {
  for (const name of readdirSync(dir)) {
    if (!/^manifest-[0-9a-f]{64}\.json$/.test(name)) continue;
    // Damaged plans are named by `ledger verify`; here one more digest stays unexplained.
    const found = planRoutes
      .safeParse(readObject(storedFile(join(dir, name))))
      .data?.routes.find((route) => route[field] === sha256);
    if (found) return found;
  }
  return undefined;
}

/**
 * Replaces differing digests of a route by the fields that make them differ, read from the manifests in the ledger's folder. A digest
 * whose manifest is not there, as after an import, stays as it is.
 */
export function openDifferences(options: {
  readonly dir: string;
  readonly differs: readonly KeyDifference[];
  /** The planned route: a row of the manifest that asks. */
  readonly asked: object;
}): readonly KeyDifference[] {
  const { dir, differs } = options;
  const asked = options.asked as Json;
  const closed = differs.filter(({ field }) => (DIGESTS as readonly string[]).includes(field));
  const routes = closed.flatMap(({ field, recorded }) => {
    const route = storedRoute(dir, field, JSON.parse(recorded) as string);
    return route ? [{ field, route }] : [];
  });
  const opened = FIELDS.flatMap((field) => {
    const values = routes.map(({ route }) => canonicalJson(route[field] ?? null));
    const now = canonicalJson(asked[field] ?? null);
    const other = values.find((value) => value !== now);
    return other === undefined ? [] : [{ field, asked: now, recorded: other }];
  });
  if (opened.length === 0) return differs;
  const gone = new Set(routes.map(({ field }) => field));
  return [...differs.filter(({ field }) => !gone.has(field)), ...opened];
}
