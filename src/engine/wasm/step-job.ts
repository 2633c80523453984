import { BLOCK_DRAWS } from '../moments.js';
import type { Kernels } from './kernels.js';

/** A tile of draws in kernel memory, draw-major (assembly/stepdown.ts). */
export interface Tile {
  readonly exact: number;
  /** Bytes of a draw. */
  readonly exactStride: number;
  /** i64 instead of f64. */
  readonly whole: boolean;
  /** Number of its first draw. */
  readonly first: number;
  readonly draws: number;
  readonly ranked: number;
  /** Lanes of tables of pairs: `ranked`, padded to a multiple of 4. */
  readonly lanes: number;
}

/** Bytes of a draw: whole cache lines, an odd number of them, so that draws do not share cache sets. */
export function drawBytes(cells: number, cellBytes: number): number {
  const lines = Math.ceil((cells * cellBytes) / 64);
  return (lines + 1 - (lines % 2)) * 64;
}

/** Turns row-major values of draws first .. first + count - 1 of a tile into rows less their centres. */
interface CentreJob {
  readonly kind: 'centre';
  readonly tile: Tile;
  readonly first: number;
  readonly count: number;
  /** Row-major f64, from the first draw of the tile on. */
  readonly values: number;
  readonly stride: number;
  /** f64 a row. */
  readonly centres: number;
}

/** Adds the squares of a tile to those of the tiles before, for rows from .. to - 1; blocks of draws begin where the tile does. */
interface SquaresJob {
  readonly kind: 'squares';
  readonly tile: Tile;
  readonly from: number;
  readonly to: number;
  /** ranked x lanes f64: sums of the block, of the tiles before, and of these with this one. */
  readonly block: number;
  readonly before: number;
  readonly totals: number;
}

/** Where the tables of bounded maxima lie. */
export interface BoundTables {
  /** ranked x lanes f32. */
  readonly inverse: number;
  /** ranked f64: the largest of each row. */
  readonly largestInverse: number;
  readonly from: number;
  readonly to: number;
  /** f32, a row for each of from .. to - 1; 0: not wanted. */
  readonly rowBounds: number;
  readonly boundStride: number;
  /** f32 a draw; 0: not wanted. */
  readonly most: number;
  /** Compare a row with later ones alone. */
  readonly later: boolean;
}

/** Bounds the maxima of draws first .. first + count - 1 of a tile. */
interface BoundsJob {
  readonly kind: 'bounds';
  readonly tile: Tile;
  readonly first: number;
  readonly count: number;
  readonly tables: BoundTables;
}

/** Where families of pairs lie: each has bounds, a number of bounds that are wanted, and a threshold that comes of it. */
export interface FamilyTables {
  readonly draws: number;
  readonly bounds: number;
  readonly boundStride: number;
  /** i32 a family; 0: none. */
  readonly wanted: number;
  /** f64 a family. */
  readonly thresholds: number;
  /** ranked x lanes, or families x lanes, f64. */
  readonly up: number;
  /** families x lanes f64; 0 for all pairs at once. */
  readonly down: number;
  /** f64, `levelStride` bytes a family. */
  readonly levels: number;
  readonly levelStride: number;
  /** i32 a family. */
  readonly levelCounts: number;
  /** u32, `countStride` bytes a family. */
  readonly counts: number;
  readonly countStride: number;
  /** i32 a family. */
  readonly above: number;
}

/** Finds the thresholds of families first .. first + count - 1. */
interface ThresholdJob {
  readonly kind: 'thresholds';
  readonly families: FamilyTables;
  readonly first: number;
  readonly count: number;
}

/** Tallies draws first .. first + count - 1 of a tile over all pairs; counts and `above` are the job's own. */
interface PairsJob {
  readonly kind: 'tally-pairs';
  /** Both orders of a pair are hypotheses, or its size is one. */
  readonly ordered: boolean;
  readonly tile: Tile;
  readonly families: FamilyTables;
  readonly first: number;
  readonly count: number;
}

/** What step-down runs on threads. */
export type StepJob = CentreJob | SquaresJob | BoundsJob | ThresholdJob | PairsJob;

/** Bytes of a tile that are gone through before the next rows: they stay in the second-level cache. */
const CHUNK_BYTES = 262_144;
/** The same where little is done with a draw: they stay near the first-level cache. */
const NEAR_BYTES = 16_384;
/** Bytes of a draw in f32 that are gone through together (assembly/stepdown.ts). */
const COARSE_BLOCK = 1024;
const HISTOGRAM_BYTES = 8192 * 4;

const chunkOf = (bytes: number, stride: number, most: number): number =>
  Math.max(4, Math.min(most, Math.floor(bytes / stride / 4) * 4));

const coarseChunk = ({ ranked }: Tile): number =>
  chunkOf(NEAR_BYTES, Math.min(COARSE_BLOCK, drawBytes(ranked, 4)), BLOCK_DRAWS);

/** Finds the bytes of scratch that any step job on a tile needs. */
export function stepScratch(tile: Tile): number {
  const coarse = coarseChunk(tile) * drawBytes(tile.ranked, 4);
  return Math.max(HISTOGRAM_BYTES, coarse + tile.lanes * 16, tile.draws * 4 + 64);
}

function runSquares(kernels: Kernels, memory: WebAssembly.Memory, job: SquaresJob): void {
  const { tile, from, to, block, before, totals } = job;
  const { exact, exactStride, draws, lanes } = tile;
  const rowBytes = lanes * 8;
  const cells = (to - from) * lanes;
  const own = from * rowBytes;
  const view = (at: number): Float64Array => new Float64Array(memory.buffer, at + own, cells);
  view(block).fill(0);
  view(totals).set(view(before));
  const chunk = 2 ** Math.floor(Math.log2(chunkOf(CHUNK_BYTES, exactStride, BLOCK_DRAWS)));
  for (let done = 0; done < draws; done += chunk) {
    const now = Math.min(chunk, draws - done);
    kernels.pairSquares({ exact: exact + done * exactStride, exactStride, draws: now, lanes, from, to, block });
    const end = done + now;
    if (end % BLOCK_DRAWS === 0 || end === draws)
      kernels.closeBlock({ block: block + own, totals: totals + own, count: cells });
  }
}

/** Half a unit in the last place of an f32, and a little more. */
const COARSE_UNIT = 1.01 * 2 ** -24;

function runBounds(kernels: Kernels, memory: WebAssembly.Memory, job: BoundsJob, scratch: number): void {
  const { tile, first, count, tables } = job;
  const { exactStride, ranked, lanes, whole } = tile;
  const { from, to, inverse, largestInverse, rowBounds, boundStride, most, later } = tables;
  const coarseStride = drawBytes(ranked, 4);
  const chunk = coarseChunk(tile);
  const largest = scratch + chunk * coarseStride;
  const slack = largest + lanes * 8;
  const sizes = new Float64Array(memory.buffer, largest, ranked);
  const slacks = new Float64Array(memory.buffer, slack, ranked);
  const inverses = new Float64Array(memory.buffer, largestInverse, ranked);
  for (let done = 0; done < count; done += chunk) {
    const draws = Math.min(chunk, count - done);
    const exact = tile.exact + (first + done) * exactStride;
    sizes.fill(0);
    kernels.coarseRows({ exact, exactStride, draws, lanes, whole, coarse: scratch, coarseStride, largest });
    let most0 = 0;
    for (const size of sizes) most0 = Math.max(most0, size);
    for (let j = from; j < to; j++) slacks[j - from] = COARSE_UNIT * inverses[j]! * (sizes[j]! + most0);
    const at = (tile.first + first + done) * 4;
    kernels.boundMaxima({
      coarse: scratch,
      coarseStride,
      draws,
      lanes,
      from,
      to,
      inverse,
      slack,
      rowBounds: rowBounds ? rowBounds + at : 0,
      boundStride,
      most: most ? most + at : 0,
      later,
    });
  }
}

function runThresholds(kernels: Kernels, memory: WebAssembly.Memory, job: ThresholdJob, scratch: number): void {
  const { families, first, count } = job;
  const { draws, boundStride } = families;
  const wanted = new Int32Array(memory.buffer, families.wanted);
  const thresholds = new Float64Array(memory.buffer, families.thresholds);
  for (let f = first; f < first + count; f++) {
    const bounds = families.bounds + f * boundStride;
    if (wanted[f]! > 0) thresholds[f] = kernels.boundThreshold({ bounds, draws, wanted: wanted[f]!, scratch });
  }
}

function runPairs(kernels: Kernels, memory: WebAssembly.Memory, job: PairsJob, scratch: number): void {
  const { tile, families, first, count } = job;
  const { exactStride, whole, ranked, lanes } = tile;
  const { up, levels, counts } = families;
  const levelCount = new Int32Array(memory.buffer, families.levelCounts, 1)[0]!;
  new Uint32Array(memory.buffer, counts, levelCount + 1).fill(0);
  new Int32Array(memory.buffer, families.above, 1)[0] = kernels.tallyPairs({
    exact: tile.exact + first * exactStride,
    exactStride,
    draws: count,
    whole,
    ranked,
    lanes,
    up,
    bounds: families.bounds + (tile.first + first) * 4,
    threshold: new Float64Array(memory.buffer, families.thresholds, 1)[0]!,
    levels,
    levelCount,
    counts,
    ordered: job.ordered,
    scratch,
  });
}

/** Runs a step job in the given scratch; run again from its start it leaves the same behind. */
export function runStepJob(kernels: Kernels, memory: WebAssembly.Memory, job: StepJob, scratch: number): undefined {
  switch (job.kind) {
    case 'centre': {
      const { exactStride, ranked } = job.tile;
      kernels.centreRows({
        values: job.values + job.first * 8,
        stride: job.stride,
        draws: job.count,
        rows: ranked,
        centres: job.centres,
        exact: job.tile.exact + job.first * exactStride,
        exactStride,
      });
      return;
    }
    case 'squares':
      return void runSquares(kernels, memory, job);
    case 'bounds':
      return void runBounds(kernels, memory, job, scratch);
    case 'thresholds':
      return void runThresholds(kernels, memory, job, scratch);
    case 'tally-pairs':
      return void runPairs(kernels, memory, job, scratch);
  }
}
