import type { CodedColumn, Column } from '../io/coded.js';
import { assertColumnNames } from '../io/held/name-bound.js';
import type { ErrorPlace } from '../util/error.js';

/** Columns of a table, whatever its format. */
export interface ScoreTable {
  readonly file: string;
  /** Names of the columns in order, each once; an unnamed one is the empty text. */
  readonly names: readonly string[];
  readonly rows: number;
  /** Scale the file states, if any. */
  readonly scale?: number;
  /** What the file is, in words: `CSV, semicolons, gzip`. */
  readonly kind: string;
  /** Columns that were the index of a pandas table. */
  readonly index?: readonly string[];
  /**
   * Values of a column by row: a typed array where all are there and numbers, else an array of texts, numbers, bigints, booleans and null.
   * A text file has texts alone, as they are written. Rows with the same text share one string, so that `Map` finds it fast.
   */
  column(name: string): ArrayLike<unknown> | undefined;
  /**
   * The same column as different values and a code a row. It is made once, by the reader where it can, and costs less than to look at
   * every value: names and texts of a million rows are trimmed, parsed and compared once for each different one.
   */
  coded(name: string): CodedColumn | undefined;
  /** Where a row stands: the line of a text file, else its number. */
  place(row: number): ErrorPlace;
}

interface TableParts extends Omit<ScoreTable, 'names' | 'column' | 'coded'> {
  readonly columns: ReadonlyMap<string, Column>;
}

/** Makes a table of its columns. Errors: BOUND_EXCEEDED for more than 2^20 of them, and for a name past 2^14 characters. */
export function scoreTable({ columns, ...rest }: TableParts): ScoreTable {
  const names = [...columns.keys()];
  assertColumnNames(rest.file, names);
  return {
    ...rest,
    names,
    column: (name) => columns.get(name)?.values(),
    coded: (name) => columns.get(name)?.coded(),
  };
}

/** Where the rows of a table stand that have no lines: their number. */
export const rowPlace =
  (file: string) =>
  (row: number): ErrorPlace => ({ file, row: row + 1 });

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a decimal number as a table writes it; null for an empty cell, NaN for anything else. */
export function fieldNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** Reads the number in a field of any format: truth values are 1 and 0; null where there is none, NaN for anything else. */
export function asNumber(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return fieldNumber(value);
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** Reads the text in a field of any format; empty where there is none. */
export function asText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
