import { gcd } from '../../util/divisor.js';
import type { LinearTotals, TestTotals } from '../bounds.js';
import { type Derivation, derivation } from '../derived-design.js';
import type { ClusterDesign } from '../design.js';
import { type RandomSource, sameStream } from '../engine.js';
import { type EarlierRest, type NarrowTotals, narrowTotals, restTotals, sameRest } from '../flip-rest.js';
import type { Arena } from './arena.js';
import type { FlipJob } from './flip-job.js';
import { flipScratch, keptSums, type Sums, scratchPlaces, signSource } from './flip-sums.js';
import { prepareFlips } from './flip-tables.js';
import { KEPT_SUM_BYTES } from './kept-sums.js';
import { type Runner, ranges } from './runner.js';

/** Most bytes of flipped sums that are kept, in the room of the arena behind those of bootstraps. */
export const KEPT_FLIP_BYTES = 128 * 2 ** 20;
/** Draws that are weighed in a call: an engine of WebAssembly makes code faster between calls, not in one. */
const TOGETHER = 2048;
const WIDE = 2 ** 63;

/** Flips whose sums are asked for. */
export interface KeptRequest {
  readonly arena: Arena;
  readonly runner: Runner;
  readonly design: ClusterDesign;
  readonly weighted: TestTotals;
  readonly draws: number;
  readonly random: RandomSource | null;
  readonly signal: AbortSignal | undefined;
}

/** Flipped sums of strata, from which those of a test follow. */
export interface StratumSums {
  /** Leaves the sums of all draws where it is told, i64. Uses the memory of the arena for a while. */
  weigh(to: Sums): Promise<void>;
}

/** Finds flipped sums of strata, kept or made; null where the sums of the test do not follow from them in 64 bits. */
export type FlipKeeper = (request: KeptRequest) => Promise<StratumSums | null>;

/** Sums of flips that are kept. */
interface KeptSums {
  readonly address: number;
  /** Bytes of a draw. */
  readonly stride: number;
}

/** What rounding left of the totals of a test, flipped as its strata are. */
interface KeptRest extends KeptSums, EarlierRest {}

/** Flips whose sums are kept, and what they were made of. */
interface KeptFlips extends KeptSums {
  readonly design: ClusterDesign;
  readonly draws: number;
  readonly random: RandomSource;
  /** The last rest; null until a test is rounded. */
  rest: KeptRest | null;
}

/** Totals of clusters by stratum and row, the tasks of each stratum as one row more; null where a sum may pass 32 bits. */
function stratumTotals({ rows, clusters, strata, partCluster, partStratum, partTasks, partTotals }: ClusterDesign) {
  const width = rows + 1;
  const lanes = strata * width;
  const totals = new Float64Array(clusters * lanes);
  partCluster.forEach((c, p) => {
    const lane = partStratum[p]! * width;
    for (let m = 0; m < width; m++)
      totals[c * lanes + lane + m]! += m < rows ? partTotals[p * rows + m]! : partTasks[p]!;
  });
  return narrowTotals(totals, lanes);
}

const keptAt = ({ room }: Arena): number => room + KEPT_SUM_BYTES;

/** Flips totals and leaves the sums of all draws behind `before` bytes of what is kept; null where there is no room. */
async function flipTotals(
  { arena, runner, design, draws, random, signal }: KeptRequest,
  { totals, lanes, bound }: NarrowTotals,
  before: number,
): Promise<KeptSums | null> {
  arena.reset();
  const prepared = prepareFlips(
    arena,
    { ...design, rows: lanes, ranked: 0 },
    {
      ...{ totals, bound, observed: new Float64Array(lanes), amongFlips: true, accumulator: 'i32' },
      weights: { kind: 'exact', relativeError: 0 },
    },
    false,
    { tables: true, small: false },
  );
  const { tables } = prepared;
  const source = signSource(random);
  const at = scratchPlaces(tables, source);
  const { sumStride } = keptSums(0, tables, at, 0);
  if (before + draws * sumStride > KEPT_FLIP_BYTES) return null;
  const kept = keptAt(arena) + before;
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(flipScratch(tables, source)));
  const cost = 20 + tables.clusters * (tables.lanes * 0.004 + 0.05);
  const jobs = ranges(draws, cost, runner.lanes).map(
    (range): FlipJob => ({
      ...{ kind: 'flips', tables, source, ...range, maximaOnly: false, bounds: 0, kept, sums: 'only' },
    }),
  );
  await runner.run(jobs, scratch, { signal });
  return { address: kept, stride: sumStride };
}

/** Flips the strata of a design. */
async function flipStrata(request: KeptRequest): Promise<KeptFlips | null> {
  const { design, draws, random } = request;
  const totals = stratumTotals(design);
  const sums = totals && (await flipTotals(request, totals, 0));
  return sums && { ...sums, design, draws, random: random!, rest: null };
}

/** A rest, and the lane of it that each row takes. */
interface TakenRest {
  readonly rest: KeptRest;
  readonly lanes: Int32Array;
}

/** Finds what rounding left, as it was kept or flipped now; null where it does not fit. */
async function restOf(request: KeptRequest, kept: KeptFlips, how: Derivation): Promise<TakenRest | null> {
  const of = restTotals(request.design, request.weighted);
  if (!of) return null;
  const same = kept.rest && sameRest(kept.rest, of, how);
  if (same) return { rest: kept.rest!, lanes: same };
  // What stood there is gone even where this stops half-way.
  kept.rest = null;
  const sums = await flipTotals(request, of, kept.draws * kept.stride);
  if (!sums) return null;
  const rest = { ...sums, of, laneOf: new Map(Array.from(how.rows, (row, m) => [row, m])) };
  kept.rest = rest;
  return { rest, lanes: Int32Array.from(how.rows, (_, m) => m) };
}

/** The inverse of an odd number modulo 2^64, and how often 2 divides: what a division that leaves nothing multiplies by and shifts by. */
function exactDivision(divisor: bigint): { readonly shift: number; readonly inverse: bigint } {
  let shift = 0;
  let odd = divisor;
  for (; (odd & 1n) === 0n; shift++) odd >>= 1n;
  let inverse = odd;
  // Each step doubles the bits that are right; an odd number is its own inverse modulo 8.
  for (let bits = 3; bits < 64; bits *= 2) inverse = BigInt.asIntN(64, inverse * (2n - odd * inverse));
  return { shift, inverse };
}

/** Divides scales, centres and divisor by what divides all of them, which most often leaves 1. */
function reduced(linear: LinearTotals): LinearTotals {
  const { scale, centre, divisor } = linear;
  let common = divisor;
  for (const x of [...scale, ...centre]) if (common !== 1n && x !== 0n) common = gcd(common, x < 0n ? -x : x);
  if (common === 1n) return linear;
  const less = (values: readonly bigint[]) => values.map((x) => x / common);
  return { ...linear, scale: less(scale), centre: less(centre), divisor: divisor / common };
}

/** Finds how the totals of a request follow from those of flips of the same stream; null where they do not. */
function sameFlips(of: Pick<KeptRequest, 'design' | 'draws' | 'random'>, request: KeptRequest): Derivation | null {
  const { design, draws, random } = request;
  const same = of.draws === draws && of.random && random && sameStream(of.random, random);
  return same ? derivation(of.design, design) : null;
}

/** Puts a factor modulo 2^64: its lower 32 bits as a signed number, and four places on what its upper ones are besides. */
function putFactor(to: Int32Array, at: number, factor: bigint): void {
  const lower = BigInt.asIntN(32, factor);
  to[at] = Number(lower);
  to[at + 4] = Number(BigInt.asIntN(32, (factor - lower) >> 32n));
}

/** Weighs kept sums into those of a test. */
async function weighed(
  { arena, design }: KeptRequest,
  { scale, centre, divisor }: LinearTotals,
  { design: of, address, stride, draws }: KeptFlips,
  { rows, factors }: Derivation,
  left: TakenRest | null,
  to: Sums,
): Promise<void> {
  const { strata } = design;
  const mark = arena.mark();
  const lanes = Math.ceil(design.rows / 4) * 4;
  const factorsAt = new Int32Array(lanes * strata * 4);
  const sources = new Int32Array(2 * lanes);
  for (let m = 0; m < design.rows; m++) {
    const at = 8 * (m >> 2) + (m & 3);
    sources[at] = rows[m]!;
    sources[at + 4] = left?.lanes[m] ?? 0;
    for (let s = 0; s < strata; s++) {
      const to = 16 * ((m >> 2) * strata + s) + (m & 3);
      putFactor(factorsAt, to, scale[s]! * BigInt(factors[s]!));
      putFactor(factorsAt, to + 8, -centre[s * design.rows + m]!);
    }
  }
  const { shift, inverse } = exactDivision(divisor);
  const same = {
    ...{ strata, width: of.rows + 1, rows: lanes, shift, sumStride: stride, outStride: to.sumStride },
    sources: arena.put(sources),
    factors: arena.put(factorsAt),
    inverse: arena.put(BigInt64Array.of(inverse)),
    restStride: left?.rest.stride ?? 0,
  };
  for (let first = 0; first < draws; first += TOGETHER)
    arena.kernels.weighSums({
      ...same,
      draws: Math.min(TOGETHER, draws - first),
      sums: address + first * stride,
      rest: left ? left.rest.address + first * left.rest.stride : 0,
      out: to.sums + first * to.sumStride,
    });
  arena.reset(mark);
}

/**
 * Opens a keeper of the flipped sums of the strata of the last design that flips were made of: what a test with strata flips is linear in them, so that
 * both tests, other weights of strata and a model left out need no sign and no sum again. Counts are those that flips give, since the integers are.
 */
export function keptFlips(): FlipKeeper {
  let kept: KeptFlips | null = null;
  let passed: KeptRequest | null = null;
  return async (request) => {
    const { design, weighted, random } = request;
    const { accumulator, bound } = weighted;
    if (accumulator !== 'i64' || random?.kind !== 'philox') return null;
    const linear = reduced(weighted.linear);
    // Whatever a sum is, an odd divisor takes it back to what 64 bits hold; of an even one the upper bits count.
    if (linear.divisor % 2n === 0n && bound * Number(linear.divisor) >= WIDE) return null;
    let how = kept && sameFlips(kept, request);
    if (!how) {
      // Strata and a rest cost more than the rounded totals: where others are kept, these wait until they are asked for again.
      if (linear.rounded && kept && !(passed && sameFlips(passed, request))) {
        passed = request;
        return null;
      }
      // What stood there is gone even where this stops half-way.
      kept = null;
      kept = await flipStrata(request);
      if (!kept) return null;
      how = derivation(design, design)!;
    }
    const from = kept!;
    const left = linear.rounded ? await restOf(request, from, how) : null;
    if (linear.rounded && !left) return null;
    return { weigh: (to) => weighed(request, linear, from, how, left, to) };
  };
}
