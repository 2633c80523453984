import { gcd } from '../../util/divisor.js';
import type { FlipTotals, LinearTotals } from '../bounds.js';
import { type Derivation, derivation } from '../derived-design.js';
import type { ClusterDesign } from '../design.js';
import { type RandomSource, sameStream } from '../engine.js';
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
const NARROW = 2 ** 31;
const WIDE = 2 ** 63;

/** Flips whose sums are asked for. */
export interface KeptRequest {
  readonly arena: Arena;
  readonly runner: Runner;
  readonly design: ClusterDesign;
  readonly weighted: FlipTotals;
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

/** Flips whose sums are kept, and what they were made of. */
interface KeptFlips {
  readonly design: ClusterDesign;
  readonly draws: number;
  readonly random: RandomSource;
  /** Bytes of a draw: i32, the rows of each stratum, then its tasks. */
  readonly stride: number;
}

/** Totals of clusters by stratum and row, the tasks of each stratum as one row more; null where a sum may pass 32 bits. */
function stratumTotals({ rows, clusters, strata, partCluster, partStratum, partTasks, partTotals }: ClusterDesign) {
  const width = rows + 1;
  const lanes = strata * width;
  const totals = new Float64Array(clusters * lanes);
  const sizes = new Float64Array(lanes);
  partCluster.forEach((c, p) => {
    const lane = partStratum[p]! * width;
    for (let m = 0; m < width; m++) {
      const total = m < rows ? partTotals[p * rows + m]! : partTasks[p]!;
      totals[c * lanes + lane + m]! += total;
      sizes[lane + m]! += Math.abs(total);
    }
  });
  const bound = sizes.reduce((most, size) => Math.max(most, size), 0);
  return bound < NARROW ? { totals, lanes, bound } : null;
}

const keptAt = ({ room }: Arena): number => room + KEPT_SUM_BYTES;

/** Flips the strata of a design. */
async function flipStrata({ arena, runner, design, draws, random, signal }: KeptRequest): Promise<KeptFlips | null> {
  const made = stratumTotals(design);
  if (!made) return null;
  const { totals, lanes, bound } = made;
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
  if (draws * sumStride > KEPT_FLIP_BYTES) return null;
  const kept = keptAt(arena);
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(flipScratch(tables, source)));
  const cost = 20 + tables.clusters * (tables.lanes * 0.004 + 0.05);
  const jobs = ranges(draws, cost, runner.lanes).map(
    (range): FlipJob => ({
      ...{ kind: 'flips', tables, source, ...range, maximaOnly: false, bounds: 0, kept, sums: 'only' },
    }),
  );
  await runner.run(jobs, scratch, { signal });
  return { design, draws, random: random!, stride: sumStride };
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
function reduced({ scale, centre, divisor }: LinearTotals): LinearTotals {
  let common = divisor;
  for (const x of [...scale, ...centre]) if (common !== 1n && x !== 0n) common = gcd(common, x < 0n ? -x : x);
  if (common === 1n) return { scale, centre, divisor };
  const less = (values: readonly bigint[]) => values.map((x) => x / common);
  return { scale: less(scale), centre: less(centre), divisor: divisor / common };
}

/** Weighs kept sums into those of a test. */
async function weighed(
  { arena, design }: KeptRequest,
  { scale, centre, divisor }: LinearTotals,
  { design: of, stride, draws }: KeptFlips,
  { rows, factors }: Derivation,
  to: Sums,
): Promise<void> {
  const { strata } = design;
  const mark = arena.mark();
  const lanes = Math.ceil(design.rows / 4) * 4;
  const coefficients = new BigInt64Array(lanes * strata * 2);
  const sources = new Uint32Array(lanes);
  sources.set(rows);
  for (let m = 0; m < design.rows; m++)
    for (let s = 0; s < strata; s++) {
      const at = 2 * (m * strata + s);
      coefficients[at] = BigInt.asIntN(64, scale[s]! * BigInt(factors[s]!));
      coefficients[at + 1] = BigInt.asIntN(64, -centre[s * design.rows + m]!);
    }
  const { shift, inverse } = exactDivision(divisor);
  const same = {
    ...{ strata, width: of.rows + 1, rows: lanes, shift, sumStride: stride, outStride: to.sumStride },
    sources: arena.put(sources),
    factors: arena.put(coefficients),
    inverse: arena.put(BigInt64Array.of(inverse)),
  };
  for (let first = 0; first < draws; first += TOGETHER)
    arena.kernels.weighSums({
      ...same,
      draws: Math.min(TOGETHER, draws - first),
      sums: keptAt(arena) + first * stride,
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
  return async (request) => {
    const { design, weighted, draws, random } = request;
    const { accumulator, bound } = weighted;
    if (accumulator !== 'i64' || !weighted.linear || random?.kind !== 'philox') return null;
    const linear = reduced(weighted.linear);
    // Whatever a sum is, an odd divisor takes it back to what 64 bits hold; of an even one the upper bits count.
    if (linear.divisor % 2n === 0n && bound * Number(linear.divisor) >= WIDE) return null;
    const same = kept?.draws === draws && sameStream(kept.random, random);
    let how = same ? derivation(kept!.design, design) : null;
    if (!how) {
      // What stood there is gone even where this stops half-way.
      kept = null;
      kept = await flipStrata(request);
      if (!kept) return null;
      how = derivation(design, design)!;
    }
    const from = kept!;
    return { weigh: (to) => weighed(request, linear, from, how, to) };
  };
}
