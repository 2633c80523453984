import { sortedQuantile } from '../engine/quantile.js';
import { dot, type Environment, unitRow, unitRows } from './environment.js';

/** Tenth and ninetieth percentile of a quantity, the yardstick of its labels. */
export interface Spread {
  readonly p10: number;
  readonly p90: number;
}

export type Level = 'very low' | 'low' | 'moderate' | 'high' | 'very high';

/** Takes p10 and p90 by linear interpolation. Sorts `values` in place. */
export function spreadOf(values: Float64Array): Spread {
  values.sort();
  return { p10: sortedQuantile(values, 0.1), p90: sortedQuantile(values, 0.9) };
}

/**
 * Labels a value (compiler a.6): at or beyond p10 and p90 `very low` and `very high`; `low` and `high` when more than 30 %
 * of the way from their midpoint; else `moderate`.
 */
export function levelOf(value: number, { p10, p90 }: Spread): Level {
  if (value <= p10) return 'very low';
  if (value >= p90) return 'very high';
  const middle = (p10 + p90) / 2;
  if (value < middle - 0.3 * (middle - p10)) return 'low';
  if (value > middle + 0.3 * (p90 - middle)) return 'high';
  return 'moderate';
}

/** A row and a number that belongs to it. */
export interface Scored {
  readonly row: number;
  readonly name: string;
  readonly value: number;
}

/** Forms the cosine of two ingredients, in -1..1. */
export function similarity(environment: Environment, a: number, b: number): number {
  return dot(unitRow(environment, a), unitRow(environment, b));
}

/** Forms the dot product of one vector with every row: `names.length` numbers. */
export function projections(environment: Environment, direction: Float64Array): Float64Array {
  const out = new Float64Array(environment.names.length);
  for (let row = 0; row < out.length; row += 1) out[row] = dot(unitRow(environment, row), direction);
  return out;
}

interface RankOptions {
  readonly values: Float64Array;
  readonly count: number;
  readonly exclude?: ReadonlySet<number>;
}

/** Lists the rows with the largest values; ties keep row order. */
export function largest(environment: Environment, options: RankOptions): Scored[] {
  const { values, count, exclude } = options;
  return Array.from(values, (value, row) => ({ row, name: environment.names[row]!, value }))
    .filter(({ row }) => !exclude?.has(row))
    .sort((a, b) => b.value - a.value || a.row - b.row)
    .slice(0, count);
}

/** Lists the `count` nearest ingredients of a row, itself excluded. */
export function neighbours(environment: Environment, row: number, count: number): Scored[] {
  const values = projections(environment, unitRow(environment, row));
  return largest(environment, { values, count, exclude: new Set([row]) });
}

/** Most rows whose pairs are all formed for a percentile: 12.5 million numbers. */
/** Rows of which all pairs are looked at; of more rows, so many that are spread evenly over all. */
const MOST_ROWS = 5000;
const SPREAD_ROWS = 2000;

/** Gives the rows whose pairs are the yardstick of a pairing (reading 3.8). */
function yardstick(rows: number): readonly number[] {
  const count = rows > MOST_ROWS ? SPREAD_ROWS : rows;
  return Array.from({ length: count }, (_, i) => Math.floor((i * rows) / count));
}

/** p10 and p90 of the similarity of all unordered pairs of some rows. */
function pairSpread(environment: Environment, rows: readonly number[]): Spread {
  const values = new Float64Array((rows.length * (rows.length - 1)) / 2);
  let at = 0;
  rows.forEach((a, i) => {
    const row = unitRow(environment, a);
    for (let k = i + 1; k < rows.length; k += 1) {
      values[at] = dot(row, unitRow(environment, rows[k]!));
      at += 1;
    }
  });
  return spreadOf(values);
}

interface PairingScore extends Spread {
  readonly value: number;
  readonly level: Level;
  /** Rows whose pairs it is labelled against. */
  readonly rows: number;
}

/** Says how well two ingredients go together, labelled against all pairs, past 5,000 rows against those of 2,000 (compiler a.6 pairing_score, reading 3.8). */
export function pairingScore(environment: Environment, a: number, b: number): PairingScore {
  const value = similarity(environment, a, b);
  const rows = yardstick(environment.names.length);
  const spread = pairSpread(environment, rows);
  return { value, level: levelOf(value, spread), rows: rows.length, ...spread };
}

/** Forms the mean of some rows, made a unit vector. */
export function centroid(environment: Environment, rows: readonly number[]): Float64Array {
  const sum = new Float64Array(environment.dims);
  for (const row of rows) for (const [j, value] of unitRow(environment, row).entries()) sum[j] = sum[j]! + value;
  return unitRows(sum, environment.dims);
}
