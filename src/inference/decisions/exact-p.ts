/** Integers; those past 2^53 stand in 64 bits. */
type Integers = Float64Array | BigInt64Array;

/** Hypothesis k is that rows `left[k]` and `right[k]` do not differ. */
export interface RowPairs {
  readonly left: ArrayLike<number>;
  readonly right: ArrayLike<number>;
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
  for (let i = 0, k = 0; i < rows; i += 1)
    for (let j = i + 1; j < rows; j += 1, k += 1) {
      left[k] = i;
      right[k] = j;
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
  const places = new Int32Array(clusters);
  const count = pairs.left.length;
  const differing = new Int32Array(count);
  const p = new Float64Array(count);
  for (let k = 0; k < count; k += 1) {
    const i = pairs.left[k]!;
    const j = pairs.right[k]!;
    const c = differingPlaces(words, clusters, i, j, places);
    differing[k] = c;
    if (c > most) continue;
    p[k] =
      byRow instanceof Float64Array && (observed === undefined || observed instanceof Float64Array)
        ? narrow(byRow, observed, clusters, i, j, places.subarray(0, c))
        : wide(byRow, observed, clusters, i, j, places.subarray(0, c));
  }
  return { differing, p };
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

/** Writes the clusters in which two rows differ into `places` and gives their number. Two words of 32 bits make one total. */
function differingPlaces(words: Int32Array, clusters: number, i: number, j: number, places: Int32Array): number {
  const a = 2 * i * clusters;
  const b = 2 * j * clusters;
  let c = 0;
  for (let k = 0; k < clusters; k += 1) {
    const at = 2 * k;
    if (words[a + at] !== words[b + at] || words[a + at + 1] !== words[b + at + 1]) places[c++] = k;
  }
  return c;
}

/** The exact p of a pair whose totals are numbers. */
function narrow(
  byRow: Float64Array,
  observed: Float64Array | undefined,
  clusters: number,
  i: number,
  j: number,
  places: Int32Array,
): number {
  const terms: number[] = [];
  let all = 0;
  let sum = 0;
  for (const c of places) {
    const d = byRow[i * clusters + c]! - byRow[j * clusters + c]!;
    terms.push(Math.abs(d));
    all += Math.abs(d);
    sum += d;
  }
  const reach = Math.abs(observed === undefined ? sum : observed[i]! - observed[j]!);
  return share({ terms, limit: Math.floor((all - reach) / 2), nothing: reach === 0, zero: 0, plus: addNumbers });
}

/** The exact p of a pair whose totals, or what they are compared with, fill 64 bits; by numbers where its own do not. */
function wide(
  byRow: Integers,
  observed: Integers | undefined,
  clusters: number,
  i: number,
  j: number,
  places: Int32Array,
): number {
  const terms: bigint[] = [];
  let all = 0n;
  let sum = 0n;
  for (const c of places) {
    const d = BigInt(byRow[i * clusters + c]!) - BigInt(byRow[j * clusters + c]!);
    terms.push(d < 0n ? -d : d);
    all += d < 0n ? -d : d;
    sum += d;
  }
  const difference = observed === undefined ? sum : BigInt(observed[i]!) - BigInt(observed[j]!);
  const reach = difference < 0n ? -difference : difference;
  const limit = (all - reach) >> 1n;
  const nothing = reach === 0n;
  return all < 1n << 53n && reach < 1n << 53n
    ? share({ terms: terms.map(Number), limit: Number(limit), nothing, zero: 0, plus: addNumbers })
    : share({ terms, limit, nothing, zero: 0n, plus: (a, b) => a + b });
}

const addNumbers = (a: number, b: number) => a + b;

interface Subsets<T extends number | bigint> {
  /** Positive. */
  readonly terms: readonly T[];
  readonly limit: T;
  /** The observed sum is 0, which every flipped sum reaches. */
  readonly nothing: boolean;
  readonly zero: T;
  readonly plus: (a: T, b: T) => T;
}

/**
 * The share of sign vectors that reach the observed sum. With B the sum of the terms and X that of those with a minus sign, a flipped sum is
 * B - 2 X; it reaches o > 0 where X is at most (B - o) / 2, the limit, and as often on the other side. X is a sum from one half of the
 * terms plus one from the other: both are listed in order, and two pointers count the pairs within the limit.
 */
function share<T extends number | bigint>({ terms, limit, nothing, zero, plus }: Subsets<T>): number {
  if (nothing) return 1;
  if (limit < zero) return 0;
  const middle = terms.length >> 1;
  const first = sumsWithin(terms, 0, middle, limit, zero, plus);
  const second = sumsWithin(terms, middle, terms.length, limit, zero, plus);
  let count = 0;
  let end = second.length;
  for (const sum of first) {
    while (end > 0 && plus(sum, second[end - 1]!) > limit) end -= 1;
    count += end;
  }
  return (2 * count) / 2 ** terms.length;
}

/** Sums of all subsets of the terms from `from` to before `to`, ascending, none above the limit. */
function sumsWithin<T extends number | bigint>(
  terms: readonly T[],
  from: number,
  to: number,
  limit: T,
  zero: T,
  plus: (a: T, b: T) => T,
): T[] {
  let sums: T[] = [zero];
  for (let k = from; k < to; k += 1) {
    const term = terms[k]!;
    const next: T[] = [];
    let at = 0;
    for (const sum of sums) {
      for (; at < sums.length; at += 1) {
        const moved = plus(sums[at]!, term);
        if (moved > sum) break;
        next.push(moved);
      }
      next.push(sum);
    }
    for (; at < sums.length; at += 1) {
      const moved = plus(sums[at]!, term);
      if (moved > limit) break;
      next.push(moved);
    }
    sums = next;
  }
  return sums;
}
