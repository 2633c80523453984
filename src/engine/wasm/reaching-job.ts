import {
  addSums,
  flipScratch,
  joinedSums,
  keepReaching,
  keptSums,
  makeBits,
  plainSums,
  type Reach,
  type SignSource,
  type Sums,
  scratchPlaces,
  stepSize,
} from './flip-sums.js';
import type { FlipTables } from './flip-tables.js';
import type { Kernels } from './kernels.js';
import { drawBytes } from './squares-job.js';
import { COLUMN_DRAWS, eachColumns, tinyScratch } from './tiny-job.js';
import { centreValues, type ValueRows } from './value-matrix.js';

/** Where the y of draws come from: flips that are made, or row-major values in memory, each row less its centre. */
export type DrawSource =
  | {
      readonly kind: 'flips';
      readonly tables: FlipTables;
      readonly source: SignSource;
      /** Address of the sums of all draws; 0: they are made again. */
      readonly kept: number;
      /** Null: all draws. */
      readonly reach: Reach | null;
    }
  | ({ readonly kind: 'values'; readonly centres: number } & ValueRows);

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

/** Where a family of all pairs lies (assembly/reaching.ts). */
export interface PairTables {
  readonly places: number;
  readonly levels: number;
  readonly classes: number;
  readonly ordered: boolean;
  /** Fronts of the draws are handed over; of one family at most. */
  readonly fronts: boolean;
}

/** Where the pairs lie that tiny sums are looked through for (assembly/tinyreach.ts). */
export interface TinyReach {
  readonly pairs: number;
  readonly limits: number;
  readonly count: number;
  /** What one in a sum stands for. */
  readonly unit: number;
}

/** Where the families of a sweep lie (assembly/reaching.ts). */
export interface ReachTables {
  /** 0 where sums are tiny. */
  readonly limits: number;
  readonly tiny: TinyReach | null;
  readonly inverse: number;
  /** Families of rows are tallied. */
  readonly rows: boolean;
  readonly places: number;
  readonly levels: number;
  readonly levelStride: number;
  readonly classes: number;
  readonly countStride: number;
  readonly rowCells: number;
  readonly pairs: readonly PairTables[];
  /** What some family of all pairs must be reached by. */
  readonly least: number;
  /** Cells of all counts: those of the rows, then those of the families of pairs. */
  readonly cells: number;
}

/** What a job tallied. */
export interface ReachResult {
  readonly counts: Int32Array;
  readonly fronts: Uint8Array;
}

/** Tallies some draws by the pairs that reach a threshold. */
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
const NODE_BYTES = 32;
const LEAST_NODES = 16_384;

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;

function sweepPlaces({ from, ranked, lanes }: SourceRange, tables: ReachTables | null) {
  const coarseStride = drawBytes(lanes, 4);
  const exactStride = drawBytes(lanes, 8);
  const tiny = from.kind === 'flips' && tables?.tiny;
  const draws = tiny ? COLUMN_DRAWS : Math.max(4, Math.min(256, Math.floor(COARSE_BYTES / coarseStride / 4) * 4));
  const nodes = tables ? Math.max(LEAST_NODES, (ranked * (ranked - 1)) / 2) : 0;
  const flips = tiny ? tinyScratch : flipScratch;
  const made = aligned(from.kind === 'flips' ? flips(from.tables, from.source) : draws * exactStride + 64);
  const coarse = made;
  const heads = coarse + (tiny ? 0 : draws * coarseStride);
  const pairHeads = heads + aligned(draws * ranked * 4);
  const nodesAt = pairHeads + aligned(draws * 4);
  const counts = nodesAt + aligned(nodes * NODE_BYTES);
  const front = counts + aligned((tables?.cells ?? 0) * 4);
  const classes = (tables?.pairs ?? []).reduce((most, pairs) => Math.max(most, pairs.classes), ranked);
  const fronts = front + classes * 16 + 64;
  const bytes = fronts + (tables?.pairs.some((pairs) => pairs.fronts) ? nodes * 16 : 0);
  return { draws, coarseStride, exactStride, coarse, heads, pairHeads, nodes, nodesAt, counts, front, fronts, bytes };
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

/** Makes the draws of a range, `together` at most at once; those that do not reach what is asked for are left out, and none has its number then. */
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
      const { centres } = from;
      centreValues(kernels, from, first + done, { draws, rows: ranked, centres, exact: scratch, exactStride });
      work({ draw: first + done, draws, exact: scratch, exactStride, type: 2 });
    }
    return;
  }
  const { tables, source, kept, reach } = from;
  const at = scratchPlaces(tables, source);
  const type = tables.wide ? 1 : 0;
  const pieces = Math.min(together, at.counted);
  const hand = (sums: Sums, draw: number, draws: number): void => {
    const plain = plainSums(kernels, tables, at, scratch, sums, draws);
    work({ draw, draws, exact: plain.sums, exactStride: plain.sumStride, type });
  };
  for (let done = 0; kept && done < count; done += pieces) {
    const draws = Math.min(pieces, count - done);
    const { sums, sumStride } = keptSums(kept, tables, at, first + done);
    if (!reach) hand({ sums, sumStride }, first + done, draws);
    else {
      const to = scratch + (tables.wide ? at.joined : at.sums);
      const wanted = keepReaching(memory, reach, { at: sums, to, stride: sumStride }, first + done, draws);
      if (wanted > 0) hand({ sums: to, sumStride }, first + done, wanted);
    }
  }
  if (kept) return;
  if (source.kind === 'numpy') new BigUint64Array(memory.buffer, scratch + at.state, 5).set(source.state);
  for (let done = 0; done < count; ) {
    const now = stepSize({ tables, source, first, count }, at, done);
    makeBits(kernels, { tables, source, first, count }, at, scratch, first + done, now);
    const bits = scratch + at.bits;
    const signs = { at: bits, to: bits, stride: at.bitStride };
    const wanted = reach ? keepReaching(memory, reach, signs, first + done, now) : now;
    if (wanted > 0) addSums(kernels, tables, at, scratch, wanted);
    for (let piece = 0; piece < wanted; piece += pieces) {
      const draws = Math.min(pieces, wanted - piece);
      hand(joinedSums(kernels, tables, at, scratch, piece, draws), first + done + piece, draws);
    }
    done += now;
  }
}

/** Runs a sweep job in the given scratch. */
export function runSweepJob(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  job: SweepJob,
  scratch: number,
): ReachResult | undefined {
  if (job.kind === 'reaching') return runReaching(kernels, memory, job, scratch);
  const { ranked, lanes } = job;
  const at = sweepPlaces(job, null);
  const { coarseStride } = at;
  const coarse = scratch + at.coarse;
  eachChunk(kernels, memory, job, scratch, at, ({ draw, draws, exact, exactStride, type: kind }) => {
    kernels.coarseLanes({ exact, exactStride, draws, lanes, kind, coarse, coarseStride });
    kernels.boundMaxima({
      ...{ coarse, coarseStride, draws, lanes, from: 0, to: ranked, inverse: job.inverse, slack: job.slack },
      ...{ rowBounds: job.maxima + draw * 4, boundStride: job.maximaStride, most: 0, later: false },
    });
  });
}

function runReaching(kernels: Kernels, memory: WebAssembly.Memory, job: ReachingJob, scratch: number): ReachResult {
  const { ranked, lanes, tables } = job;
  const { limits, inverse, least } = tables;
  const at = sweepPlaces(job, tables);
  const { coarseStride } = at;
  const coarse = scratch + at.coarse;
  const places = { heads: scratch + at.heads, pairHeads: scratch + at.pairHeads, nodes: scratch + at.nodesAt };
  const counts = scratch + at.counts;
  const tallied = new Int32Array(memory.buffer, counts, tables.cells).fill(0);
  const kept: Uint8Array[] = [];
  const tallyDraws = (draws: number): void => {
    const own = { ...places, draws, rows: ranked, front: scratch + at.front };
    const { levels, levelStride, classes, countStride } = tables;
    if (tables.rows)
      kernels.tallyRowFamilies({ ...own, places: tables.places, levels, levelStride, classes, counts, countStride });
    let pairCounts = counts + tables.rowCells * 4;
    for (const { fronts: wanted, ...family } of tables.pairs) {
      const fronts = wanted ? scratch + at.fronts : 0;
      const entries = kernels.tallyPairFamily({ ...own, ...family, counts: pairCounts, fronts });
      if (wanted) kept.push(new Uint8Array(memory.buffer, fronts, entries * 16).slice());
      pairCounts += (family.classes + 2) * 4;
    }
  };
  const tally = (list: (from: number, draws: number) => number, from: number, draws: number): void => {
    if (list(from, draws) >= 0) {
      tallyDraws(draws);
      return;
    }
    // Too many for the room there is: half the draws at once, down to one, whose pairs always fit.
    const half = draws >> 1;
    tally(list, from, half);
    tally(list, from + half, draws - half);
  };
  const own = { ...places, rows: ranked, lanes, inverse, least, most: at.nodes };
  if (job.from.kind === 'flips' && tables.tiny) {
    const { pairs, limits: sizes, count, unit } = tables.tiny;
    const tiny = { ...own, pairs, limits: sizes, count, unit, heads: tables.rows ? places.heads : 0 };
    eachColumns(kernels, memory, { ...job.from, first: job.first, count: job.count }, scratch, (columns, draws) =>
      tally((from, now) => kernels.listTinyReaching({ ...tiny, columns, from, draws: now }), 0, draws),
    );
  } else
    eachChunk(kernels, memory, job, scratch, at, ({ exact, exactStride, draws, type: kind }) => {
      kernels.coarseLanes({ exact, exactStride, draws, lanes, kind, coarse, coarseStride });
      const list = (from: number, now: number): number =>
        kernels.listReaching({
          ...{ ...own, kind, limits, draws: now, exact: exact + from * exactStride, exactStride },
          ...{ coarse: coarse + from * coarseStride, coarseStride },
        });
      tally(list, 0, draws);
    });
  const fronts = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of kept) {
    fronts.set(part, end);
    end += part.length;
  }
  return { counts: tallied.slice(), fronts };
}
