import { fail } from '../util/error.js';
import { dot, type Environment, unitRow, unitRows } from './environment.js';
import { type Level, levelOf, type Spread, spreadOf } from './percentiles.js';

/** A row and a number that belongs to it. */
export interface Scored {
  readonly row: number;
  readonly name: string;
  readonly value: number;
}

/** Cosine of two ingredients, in -1..1. */
export function similarity(environment: Environment, a: number, b: number): number {
  return dot(unitRow(environment, a), unitRow(environment, b));
}

/** Dot product of one vector with every row: `names.length` numbers. */
export function projections(environment: Environment, direction: Float64Array): Float64Array {
  const out = new Float64Array(environment.names.length);
  for (let row = 0; row < out.length; row += 1) out[row] = dot(unitRow(environment, row), direction);
  return out;
}

export interface RankOptions {
  readonly values: Float64Array;
  readonly count: number;
  readonly exclude?: ReadonlySet<number>;
}

/** The rows with the largest values; ties keep row order. */
export function largest(environment: Environment, options: RankOptions): Scored[] {
  const { values, count, exclude } = options;
  return Array.from(values, (value, row) => ({ row, name: environment.names[row]!, value }))
    .filter(({ row }) => !exclude?.has(row))
    .sort((a, b) => b.value - a.value || a.row - b.row)
    .slice(0, count);
}

/** The `count` nearest ingredients of a row, itself excluded. */
export function neighbours(environment: Environment, row: number, count: number): Scored[] {
  const values = projections(environment, unitRow(environment, row));
  return largest(environment, { values, count, exclude: new Set([row]) });
}

/** Most rows whose pairs are all formed for a percentile: 12.5 million numbers. */
const MOST_ROWS = 5000;

/** p10 and p90 of the similarity of all unordered pairs of rows. Error BOUND_EXCEEDED past 5,000 rows. */
function pairSpread(environment: Environment): Spread {
  const { length } = environment.names;
  if (length > MOST_ROWS) {
    fail(
      'BOUND_EXCEEDED',
      null,
      `${length} rows; pair percentiles take at most ${MOST_ROWS}`,
      'The similarity itself has no such limit: use `env neighbors`.',
    );
  }
  const values = new Float64Array((length * (length - 1)) / 2);
  let at = 0;
  for (let a = 0; a < length; a += 1) {
    const row = unitRow(environment, a);
    for (let b = a + 1; b < length; b += 1) {
      values[at] = dot(row, unitRow(environment, b));
      at += 1;
    }
  }
  return spreadOf(values);
}

export interface PairingScore extends Spread {
  readonly value: number;
  readonly level: Level;
}

/** How well two ingredients go together, labelled against all pairs (compiler a.6 pairing_score). */
export function pairingScore(environment: Environment, a: number, b: number): PairingScore {
  const value = similarity(environment, a, b);
  const spread = pairSpread(environment);
  return { value, level: levelOf(value, spread), ...spread };
}

/** Mean of some rows, made a unit vector. */
export function centroid(environment: Environment, rows: readonly number[]): Float64Array {
  const sum = new Float64Array(environment.dims);
  for (const row of rows) for (const [j, value] of unitRow(environment, row).entries()) sum[j] = sum[j]! + value;
  return unitRows(sum, environment.dims);
}
