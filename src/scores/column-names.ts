import type { CodedColumn } from '../io/coded.js';
import { fail, shown } from '../util/error.js';
import { either } from '../util/format.js';
import { nearestHint } from '../util/spelling.js';
import type { ScoreTable } from './score-table.js';

/** What a column of a table can be. */
export type Role = 'model' | 'task' | 'value' | 'family' | 'cluster' | 'panel' | 'attempt' | 'metric';

/** Names of columns by what they hold, the usual one first (reading 1.11). */
export const ROLE_NAMES: Readonly<Record<Role, readonly string[]>> = {
  model: ['model', 'model name', 'system', 'method', 'classifier', 'algorithm', 'agent', 'provider', 'run'],
  task: [
    ...['task', 'task id', 'item', 'question', 'question id', 'example', 'instance id', 'sample id', 'doc id'],
    ...['dataset', 'problem'],
  ],
  value: [
    ...['value', 'score', 'correct', 'accuracy', 'acc', 'resolved', 'pass', 'passed', 'reward', 'grade', 'metric'],
    'result',
  ],
  family: ['family', 'category', 'subject', 'domain', 'benchmark', 'subset'],
  cluster: ['cluster', 'group', 'passage', 'article', 'repo', 'source'],
  panel: ['panel'],
  attempt: ['attempt', 'epoch', 'repeat', 'seed', 'fold', 'trial'],
  metric: ['metric'],
};

/** Columns of these names are no tasks, unless `--only` names them (reading 1.12). */
const SUMMARIES: ReadonlySet<string> = new Set([
  ...['rank', 'average', 'avg', 'mean', 'total', 'overall', 'params', 'parameters', 'size', 'n'],
]);

/** Brings the name of a column into the form in which names of columns are compared. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

export const isSummary = (name: string): boolean => SUMMARIES.has(plainName(name));

/** The columns of a table that a role may fall to by their names, the usual name first; names with `id` or `name` after them where no other is there. */
export function namedFor(role: Role, names: readonly string[]): string[] {
  const order = ROLE_NAMES[role].map(plainName);
  const find = (wanted: readonly string[]) =>
    wanted.flatMap((plain) => names.filter((name) => plainName(name) === plain));
  const found = find(order);
  if (found.length > 0 || (role !== 'model' && role !== 'task')) return found;
  return find(order.flatMap((plain) => [`${plain}id`, `${plain}name`]));
}

/** Finds the column that an option names. Errors: COLUMN_UNKNOWN, with the nearest name. */
export function columnNamed(option: string, written: string, { file, names }: ScoreTable): string {
  if (names.includes(written)) return written;
  const alike = names.filter((name) => plainName(name) === plainName(written));
  if (alike.length === 1) return alike[0]!;
  return fail(
    'COLUMN_UNKNOWN',
    { file },
    `${option} names ${shown(written)}, which is no column; there is ${listedNames(names)}`,
    nearestHint(
      written,
      names.filter((name) => name !== ''),
    ),
  );
}

/** Splits a list at its commas, unless it is a name as it stands. */
export function splitNames(written: readonly string[], known: (name: string) => boolean): string[] {
  return written.flatMap((text) => {
    if (known(text)) return [text];
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  });
}

/** At most six names in a row; unnamed ones are called so. */
export function listedNames(names: readonly string[]): string {
  const words = names.slice(0, 6).map((name) => (name === '' ? 'one without a name' : shown(name)));
  return `${words.join(', ')}${names.length > 6 ? ` and ${names.length - 6} more` : ''}`;
}

/** Tells whether each value of one column stands with one value of another alone. */
export function determines(one: CodedColumn, other: CodedColumn): boolean {
  const first = new Int32Array(one.values.length).fill(-1);
  for (let row = 0; row < one.codes.length; row += 1) {
    const code = one.codes[row]!;
    if (first[code] === -1) first[code] = other.codes[row]!;
    else if (first[code] !== other.codes[row]) return false;
  }
  return true;
}

/** Tells whether no two rows have the same values in all of some columns. */
export function namesEachRow(columns: readonly CodedColumn[], rows: number): boolean {
  const met = new Set<number>();
  const most = columns.reduce((product, { values }) => product * values.length, 1);
  if (most < rows || !Number.isSafeInteger(most)) return most >= rows;
  for (let row = 0; row < rows; row += 1) {
    let key = 0;
    for (const { values, codes } of columns) key = key * values.length + codes[row]!;
    if (met.has(key)) return false;
    met.add(key);
  }
  return true;
}

/**
 * Leaves the columns that a role could really fall to: a column that is the same everywhere is none where another varies, and one that
 * an earlier one determines says nothing more than that.
 */
export function telling(candidates: readonly string[], table: ScoreTable): string[] {
  if (candidates.length < 2) return [...candidates];
  const codes = new Map(candidates.map((name) => [name, table.coded(name)!]));
  const varied = candidates.filter((name) => codes.get(name)!.values.length > 1);
  const left = varied.length > 0 ? varied : candidates.slice(0, 1);
  return left.filter((name, i) => !left.slice(0, i).some((before) => determines(codes.get(before)!, codes.get(name)!)));
}

interface Undecided {
  readonly columns: readonly string[];
  /** What they could be: `name the tasks`. */
  readonly what: string;
  readonly option: string;
  /** Whether both together could be it. */
  readonly joined?: boolean;
  /** What else could be done. */
  readonly more?: string;
}

/** Refuses columns of which several could be one thing. Errors: SCHEMA_INVALID with the option that decides. */
export function failUndecided({ file }: ScoreTable, { columns, what, option, joined, more = '' }: Undecided): never {
  const ways = [...columns.slice(0, 3), ...(joined ? [columns.join()] : [])].map((name) => `${option} ${quoted(name)}`);
  fail(
    'SCHEMA_INVALID',
    { file },
    `columns ${columns.map(shown).join(' and ')} could ${columns.length > 2 ? 'all' : 'both'} ${what}`,
    `Say which: ${either(ways)}${joined ? ' (joined)' : ''}${more}.`,
  );
}

/** A name as a shell takes it. */
export const quoted = (name: string): string =>
  /^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
