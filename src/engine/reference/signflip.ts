import type { FlipTotals, Integers } from '../bounds.js';
import { type ClusterDesign, pairCount, pairIndex } from '../design.js';
import type { FlipRequest } from '../engine.js';
import { signBits } from '../numpy.js';
import { pcg64 } from '../pcg64.js';
import { philoxDraw } from '../philox.js';
import { checkSignal, yieldToEvents } from '../signals.js';

/** Makes the sign vectors (C entries of +1 or -1) of draws 0, 1, ... of a request (statistics 3.3, 3.7). */
export function* flipSigns(clusters: number, request: FlipRequest): Generator<Int8Array> {
  const { draws, first = 0, random } = request;
  if (random.kind === 'philox') {
    for (let draw = first; draw < first + draws; draw++)
      yield philoxDraw({ seed: random.seed, stream: random.stream, draw }).signs(clusters);
    return;
  }
  const source = pcg64(random.seed);
  for (let start = 0; start < draws; start += random.batch) {
    const count = Math.min(random.batch, draws - start);
    const bits = signBits(source, count * clusters);
    for (let draw = 0; draw < count; draw++)
      yield Int8Array.from(bits.subarray(draw * clusters, (draw + 1) * clusters), (b) => 2 * b - 1);
  }
}

/** Makes all 2^C sign vectors; vector k has +1 where bit c of k is set (statistics 6.6). */
export function* allSigns(clusters: number): Generator<Int8Array> {
  for (let k = 0; k < 2 ** clusters; k++)
    yield Int8Array.from({ length: clusters }, (_, c) => ((k >>> c) & 1 ? 1 : -1));
}

/** Adds up the totals under a sign vector. */
export function flippedSums(totals: Integers, rows: number, signs: Int8Array): Integers {
  if (totals instanceof Float64Array) {
    const sums = new Float64Array(rows);
    signs.forEach((sign, c) => {
      for (let m = 0; m < rows; m++) sums[m]! += sign * totals[c * rows + m]!;
    });
    return sums;
  }
  const sums = new BigInt64Array(rows);
  signs.forEach((sign, c) => {
    for (let m = 0; m < rows; m++) sums[m]! += BigInt(sign) * totals[c * rows + m]!;
  });
  return sums;
}

/** Takes the absolute value. */
export const absolute = <T extends number | bigint>(x: T): T => (x < 0 ? (-x as T) : x);
/** Subtracts one sum from another. */
export const difference = (sums: Integers, i: number, j: number): number | bigint =>
  sums instanceof Float64Array ? sums[i]! - sums[j]! : sums[i]! - sums[j]!;

/**
 * Forms the reciprocal of the root sum of squares of each ranked pair's cluster totals; 0 where all are zero. Squares are added
 * in f64 in cluster order, so that every backend gets the same digits (statistics 6.7).
 */
export function inverseRootSquares(totals: Integers, rows: number, ranked: number): Float64Array {
  const out = new Float64Array(pairCount(ranked));
  for (let i = 0; i < ranked; i++) {
    for (let j = i + 1; j < ranked; j++) {
      let squares = 0;
      for (let at = 0; at < totals.length; at += rows) {
        const d = Number(difference(totals, at + i, at + j));
        squares += d * d;
      }
      out[pairIndex(i, j, ranked)] = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    }
  }
  return out;
}

/** Exceedances of pairs and rows, and of max-T where it was asked for. */
export interface FlipTally {
  readonly pairs: Float64Array;
  readonly rows: Float64Array;
  readonly maxT: Float64Array | null;
}

/**
 * Counts, over the given sign vectors, the draws that reach what was observed (statistics 6.3, 6.7).
 *
 * Errors: ABORTED once the signal is raised.
 */
export async function countFlips(
  design: ClusterDesign,
  weighted: FlipTotals,
  signs: Iterable<Int8Array>,
  request: { readonly maxT?: boolean; readonly signal?: AbortSignal },
): Promise<FlipTally> {
  const { rows: m, ranked } = design;
  const { totals, observed } = weighted;
  const inverse = inverseRootSquares(totals, m, request.maxT ? ranked : 0);
  const largest = (sums: Integers): number => {
    let t = 0;
    for (let i = 0; i < ranked; i++)
      for (let j = i + 1; j < ranked; j++)
        t = Math.max(t, Number(absolute(difference(sums, i, j))) * inverse[pairIndex(i, j, ranked)]!);
    return t;
  };
  const pairs = new Float64Array(pairCount(m));
  const rows = new Float64Array(m);
  const maxima: number[] = [];
  let draw = 0;
  for (const vector of signs) {
    if (draw++ % 256 === 0) {
      await yieldToEvents();
      checkSignal(request.signal);
    }
    const sums = flippedSums(totals, m, vector);
    for (let i = 0; i < m; i++) {
      if (absolute(sums[i]!) >= absolute(observed[i]!)) rows[i]!++;
      for (let j = i + 1; j < m; j++)
        if (absolute(difference(sums, i, j)) >= absolute(difference(observed, i, j))) pairs[pairIndex(i, j, m)]!++;
    }
    if (request.maxT) maxima.push(largest(sums));
  }
  if (!request.maxT) return { pairs, rows, maxT: null };
  const maxT = new Float64Array(pairCount(ranked));
  for (let i = 0; i < ranked; i++) {
    for (let j = i + 1; j < ranked; j++) {
      const at = pairIndex(i, j, ranked);
      const t = Number(absolute(difference(observed, i, j))) * inverse[at]!;
      maxT[at] = inverse[at] === 0 ? draw : maxima.filter((value) => value >= t).length;
    }
  }
  return { pairs, rows, maxT };
}
