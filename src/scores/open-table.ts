import type { CodedColumn } from '../io/coded.js';
import { either } from '../util/format.js';
import { columnNamed, failUndecided, namedFor, plainName, quoted, type Role, telling } from './column-names.js';
import type { ScoreTable } from './score-table.js';
import { type ValueColumn, valueColumn } from './values.js';

/** What a call says of the columns of a table. Lists may be written `A,B`. */
export interface ColumnOptions {
  /** Several are joined to one name. */
  readonly modelColumn?: string;
  readonly taskColumn?: string;
  readonly valueColumn?: string;
  readonly familyColumn?: string;
  readonly clusterColumn?: string;
  readonly attemptColumn?: string;
  /** Columns, or tasks, that are passed over. */
  readonly drop?: readonly string[];
  /** The tasks to take. */
  readonly only?: readonly string[];
  /** Rows are tasks, columns models. */
  readonly transpose?: boolean;
  /** Which rows to take of a table with a text column `metric`. */
  readonly metric?: string;
}

/** Which way a table stands, and which of its columns is what. */
export interface Shape {
  /** One row a cell; one row a model; one row a task. */
  readonly form: 'long' | 'wide' | 'turned';
  /** The rows that are read. */
  readonly table: ScoreTable;
  /** Columns whose texts, joined, name the model of a row; none of a turned table. */
  readonly model: readonly string[];
  /** Columns that name the task of a row; none of a wide table. */
  readonly task: readonly string[];
  /** The column of values, or one for each task of a wide table and each model of a turned one. */
  readonly values: readonly ValueColumn[];
  readonly family?: string;
  readonly cluster?: string;
  readonly panel?: string;
  readonly attempt?: string;
  /** The rows of a column that were chosen. */
  readonly metric?: string;
  /** Columns that are passed over. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
}

/** A table whose columns are being told apart. */
export interface OpenTable {
  readonly table: ScoreTable;
  readonly options: ColumnOptions;
  /** Columns that may be something. */
  readonly names: readonly string[];
  /** Names under `--drop` that are no columns. */
  readonly dropped: readonly string[];
  /** The cells of a column as values, read once. */
  values(name: string): ValueColumn;
  codes(name: string): CodedColumn;
}

/** An open table, read as values once a column. */
export function opened(
  table: ScoreTable,
  options: ColumnOptions,
  names: readonly string[],
  dropped: readonly string[],
): OpenTable {
  const known = new Map<string, ValueColumn>();
  return {
    ...{ table, options, names, dropped },
    values(name) {
      const column = known.get(name) ?? valueColumn(table, name);
      known.set(name, column);
      return column;
    },
    codes: (name) => table.coded(name)!,
  };
}

/** Tells whether a column has no name, or the one that pandas gives such columns. */
export const isUnnamed = (name: string): boolean => /^$|^Unnamed: ?\d+$|^__index_level_\d+__$/.test(name);

/** Names of a column that counts the rows, of tables whose index became one. */
const COUNTERS: ReadonlySet<string> = new Set([
  '',
  'index',
  'level0',
  'id',
  'idx',
  'row',
  'rownumber',
  '#',
  'no',
  'no.',
]);

/** Tells whether a column counts the rows: an index from 0, one without a name or named as an index is from 0 or 1. */
export function countsRows({ values, table }: OpenTable, name: string): boolean {
  const named = isUnnamed(name) || COUNTERS.has(plainName(name));
  if (table.rows === 0 || !(named || table.index?.includes(name))) return false;
  const { values: numbers } = values(name);
  const first = numbers[0]!;
  return (first === 0 || (first === 1 && named)) && numbers.every((value, row) => value === first + row);
}

export const offered = (option: string, names: readonly string[]): string =>
  either(names.slice(0, 4).map((name) => `${option} ${quoted(name)}`));

/**
 * Finds a column of a role that a table can do without: by option, else by name. One that is only a synonym must be `fitting`. Errors:
 * SCHEMA_INVALID where several could be it.
 */
export function optionalRole(
  { table, names, options }: OpenTable,
  role: Exclude<Role, 'metric'>,
  {
    what,
    free,
    fitting,
  }: { readonly what: string; readonly free: (name: string) => boolean; readonly fitting?: (name: string) => boolean },
): string | undefined {
  const option = `--${role}-column`;
  const asked = role === 'panel' ? undefined : options[`${role}Column`];
  if (asked !== undefined) return columnNamed(option, asked, table);
  const found = telling(
    namedFor(role, names).filter((name) => free(name) && (plainName(name) === role || (fitting?.(name) ?? true))),
    table,
  );
  if (found.length > 1) failUndecided(table, { columns: found, what, option, more: ', or leave one out with --drop' });
  return found[0];
}
