import type { TestTotals } from './bounds.js';
import type { Derivation } from './derived-design.js';
import type { ClusterDesign } from './design.js';

/** Totals that sign flips add up in 32 bits: cluster-major, `lanes` of a cluster. */
export interface NarrowTotals {
  readonly totals: Float64Array;
  readonly lanes: number;
  /** No sum exceeds this in size. */
  readonly bound: number;
}

const NARROW = 2 ** 31;

/** Finds what no sum of a lane exceeds; null where it may pass 32 bits. */
export function narrowTotals(totals: Float64Array, lanes: number): NarrowTotals | null {
  const sizes = new Float64Array(lanes);
  for (let at = 0; at < totals.length; at += lanes)
    for (let lane = 0; lane < lanes; lane++) sizes[lane]! += Math.abs(totals[at + lane]!);
  const bound = sizes.reduce((most, size) => Math.max(most, size), 0);
  return bound < NARROW ? { totals, lanes, bound } : null;
}

/** Forms what rounding left of the totals of a test once their linear part is taken away (C x rows, modulo 2^64); null where a sum of it may pass 32 bits. */
export function restTotals(
  { rows, clusters, partCluster, partStratum, partTasks, partTotals }: ClusterDesign,
  { totals, linear: { scale, centre } }: TestTotals,
): NarrowTotals | null {
  const left = BigInt64Array.from(totals, BigInt);
  const tasks = BigInt64Array.from(partTasks, BigInt);
  partCluster.forEach((c, p) => {
    const s = partStratum[p]!;
    for (let m = 0; m < rows; m++)
      left[c * rows + m]! -= scale[s]! * BigInt(partTotals[p * rows + m]!) - tasks[p]! * centre[s * rows + m]!;
  });
  const lanes = Math.ceil(rows / 4) * 4;
  const out = new Float64Array(clusters * lanes);
  for (let c = 0; c < clusters; c++) for (let m = 0; m < rows; m++) out[c * lanes + m] = Number(left[c * rows + m]!);
  return narrowTotals(out, lanes);
}

/** What rounding left of an earlier test, and the lane that each row of its design lies in. */
export interface EarlierRest {
  readonly of: NarrowTotals;
  readonly laneOf: ReadonlyMap<number, number>;
}

/** Finds the lanes of an earlier rest that hold that of each row, where `rows` names the rows that each is made of; null where one differs. */
export function sameRest(
  { of, laneOf }: EarlierRest,
  { totals, lanes }: NarrowTotals,
  { rows }: Pick<Derivation, 'rows'>,
): Int32Array | null {
  const found = Int32Array.from(rows, (row) => laneOf.get(row) ?? -1);
  for (let m = 0; m < rows.length; m++) {
    if (found[m]! < 0) return null;
    for (let at = m, other = found[m]!; at < totals.length; at += lanes, other += of.lanes)
      if (totals[at] !== of.totals[other]) return null;
  }
  return found;
}
