import type { ArrowColumn } from '../io/arrow.js';
import { fixed, general } from '../util/format.js';

/** One thing that a row of a result says: how it is had, and its name and form in each kind of file that has it. */
export interface ResultColumn<Row> {
  readonly kind: ArrowColumn['kind'];
  readonly value: (row: Row) => string | number | boolean | null;
  /** Place in the JSON record of the row: a key, then keys and ends of an interval inside it. */
  readonly json?: readonly (string | number)[];
  /** Column of Arrow and Parquet. */
  readonly arrow?: string;
  /** Column of the released CSV table. */
  readonly csv?: string;
  /** A number as that table writes it; in its shortest form unless given. */
  readonly form?: (value: number) => string;
}

export const six = (value: number) => fixed(value, 6);
export const eight = (value: number) => fixed(value, 8);
export const tenDigits = (value: number) => general(value, 10);

/** Names an interval in JSON: `score_pointwise_95_ci` at alpha .05, `score_pointwise_ci` at any other. */
export function intervalKey(alpha: number, before: string, after: 'ci' | 'interval'): string {
  return alpha === 0.05 ? `${before}_95_${after}` : `${before}_${after}`;
}

/** An interval: one key in JSON, and a column for each end. */
export function ends<Row>(
  interval: (row: Row) => readonly [number, number] | null,
  names: readonly Omit<ResultColumn<Row>, 'value' | 'json'>[],
  json: readonly string[],
): ResultColumn<Row>[] {
  return names.map((name, end) => ({ ...name, json: [...json, end], value: (row) => interval(row)?.[end] ?? null }));
}
