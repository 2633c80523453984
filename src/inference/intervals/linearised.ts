import type { ClusterDesign } from '../../engine/design.js';
import type { Layout } from '../../engine/layout.js';

/** What is drawn as one: whole clusters, or under the stratified scheme the parts of a cluster each on its own. */
export interface Units {
  readonly count: number;
  /** parts: unit of each. */
  readonly ofPart: Int32Array;
}

/** Makes every cluster one unit. */
export function clusterUnits(design: ClusterDesign): Units {
  return { count: design.clusters, ofPart: design.partCluster };
}

/** Makes every part a unit of its own. */
export function partUnits(design: ClusterDesign): Units {
  const parts = design.partCluster.length;
  return { count: parts, ofPart: Int32Array.from({ length: parts }, (_, p) => p) };
}

/** The score of every row on one draw, and what its error is made of. Overwritten by the next draw. */
export interface Linearised {
  /** rows: scores in points. */
  readonly values: Float64Array;
  /** units x rows: influence r of one copy of a unit, in points; 0 where the unit was not drawn. */
  readonly influence: Float64Array;
  /** units: times a unit was drawn x its leverage scale; 0 where it was not drawn. */
  readonly scales: Float64Array;
  /** units: a, the weight of one copy in the score. */
  readonly weights: Float64Array;
}

/** Largest integer below which sums and products of doubles lose nothing. */
const EXACT = 2 ** 52;

/**
 * Opens the linearised score of a design (decisions 2.4): a function of the counts of its parts. With k copies of each unit,
 * N_s the tasks drawn in stratum s and w = 1 / S, a copy's influence is r = sum_s (D N_s - n D_s) w / N_s^2, its numerators exact
 * integers, and the squared error is sum k e r^2. The scale is e = a^2 / |M|^2, where r = M u when the mean of a unit is u in
 * all its strata: were the u independent with one variance, the squared error would have no bias. A unit that is alone in
 * all its strata shows nothing of how much units vary: its e is 0.
 */
export function linearisation(design: ClusterDesign, layout: Layout, units: Units) {
  const { rows, strata, scale, partStratum, partTasks, partTotals } = design;
  const { ofPart } = units;
  const own = partsByUnit(units, partStratum.length);
  const tasks = new Float64Array(strata);
  const sums = new Float64Array(strata * rows);
  const cross = new Float64Array(own.linked ? strata * strata : strata);
  const out: Linearised = {
    values: new Float64Array(rows),
    influence: new Float64Array(units.count * rows),
    scales: new Float64Array(units.count),
    weights: new Float64Array(units.count),
  };
  const residual = largestProduct(design, layout) < EXACT ? null : bigResidual;

  return (counts: ArrayLike<number>): Linearised => {
    drawnTotals(counts);
    for (let m = 0; m < rows; m += 1) {
      let value = 0;
      for (let s = 0; s < strata; s += 1) value += sums[s * rows + m]! / tasks[s]!;
      out.values[m] = value / strata / scale;
    }
    influences(counts);
    leverages(counts);
    return out;
  };

  function drawnTotals(counts: ArrayLike<number>): void {
    tasks.fill(0);
    sums.fill(0);
    for (let p = 0; p < partStratum.length; p += 1) {
      const k = counts[p]!;
      if (k === 0) continue;
      const s = partStratum[p]!;
      tasks[s] = tasks[s]! + k * partTasks[p]!;
      const from = p * rows;
      const to = s * rows;
      for (let m = 0; m < rows; m += 1) sums[to + m] = sums[to + m]! + k * partTotals[from + m]!;
    }
  }

  function influences(counts: ArrayLike<number>): void {
    const { influence } = out;
    influence.fill(0);
    const exactSums = residual ? bigSums(design, counts) : null;
    for (let p = 0; p < partStratum.length; p += 1) {
      if (counts[p] === 0) continue;
      const s = partStratum[p]!;
      const size = tasks[s]!;
      const n = partTasks[p]!;
      const factor = 1 / (strata * size * scale) / size;
      const to = ofPart[p]! * rows;
      for (let m = 0; m < rows; m += 1) {
        const total = partTotals[p * rows + m]!;
        const x = exactSums
          ? residual!(total, size, n, exactSums[s * rows + m]!)
          : total * size - n * sums[s * rows + m]!;
        influence[to + m] = influence[to + m]! + x * factor;
      }
    }
  }

  function leverages(counts: ArrayLike<number>): void {
    const { scales, weights } = out;
    cross.fill(0);
    for (let u = 0; u < units.count; u += 1) {
      weights[u] = 0;
      for (let i = own.start[u]!; i < own.start[u + 1]!; i += 1) {
        const p = own.parts[i]!;
        const k = counts[p]!;
        if (k === 0) continue;
        const q = share(p);
        weights[u] = weights[u]! + q;
        for (let j = own.start[u]!; j < own.start[u + 1]!; j += 1) {
          const at = place(p, own.parts[j]!);
          cross[at] = cross[at]! + k * q * share(own.parts[j]!);
        }
      }
    }
    for (let u = 0; u < units.count; u += 1) scales[u] = scaleOf(u, counts);
  }

  /** w n / N_s: the weight of one copy of a part in the score. */
  function share(p: number): number {
    return partTasks[p]! / tasks[partStratum[p]!]! / strata;
  }

  /** Where the sum of q q' over units stands for the strata of two parts of one unit. */
  function place(p: number, other: number): number {
    return own.linked ? partStratum[p]! * strata + partStratum[other]! : partStratum[p]!;
  }

  function scaleOf(u: number, counts: ArrayLike<number>): number {
    let remainder = 0;
    let others = 0;
    let alone = true;
    const k = counts[own.parts[own.start[u]!]!]!;
    if (k === 0) return 0;
    for (let i = own.start[u]!; i < own.start[u + 1]!; i += 1) {
      const p = own.parts[i]!;
      const q = share(p);
      const size = tasks[partStratum[p]!]!;
      if (size !== partTasks[p]!) alone = false;
      remainder += q * ((size - partTasks[p]!) / size);
      for (let j = own.start[u]!; j < own.start[u + 1]!; j += 1) {
        const other = own.parts[j]!;
        const r = share(other);
        // G_uj = sum_s q_us q_js / w: with w = 1 / S each q brings one S.
        others += strata * q * (strata * r) * (cross[place(p, other)]! - q * r);
      }
    }
    if (alone) return 0;
    const a = out.weights[u]!;
    return (k * (a * a)) / (remainder * remainder + Math.max(0, others));
  }
}

/** Parts by unit; `linked` when some unit has parts in several strata. */
function partsByUnit({ count, ofPart }: Units, length: number) {
  const start = new Int32Array(count + 1);
  for (const u of ofPart) start[u + 1] = start[u + 1]! + 1;
  const linked = start.some((parts) => parts > 1);
  for (let u = 0; u < count; u += 1) start[u + 1] = start[u + 1]! + start[u]!;
  const next = start.slice();
  const parts = new Int32Array(length);
  ofPart.forEach((u, p) => {
    parts[next[u]!] = p;
    next[u] = next[u]! + 1;
  });
  return { start, parts, linked };
}

/** No product D N or n D of any draw exceeds this: a draw takes at most as many copies as there are parts. */
function largestProduct(design: ClusterDesign, layout: Layout): number {
  let total = 1;
  let tasks = 1;
  for (const value of design.partTotals) total = Math.max(total, Math.abs(value));
  for (const n of design.partTasks) tasks = Math.max(tasks, n);
  return total * tasks * layout.parts;
}

function bigSums(design: ClusterDesign, counts: ArrayLike<number>): bigint[] {
  const { rows, strata, partStratum, partTotals } = design;
  const sums = new Array<bigint>(strata * rows).fill(0n);
  for (let p = 0; p < partStratum.length; p += 1)
    for (let m = 0; m < rows; m += 1) {
      const at = partStratum[p]! * rows + m;
      sums[at] = sums[at]! + BigInt(counts[p]!) * BigInt(partTotals[p * rows + m]!);
    }
  return sums;
}

function bigResidual(total: number, size: number, n: number, sum: bigint): number {
  return Number(BigInt(total) * BigInt(size) - BigInt(n) * sum);
}
