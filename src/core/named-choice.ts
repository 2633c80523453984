import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { nearestOrAll } from '../util/spelling.js';

/** What names of an option are names of. */
export interface ChoiceOf {
  /** `--without`. */
  readonly option: string;
  readonly noun: 'model' | 'task' | 'family';
  readonly known: ReadonlySet<string>;
}

const CODES = { model: 'MODEL_UNKNOWN', task: 'TASK_UNKNOWN', family: 'FAMILY_UNKNOWN' } as const;

/** Splits a list at its commas, unless it is a known name as it stands. */
function namesIn(written: string, known: ReadonlySet<string>): string[] {
  if (known.has(written)) return [written];
  return written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Checks one name. Errors: MODEL_UNKNOWN, TASK_UNKNOWN or FAMILY_UNKNOWN, with the nearest name. */
export function assertKnown(name: string, { option, noun, known }: ChoiceOf): void {
  if (known.has(name)) return;
  const nearest = nearestOrAll(name, [...known]);
  fail(
    CODES[noun],
    null,
    `${option} names ${shown(name)}, which is none of the ${noun === 'family' ? familiesOf(known.size) : counted(known.size, noun)}`,
    nearest === undefined
      ? `There is no ${noun} to name.`
      : `${nearest} ${noun === 'family' ? 'Give an option for each name that holds a comma.' : 'Names with a comma go into a file, one a line.'}`,
  );
}

const familiesOf = (count: number): string => (count === 1 ? '1 family' : `${count} families`);

/** Finds what the lists of an option name: `A,B` or one name each. Errors: those of `assertKnown`. */
export function namedIn(written: readonly string[], of: ChoiceOf): Set<string> {
  const names = written.flatMap((list) => namesIn(list, of.known));
  for (const name of names) assertKnown(name, of);
  return new Set(names);
}
