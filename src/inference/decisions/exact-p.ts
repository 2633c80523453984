import { differingCounter, type Integers } from './differing-clusters.js';

/** Hypothesis k is that rows `left[k]` and `right[k]` do not differ. */
export interface RowPairs {
  readonly left: Int32Array;
  readonly right: Int32Array;
}

export interface ExactTestOptions {
  /** Clusters x rows, cluster-major: what a sign multiplies (`flipTotals`, or the residuals of the centred test). */
  readonly totals: Integers;
  readonly rows: number;
  readonly pairs: RowPairs;
  /** The sign vectors of a pair are counted where they are no more than this; 0 for none, as where weights were rounded. */
  readonly flips: number;
  /** By row: what is compared with the flipped sums, where it is not the sum of the totals (the centred test). */
  readonly observed?: Integers;
}

/** What is known of each pair without a draw. */
export interface ExactTests {
  /** c: clusters whose total differs between the two rows. */
  readonly differing: Int32Array;
  /** Share of the 2^c sign vectors whose absolute sum reaches the observed one, so at least 2 / 2^c; 0 where they were not counted. */
  readonly p: Float64Array;
}

/** Most clusters of a pair whose sign vectors are counted: there are at most 2^31 flips. */
const MOST = 31;

/** Lists all pairs of the first `rows` rows, in `pairIndex` order. */
export function allPairs(rows: number): RowPairs {
  const count = (rows * (rows - 1)) / 2;
  const left = new Int32Array(count);
  const right = new Int32Array(count);
  const all = Int32Array.from({ length: rows }, (_, m) => m);
  for (let i = 0, k = 0; i < rows; i += 1) {
    const next = k + rows - 1 - i;
    left.fill(i, k, next);
    right.set(all.subarray(i + 1), k);
    k = next;
  }
  return { left, right };
}

/** Pairs each of the first `rows` rows with one row, such as that of chance. */
export function pairsWith(row: number, rows: number): RowPairs {
  return { left: Int32Array.from({ length: rows }, (_, m) => m), right: new Int32Array(rows).fill(row) };
}

/**
 * Counts the clusters in which two rows differ and, wherever those have no more sign vectors than there are flips, gives the exact
 * two-sided p of their sign-flip test (decisions 2.2). A cluster without difference changes no flipped sum and is left out.
 */
export function exactTests(options: ExactTestOptions): ExactTests {
  const { totals, rows, pairs, flips, observed } = options;
  const clusters = totals.length / rows;
  const byRow = rowMajor(totals, rows, clusters);
  const words = new Int32Array(byRow.buffer);
  let most = -1;
  while (most < MOST && 2 ** (most + 1) <= flips) most += 1;
  const differingOf = differingCounter(totals, rows);
  const places = new Int32Array(clusters);
  const scratch = halves(Math.min(most, clusters));
  const count = pairs.left.length;
  const differing = new Int32Array(count);
  const p = new Float64Array(count);
  const { numbers, distinct } = rowNumbers(words, clusters, rows, observed);
  // Of two rows that were met before in other places nothing is counted again.
  const first = 2 * distinct <= rows ? new Int32Array(distinct * distinct).fill(-1) : null;
  for (let k = 0; k < count; k += 1) {
    const i = pairs.left[k]!;
    const j = pairs.right[k]!;
    if (first !== null) {
      const cell = numbers[i]! * distinct + numbers[j]!;
      const before = first[cell]!;
      if (before >= 0) {
        differing[k] = differing[before]!;
        p[k] = p[before]!;
        continue;
      }
      first[cell] = k;
    }
    const c = differingOf(i, j);
    differing[k] = c;
    if (c > most) continue;
    differingPlaces(words, clusters, i, j, places);
    p[k] =
      byRow instanceof Float64Array && (observed === undefined || observed instanceof Float64Array)
        ? narrow(byRow, observed, i, j, places, c, scratch)
        : wide(byRow, observed, i, j, places, c, scratch);
  }
  return { differing, p };
}

/** Clusters past which rows are taken for different: hardly two are equal then. */
const FEW_CLUSTERS = 64;

/** Numbers the rows, equal ones alike; two words make one total. */
function rowNumbers(words: Int32Array, clusters: number, rows: number, observed: Integers | undefined) {
  const numbers = new Int32Array(rows);
  if (clusters > FEW_CLUSTERS) return { numbers, distinct: rows };
  const known = new Map<string, number>();
  for (let m = 0; m < rows; m += 1) {
    const key = `${words.subarray(2 * m * clusters, 2 * (m + 1) * clusters).join()} ${observed?.[m] ?? ''}`;
    const number = known.get(key) ?? known.size;
    known.set(key, number);
    numbers[m] = number;
  }
  return { numbers, distinct: known.size };
}

/** The totals, rows x clusters, without a negative zero: equal numbers have equal bits. */
function rowMajor(totals: Integers, rows: number, clusters: number): Integers {
  if (totals instanceof Float64Array) {
    const out = new Float64Array(totals.length);
    for (let c = 0; c < clusters; c += 1)
      for (let m = 0; m < rows; m += 1) out[m * clusters + c] = totals[c * rows + m]! + 0;
    return out;
  }
  const out = new BigInt64Array(totals.length);
  for (let c = 0; c < clusters; c += 1) for (let m = 0; m < rows; m += 1) out[m * clusters + c] = totals[c * rows + m]!;
  return out;
}

/** Writes the clusters in which two rows differ into `places`. Two words of 32 bits make one total. */
function differingPlaces(words: Int32Array, clusters: number, i: number, j: number, places: Int32Array): void {
  const a = 2 * i * clusters;
  const b = 2 * j * clusters;
  let c = 0;
  for (let k = 0; k < clusters; k += 1) {
    const at = 2 * k;
    if (words[a + at] !== words[b + at] || words[a + at + 1] !== words[b + at + 1]) places[c++] = k;
  }
}

/** Room for the sums of both halves of a pair's differences, and for a list that is being made. */
interface Halves {
  readonly terms: Float64Array;
  readonly first: [Float64Array, Float64Array];
  readonly second: [Float64Array, Float64Array];
}

function halves(most: number): Halves {
  const room = () => new Float64Array(2 ** Math.ceil(Math.max(0, most) / 2));
  return { terms: new Float64Array(Math.max(0, most)), first: [room(), room()], second: [room(), room()] };
}

/** The exact p of a pair whose totals are numbers; `count` places differ. */
function narrow(
  byRow: Float64Array,
  observed: Float64Array | undefined,
  i: number,
  j: number,
  places: Int32Array,
  count: number,
  scratch: Halves,
): number {
  const clusters = places.length;
  let all = 0;
  let sum = 0;
  for (let k = 0; k < count; k += 1) {
    const d = byRow[i * clusters + places[k]!]! - byRow[j * clusters + places[k]!]!;
    scratch.terms[k] = Math.abs(d);
    all += Math.abs(d);
    sum += d;
  }
  return share(scratch, count, all, Math.abs(observed === undefined ? sum : observed[i]! - observed[j]!));
}

/** The exact p of a pair whose totals, or what they are compared with, fill 64 bits; by numbers where the differences do not. */
function wide(
  byRow: Integers,
  observed: Integers | undefined,
  i: number,
  j: number,
  places: Int32Array,
  count: number,
  scratch: Halves,
): number {
  const clusters = places.length;
  const size = (x: bigint) => (x < 0n ? -x : x);
  const at = (values: Integers, a: number, b: number) => BigInt(values[a]!) - BigInt(values[b]!);
  const differences = Array.from(places.subarray(0, count), (c) => at(byRow, i * clusters + c, j * clusters + c));
  const all = differences.reduce((total, d) => total + size(d), 0n);
  const reach = size(observed === undefined ? differences.reduce((a, b) => a + b, 0n) : at(observed, i, j));
  if (all < 1n << 53n && reach < 1n << 53n) {
    scratch.terms.set(differences.map((d) => Number(size(d))));
    return share(scratch, count, Number(all), Number(reach));
  }
  return wideShare(differences.map(size), all, reach);
}

/**
 * The share of sign vectors that reach the observed sum `reach`. With B the sum of all terms and X that of those with a minus sign, a flipped sum
 * is B - 2 X; it reaches o > 0 where X is at most (B - o) / 2, the limit, and as often on the other side. X is a sum from one half of the
 * terms plus one from the other: both are listed in order, and two pointers count the pairs within the limit.
 */
function share({ terms, first, second }: Halves, count: number, all: number, reach: number): number {
  if (reach === 0) return 1;
  const limit = Math.floor((all - reach) / 2);
  if (limit < 0) return 0;
  const middle = count >> 1;
  const [low, ofLow] = sumsWithin(terms, 0, middle, limit, first);
  const [high, ofHigh] = sumsWithin(terms, middle, count, limit, second);
  let within = 0;
  let end = ofHigh;
  for (let k = 0; k < ofLow && end > 0; k += 1) {
    while (end > 0 && low[k]! + high[end - 1]! > limit) end -= 1;
    within += end;
  }
  return (2 * within) / 2 ** count;
}

/** Sums of all subsets of the terms from `from` to before `to`, ascending, none above the limit: a list and its length. */
function sumsWithin(
  terms: Float64Array,
  from: number,
  to: number,
  limit: number,
  [room, other]: Halves['first'],
): [Float64Array, number] {
  let sums = room;
  let next = other;
  let length = 1;
  sums[0] = 0;
  for (let k = from; k < to; k += 1) {
    const term = terms[k]!;
    let at = 0;
    let end = 0;
    for (let a = 0; a < length; a += 1) {
      const sum = sums[a]!;
      for (; sums[at]! + term <= sum; at += 1) next[end++] = sums[at]! + term;
      next[end++] = sum;
    }
    for (; at < length && sums[at]! + term <= limit; at += 1) next[end++] = sums[at]! + term;
    [sums, next] = [next, sums];
    length = end;
  }
  return [sums, length];
}

/** `share` for terms past 2^53, which are rare: the sums of either half are sorted as they come. */
function wideShare(terms: readonly bigint[], all: bigint, reach: bigint): number {
  if (reach === 0n) return 1;
  const limit = (all - reach) >> 1n;
  const sums = (some: readonly bigint[]) =>
    BigInt64Array.from(some.reduce((before, term) => before.concat(before.map((sum) => sum + term)), [0n])).sort();
  const middle = terms.length >> 1;
  const high = sums(terms.slice(middle));
  let within = 0;
  let end = high.length;
  for (const sum of sums(terms.slice(0, middle))) {
    while (end > 0 && sum + high[end - 1]! > limit) end -= 1;
    within += end;
  }
  return (2 * within) / 2 ** terms.length;
}
