import type { ClusterDesign } from './design.js';
import type { BootstrapRequest } from './engine.js';
import type { Layout } from './layout.js';

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

/** Finds the units that a scheme draws. */
export function drawnUnits(design: ClusterDesign, scheme: BootstrapRequest['scheme']): Units {
  if (scheme === 'joint') return clusterUnits(design);
  const parts = design.partCluster.length;
  return { count: parts, ofPart: Int32Array.from({ length: parts }, (_, p) => p) };
}

/** Parts by unit. */
export interface UnitParts {
  /** units + 1: where the parts of a unit begin. */
  readonly start: Int32Array;
  /** Parts unit by unit, ascending. */
  readonly parts: Int32Array;
  /** Whether some unit has parts in several strata. */
  readonly linked: boolean;
  /** Units by their first parts. */
  readonly order: Int32Array;
}

/** The score of every row on one draw and its squared error. Overwritten by the next draw. */
export interface Linearised {
  /** rows: scores in points. */
  readonly values: Float64Array;
  /** rows: squared errors, summed over units in the order of their first parts. */
  readonly squares: Float64Array;
  /** units: times a unit was drawn x its leverage scale; 0 where it was not drawn. */
  readonly scales: Float64Array;
  /** units: a, the weight of one copy in the score; only of units that were drawn. */
  readonly weights: Float64Array;
}

/** Largest integer below which sums and products of doubles lose nothing. */
const EXACT = 2 ** 52;

/**
 * Opens the linearised score of a design (decisions 2.4), a function of how often each part is drawn. With k copies of each unit,
 * N_s the tasks drawn in stratum s and w = 1 / S, a copy's influence is r = sum_s (D N_s - n D_s) w / N_s^2, its numerators exact
 * integers, and the squared error is sum k e r^2. The scale is e = a^2 / |M|^2, where r = M u when the mean of a unit is u in
 * all its strata: were the u independent with one variance, the squared error would have no bias. A unit that is alone in
 * all its strata shows nothing of how much units vary: its e is 0.
 */
export function linearisation(design: ClusterDesign, layout: Layout, units: Units) {
  const { rows, strata, scale, partStratum, partTasks, partTotals } = design;
  const { parts } = layout;
  const { count } = units;
  const own = partsByUnit(units);
  const tasks = new Float64Array(strata);
  const sums = new Float64Array(strata * rows);
  const shares = new Float64Array(parts);
  const cross = new Float64Array(own.linked ? strata * strata : strata);
  const line = new Float64Array(rows);
  const joined = new Float64Array(rows);
  const out: Linearised = {
    values: new Float64Array(rows),
    squares: new Float64Array(rows),
    scales: new Float64Array(count),
    weights: new Float64Array(count),
  };
  const exact = linearisesInDoubles(design, layout);
  let bigSums: bigint[] = [];

  /** Forms scores, leverages and squared errors of a draw; counts of the parts of a unit are equal. */
  function measure(counts: ArrayLike<number>): Linearised {
    drawnTotals(counts);
    for (let m = 0; m < rows; m += 1) {
      let value = 0;
      for (let s = 0; s < strata; s += 1) value += sums[s * rows + m]! / tasks[s]!;
      out.values[m] = value / strata / scale;
    }
    leverages(counts);
    const { squares, scales } = out;
    squares.fill(0);
    for (const u of own.order) {
      const weight = scales[u]!;
      if (weight === 0) continue;
      const r = influenceOf(u);
      for (let m = 0; m < rows; m += 1) squares[m] = squares[m]! + weight * (r[m]! * r[m]!);
    }
    return out;
  }

  function drawnTotals(counts: ArrayLike<number>): void {
    tasks.fill(0);
    sums.fill(0);
    for (let p = 0; p < parts; p += 1) {
      const k = counts[p]!;
      if (k === 0) continue;
      const s = partStratum[p]!;
      tasks[s] = tasks[s]! + k * partTasks[p]!;
      const from = p * rows;
      const to = s * rows;
      for (let m = 0; m < rows; m += 1) sums[to + m] = sums[to + m]! + k * partTotals[from + m]!;
    }
    if (!exact) bigSums = exactSums(design, counts);
  }

  /** Influence of one copy of a drawn unit on every row, in points. Overwritten by the next unit. */
  function influenceOf(u: number): Float64Array {
    const start = own.start[u]!;
    const end = own.start[u + 1]!;
    if (end - start === 1) return influenceOfPart(own.parts[start]!);
    joined.fill(0);
    for (let i = start; i < end; i += 1) {
      const r = influenceOfPart(own.parts[i]!);
      for (let m = 0; m < rows; m += 1) joined[m] = joined[m]! + r[m]!;
    }
    return joined;
  }

  function influenceOfPart(p: number): Float64Array {
    const s = partStratum[p]!;
    const size = tasks[s]!;
    const n = partTasks[p]!;
    const factor = 1 / (strata * size * scale) / size;
    const from = p * rows;
    const at = s * rows;
    if (exact) for (let m = 0; m < rows; m += 1) line[m] = (partTotals[from + m]! * size - n * sums[at + m]!) * factor;
    else
      for (let m = 0; m < rows; m += 1)
        line[m] = Number(BigInt(partTotals[from + m]!) * BigInt(size) - BigInt(n) * bigSums[at + m]!) * factor;
    return line;
  }

  /** Sums q q' over copies of units, q = w n / N_s the weight of a copy of a part, then scales. */
  function leverages(counts: ArrayLike<number>): void {
    cross.fill(0);
    for (let p = 0; p < parts; p += 1) {
      const k = counts[p]!;
      if (k === 0) continue;
      const s = partStratum[p]!;
      const q = partTasks[p]! / tasks[s]! / strata;
      shares[p] = q;
      if (!own.linked) cross[s] = cross[s]! + k * q * q;
    }
    if (own.linked) linkedSums(counts);
    for (const u of own.order) {
      const k = counts[own.parts[own.start[u]!]!]!;
      out.scales[u] = k === 0 ? 0 : k * scaleOf(u);
    }
  }

  function linkedSums(counts: ArrayLike<number>): void {
    for (const u of own.order)
      for (let i = own.start[u]!; i < own.start[u + 1]!; i += 1) {
        const p = own.parts[i]!;
        const k = counts[p]!;
        if (k === 0) break;
        for (let j = own.start[u]!; j < own.start[u + 1]!; j += 1) {
          const at = place(p, own.parts[j]!);
          cross[at] = cross[at]! + k * shares[p]! * shares[own.parts[j]!]!;
        }
      }
  }

  /** Where the sum of q q' over units stands for the strata of two parts of one unit. */
  function place(p: number, other: number): number {
    return own.linked ? partStratum[p]! * strata + partStratum[other]! : partStratum[p]!;
  }

  /** Scale of one copy of a drawn unit; sets its weight. */
  function scaleOf(u: number): number {
    let a = 0;
    let remainder = 0;
    let others = 0;
    let alone = true;
    for (let i = own.start[u]!; i < own.start[u + 1]!; i += 1) {
      const p = own.parts[i]!;
      const q = shares[p]!;
      const size = tasks[partStratum[p]!]!;
      if (size !== partTasks[p]!) alone = false;
      a += q;
      remainder += q * ((size - partTasks[p]!) / size);
      for (let j = own.start[u]!; j < own.start[u + 1]!; j += 1) {
        const other = own.parts[j]!;
        const r = shares[other]!;
        // G_uj = sum_s q_us q_js / w: with w = 1 / S each q brings one S.
        others += strata * q * (strata * r) * (cross[place(p, other)]! - q * r);
      }
    }
    out.weights[u] = a;
    return alone ? 0 : (a * a) / (remainder * remainder + Math.max(0, others));
  }

  return { measure, influenceOf, order: own.order };
}

/** Lists the parts of every unit. */
export function partsByUnit({ count, ofPart }: Units): UnitParts {
  const start = new Int32Array(count + 1);
  for (const u of ofPart) start[u + 1] = start[u + 1]! + 1;
  const linked = start.some((size) => size > 1);
  for (let u = 0; u < count; u += 1) start[u + 1] = start[u + 1]! + start[u]!;
  const next = start.slice();
  const parts = new Int32Array(ofPart.length);
  const order: number[] = [];
  ofPart.forEach((u, p) => {
    if (next[u] === start[u]) order.push(u);
    parts[next[u]!] = p;
    next[u] = next[u]! + 1;
  });
  return { start, parts, linked, order: Int32Array.from(order) };
}

/** Tells whether no product D N or n D of any draw leaves the integers of doubles: a draw takes at most as many copies as there are parts. */
export function linearisesInDoubles(design: ClusterDesign, layout: Layout): boolean {
  let total = 1;
  let tasks = 1;
  for (const value of design.partTotals) total = Math.max(total, Math.abs(value));
  for (const n of design.partTasks) tasks = Math.max(tasks, n);
  return total * tasks * layout.parts < EXACT;
}

/** Totals of rows in strata as integers, strata x rows. */
function exactSums(design: ClusterDesign, counts: ArrayLike<number>): bigint[] {
  const { rows, strata, partStratum, partTotals } = design;
  const sums = new Array<bigint>(strata * rows).fill(0n);
  for (let p = 0; p < partStratum.length; p += 1)
    for (let m = 0; m < rows; m += 1) {
      const at = partStratum[p]! * rows + m;
      sums[at] = sums[at]! + BigInt(counts[p]!) * BigInt(partTotals[p * rows + m]!);
    }
  return sums;
}
