import { addSums, flipScratch, joinedSums, makeBits, type SignSource, scratchPlaces, stepSize } from './flip-sums.js';
import type { FlipTables } from './flip-tables.js';
import type { Kernels } from './kernels.js';
import { drawBytes } from './step-job.js';

/** Where the y of draws come from: flips that are made, or row-major values in memory, each row less its centre. */
export type DrawSource =
  | { readonly kind: 'flips'; readonly tables: FlipTables; readonly source: SignSource }
  | { readonly kind: 'values'; readonly values: number; readonly stride: number; readonly centres: number };

/** Draws first .. first + count - 1 of a source. */
interface SourceRange {
  readonly from: DrawSource;
  readonly first: number;
  readonly count: number;
  readonly ranked: number;
  /** `ranked`, padded to a multiple of 4. */
  readonly lanes: number;
}

/** Bounds the largest statistic of every row in some draws. */
interface MaximaJob extends SourceRange {
  readonly kind: 'row-maxima';
  /** ranked x lanes f32. */
  readonly inverse: number;
  /** ranked f64, zeros. */
  readonly slack: number;
  /** f32, a row for each row, from draw 0 on. */
  readonly maxima: number;
  readonly maximaStride: number;
}

/** Where the families of a sweep lie (assembly/reaching.ts). */
export interface ReachTables {
  readonly limits: number;
  readonly inverse: number;
  readonly places: number;
  readonly levels: number;
  readonly levelStride: number;
  readonly classes: number;
  readonly countStride: number;
  readonly pairPlaces: number;
  readonly pairLevels: number;
  /** -1: not wanted. */
  readonly pairClasses: number;
  /** Cells of all counts, those of the pairs last. */
  readonly cells: number;
}

/** Tallies some draws by the pairs that reach a threshold: returns the counts of all families. */
interface ReachingJob extends SourceRange {
  readonly kind: 'reaching';
  readonly tables: ReachTables;
}

/** What a sweep over draws runs on threads. */
export type SweepJob = MaximaJob | ReachingJob;

/** What is done with the draws of a sweep. */
export type SweepWork = Omit<MaximaJob, keyof SourceRange> | Omit<ReachingJob, keyof SourceRange>;

/** Bytes of draws in f32 that are gone through together. */
const COARSE_BYTES = 262_144;
const NODE_BYTES = 24;
const LEAST_NODES = 16_384;

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;

function sweepPlaces({ from, ranked, lanes }: SourceRange, tables: ReachTables | null) {
  const coarseStride = drawBytes(lanes, 4);
  const exactStride = drawBytes(lanes, 8);
  const draws = Math.max(4, Math.min(256, Math.floor(COARSE_BYTES / coarseStride / 4) * 4));
  const nodes = tables ? Math.max(LEAST_NODES, (ranked * (ranked - 1)) / 2) : 0;
  const made = aligned(from.kind === 'flips' ? flipScratch(from.tables, from.source) : draws * exactStride + 64);
  const coarse = made;
  const heads = coarse + draws * coarseStride;
  const nodesAt = heads + aligned(draws * ranked * 4);
  const counts = nodesAt + aligned(nodes * NODE_BYTES);
  const front = counts + aligned((tables?.cells ?? 0) * 4);
  const pairFront = front + (tables ? ranked * 16 + 64 : 0);
  const bytes = pairFront + (tables ? Math.max(0, tables.pairClasses) * 16 + 64 : 0);
  return { draws, coarseStride, exactStride, coarse, heads, nodes, nodesAt, counts, front, pairFront, bytes };
}

/** Finds the bytes of scratch that a sweep needs. */
export function sweepScratch(range: SourceRange, tables: ReachTables | null): number {
  return sweepPlaces(range, tables).bytes;
}

/** y of some draws as they lie in memory: i32, i64 or f64 (`kind` 0, 1, 2). */
interface Chunk {
  /** Number of the first draw. */
  readonly draw: number;
  readonly draws: number;
  readonly exact: number;
  readonly exactStride: number;
  readonly type: number;
}

/** Makes the draws of a range, `together` at most at once. */
function eachChunk(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  range: SourceRange,
  scratch: number,
  { draws: together, exactStride }: { readonly draws: number; readonly exactStride: number },
  work: (chunk: Chunk) => void,
): void {
  const { from, first, count, ranked } = range;
  if (from.kind === 'values') {
    for (let done = 0; done < count; done += together) {
      const draws = Math.min(together, count - done);
      const values = from.values + (first + done) * 8;
      const { stride, centres } = from;
      kernels.centreRows({ values, stride, draws, rows: ranked, centres, exact: scratch, exactStride });
      work({ draw: first + done, draws, exact: scratch, exactStride, type: 2 });
    }
    return;
  }
  const { tables, source } = from;
  const at = scratchPlaces(tables, source);
  const pieces = Math.min(together, at.counted);
  if (source.kind === 'numpy') new BigUint64Array(memory.buffer, scratch + at.state, 5).set(source.state);
  for (let done = 0; done < count; ) {
    const now = stepSize({ tables, source, first, count }, at, done);
    makeBits(kernels, { tables, source, first, count }, at, scratch, first + done, now);
    addSums(kernels, tables, at, scratch, now);
    for (let piece = 0; piece < now; piece += pieces) {
      const draws = Math.min(pieces, now - piece);
      const { sums, sumStride } = joinedSums(kernels, tables, at, scratch, piece, draws);
      const type = tables.wide ? 1 : 0;
      work({ draw: first + done + piece, draws, exact: sums, exactStride: sumStride, type });
    }
    done += now;
  }
}

/** Runs a sweep job in the given scratch: the counts of a `reaching` job. */
export function runSweepJob(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  job: SweepJob,
  scratch: number,
): Int32Array | undefined {
  const { ranked, lanes } = job;
  const tables = job.kind === 'reaching' ? job.tables : null;
  const at = sweepPlaces(job, tables);
  const { coarseStride } = at;
  const coarse = scratch + at.coarse;
  if (job.kind === 'row-maxima') {
    eachChunk(kernels, memory, job, scratch, at, ({ draw, draws, exact, exactStride, type: kind }) => {
      kernels.coarseLanes({ exact, exactStride, draws, lanes, kind, coarse, coarseStride });
      kernels.boundMaxima({
        ...{ coarse, coarseStride, draws, lanes, from: 0, to: ranked, inverse: job.inverse, slack: job.slack },
        ...{ rowBounds: job.maxima + draw * 4, boundStride: job.maximaStride, most: 0, later: false },
      });
    });
    return;
  }
  const { limits, inverse, places, levels, levelStride, classes, countStride, cells } = job.tables;
  const { pairPlaces, pairLevels, pairClasses } = job.tables;
  const heads = scratch + at.heads;
  const nodes = scratch + at.nodesAt;
  const counts = scratch + at.counts;
  const pairCounts = counts + ranked * countStride;
  const front = scratch + at.front;
  const pairFront = scratch + at.pairFront;
  const tallied = new Int32Array(memory.buffer, counts, cells).fill(0);
  const tally = ({ draws, exact, exactStride, type: kind }: Chunk, from: number): void => {
    const own = { exact: exact + from * exactStride, exactStride, draws, kind, rows: ranked, lanes };
    const listed = { ...own, coarse: coarse + from * coarseStride, coarseStride, limits, inverse, heads, nodes };
    if (kernels.listReaching({ ...listed, most: at.nodes }) < 0) {
      // Too many for the room there is: half the draws at once, down to one, whose pairs always fit.
      const half = draws >> 1;
      tally({ draw: 0, draws: half, exact, exactStride, type: kind }, from);
      tally({ draw: 0, draws: draws - half, exact, exactStride, type: kind }, from + half);
      return;
    }
    kernels.tallyReaching({
      ...{ heads, nodes, draws, rows: ranked, places, levels, levelStride, classes, counts, countStride },
      ...{ pairPlaces, pairLevels, pairClasses, pairCounts, front, pairFront },
    });
  };
  eachChunk(kernels, memory, job, scratch, at, (chunk) => {
    const { draws, exact, exactStride, type: kind } = chunk;
    kernels.coarseLanes({ exact, exactStride, draws, lanes, kind, coarse, coarseStride });
    tally(chunk, 0);
  });
  return tallied.slice();
}
