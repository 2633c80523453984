import { type FlipTables, TILE_LANES } from './flip-tables.js';
import type { Kernels } from './kernels.js';
import { pairCells } from './pair-cells.js';
import type { Tile } from './step-job.js';

/** Where sign vectors come from. */
export type SignSource =
  | {
      readonly kind: 'philox';
      readonly seedLow: number;
      readonly seedHigh: number;
      readonly stream: number;
    }
  | {
      /** PCG64 as it stands before draw `first` of the job, which begins a batch (assembly/numpy.ts). */
      readonly kind: 'numpy';
      readonly state: BigUint64Array;
      readonly batch: number;
    }
  | { readonly kind: 'all' };

/** Counts exceedances over draws first .. first + count - 1. */
export interface FlipJob {
  readonly kind: 'flips';
  readonly tables: FlipTables;
  readonly source: SignSource;
  readonly first: number;
  readonly count: number;
  /** Tally maxima alone. */
  readonly maximaOnly: boolean;
  /** Address of a bound of the largest statistic of each draw, f32, from draw 0 on; 0: not wanted. */
  readonly bounds: number;
  /** The sums of all draws are left in this tile, or, where maxima alone are tallied, taken from it; null: they are made and not kept. */
  readonly tile: Tile | null;
}

/** Makes the flipped sums of draws first .. first + count - 1 of a tile (assembly/stepdown.ts). */
export interface SumJob {
  readonly kind: 'sums';
  readonly tables: FlipTables;
  readonly source: SignSource;
  readonly tile: Tile;
  readonly first: number;
  readonly count: number;
}

/** Exceedances as the kernels lay them out. */
export interface FlipResult {
  /** By `pairCells`; and width. */
  readonly pairs: Float64Array;
  readonly rows: Float64Array;
  /** Draws by number of max-T levels reached. */
  readonly levels: Uint32Array;
}

/** Clusters whose byte tables are built together when not all fit: 128 groups. */
const CHUNK_CLUSTERS = 1024;
const SUM_BYTES = 8 * 2 ** 20;
const BIT_BYTES = 8 * 2 ** 20;

const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16;

/** Where a flip job keeps what, in bytes from its scratch, and how many draws it works on together. */
function scratchPlaces(tables: FlipTables, source: SignSource) {
  const { clusters, lanes, rows, width, wide, ranked, levelCount } = tables;
  const bitStride = Math.ceil(clusters / CHUNK_CLUSTERS) * 128;
  const sumStride = Math.ceil(lanes / 16) * 64 + (Math.ceil(lanes / 16) % 2 === 0 ? 64 : 0);
  const joinedStride = width * 8 + (((width * 8) / 64) % 2 === 0 ? 64 : 0);
  const fit = Math.floor(Math.min(SUM_BYTES / sumStride, BIT_BYTES / bitStride) / 4) * 4;
  const draws = Math.max(4, tables.table ? Math.min(256, fit) : Math.min(4096, fit));
  const counted = Math.max(4, Math.min(draws, 256, Math.max(64, Math.floor(131_072 / sumStride))));
  const cell = wide ? 8 : 4;
  const bits = 0;
  const sums = bits + aligned(draws * bitStride);
  const joined = sums + aligned(draws * sumStride);
  const pairs = joined + (wide ? aligned(counted * joinedStride) : 0);
  const single = pairs + aligned(pairCells(rows, width, wide).length * cell);
  const levels = single + aligned(width * cell);
  const best = levels + aligned((levelCount + 1) * 4);
  const table = best + counted * 16;
  const state = table + (tables.table ? 0 : (CHUNK_CLUSTERS / 8) * 256 * TILE_LANES * 4);
  const bytes = state + 64;
  const signs = bytes;
  const end = signs + (source.kind === 'numpy' ? aligned(draws * clusters + 64) : 0);
  return {
    draws,
    counted,
    bitStride,
    sumStride,
    joinedStride,
    bits,
    sums,
    joined,
    pairs,
    single,
    levels,
    best,
    table,
    state,
    signs,
    ranked,
    bytes: end,
  };
}

type ScratchPlaces = ReturnType<typeof scratchPlaces>;

/** Finds the bytes of scratch that a flip job needs. */
export function flipScratch(tables: FlipTables, source: SignSource): number {
  return scratchPlaces(tables, source).bytes;
}

/** Draws that one step may make: a replayed batch is drawn in pieces of whole 32-bit words. */
function stepSize(job: FlipJob | SumJob, at: ScratchPlaces, done: number): number {
  const now = Math.min(at.draws, job.count - done);
  if (job.source.kind !== 'numpy') return now;
  return Math.min(now, job.source.batch - (done % job.source.batch));
}

function makeBits(
  kernels: Kernels,
  { source, tables }: FlipJob | SumJob,
  at: ScratchPlaces,
  base: number,
  first: number,
  now: number,
): void {
  const { clusters } = tables;
  const bits = base + at.bits;
  if (source.kind === 'all') {
    kernels.enumeratedBits({ bits, bitStride: at.bitStride, draws: now, first });
    return;
  }
  if (source.kind === 'numpy') {
    const signs = base + at.signs;
    kernels.pcgWords({ state: base + at.state, out: signs, count: Math.ceil((now * clusters) / 4) });
    kernels.packSigns({ bytes: signs, clusters, draws: now, bits, bitStride: at.bitStride });
    return;
  }
  kernels.philoxBits({
    bits,
    bitStride: at.bitStride,
    draws: now,
    words: Math.ceil(clusters / 32),
    firstLow: first >>> 0,
    firstHigh: Math.floor(first / 2 ** 32),
    stream: source.stream,
    seedLow: source.seedLow,
    seedHigh: source.seedHigh,
  });
}

function addSums(kernels: Kernels, tables: FlipTables, at: ScratchPlaces, base: number, now: number): void {
  const { clusters, lanes, totals, table } = tables;
  const bits = base + at.bits;
  const sums = base + at.sums;
  const pieces = table ? clusters : CHUNK_CLUSTERS;
  for (let c = 0; c < clusters; c += pieces) {
    const here = Math.min(pieces, clusters - c);
    const groups = Math.ceil(here / 8);
    for (let lane = 0; lane < lanes; lane += TILE_LANES) {
      const wide = Math.min(TILE_LANES, lanes - lane);
      const tile = table ? table + groups * 256 * lane * 4 : base + at.table;
      if (!table) {
        const from = totals + (c * lanes + lane) * 4;
        kernels.signTables({ totals: from, rowBytes: lanes * 4, clusters: here, lanes: wide, table: tile });
      }
      kernels.addFlips({
        bits: bits + c / 8,
        bitStride: at.bitStride,
        draws: now,
        groups,
        table: tile,
        lanes: wide,
        sums: sums + lane * 4,
        sumStride: at.sumStride,
        fresh: c === 0,
      });
    }
  }
}

/** Where the sums of some draws of a step lie, put together where they come in planes. */
function joinedSums(
  kernels: Kernels,
  { wide, width, planes, bits }: FlipTables,
  at: ScratchPlaces,
  base: number,
  from: number,
  draws: number,
): { readonly sums: number; readonly sumStride: number } {
  const sums = base + at.sums + from * at.sumStride;
  if (!wide) return { sums, sumStride: at.sumStride };
  const out = base + at.joined;
  kernels.joinPlanes({ sums, sumStride: at.sumStride, draws, width, planes, bits, out, outStride: at.joinedStride });
  return { sums: out, sumStride: at.joinedStride };
}

/** Puts sums into a tile, from draw `first` of it on. */
function keepSums(
  kernels: Kernels,
  tile: Tile,
  first: number,
  draws: number,
  { wide }: FlipTables,
  where: { readonly sums: number; readonly sumStride: number },
): void {
  const { exactStride, whole, ranked } = tile;
  const exact = tile.exact + first * exactStride;
  kernels.sumRows({ ...where, draws, rows: ranked, wide, whole, exact, exactStride });
}

/** Takes the sums of some draws out of a tile. */
function tileSums(
  kernels: Kernels,
  tile: Tile,
  { wide }: FlipTables,
  at: ScratchPlaces,
  base: number,
  first: number,
  draws: number,
): { readonly sums: number; readonly sumStride: number } {
  const { exactStride, whole, lanes } = tile;
  const where = { sums: base + (wide ? at.joined : at.sums), sumStride: wide ? at.joinedStride : at.sumStride };
  const exact = tile.exact + first * exactStride;
  kernels.rowSums({ ...where, exact, exactStride, draws, rows: lanes, wide, whole });
  return where;
}

/** Counts the draws `from` to `from` + `draws` - 1 of a step that begins with draw `first`. */
function count(
  kernels: Kernels,
  job: FlipJob,
  at: ScratchPlaces,
  base: number,
  first: number,
  from: number,
  draws: number,
): void {
  const { wide, width, rows, observedPairs, observedRows, ranked } = job.tables;
  const taken = job.maximaOnly && job.tile;
  const where = taken
    ? tileSums(kernels, taken, job.tables, at, base, first + from, draws)
    : joinedSums(kernels, job.tables, at, base, from, draws);
  const { sums, sumStride } = where;
  const lanes = width;
  if (job.tile && !taken) keepSums(kernels, job.tile, first + from, draws, job.tables, where);
  if (!job.maximaOnly) {
    const pairs = wide ? kernels.countWidePairs : kernels.countPairs;
    const single = wide ? kernels.countWideRows : kernels.countRows;
    pairs({ sums, sumStride, draws, rows, lanes, observed: observedPairs, counts: base + at.pairs });
    single({ sums, sumStride, draws, lanes, observed: observedRows, counts: base + at.single });
  }
  if (ranked === 0) return;
  const maxima = wide ? kernels.tallyWideMaxima : kernels.tallyMaxima;
  const { inverse, coarse, levels, levelCount } = job.tables;
  const counts = base + at.levels;
  const bounds = job.bounds && job.bounds + (first + from) * 4;
  const best = base + at.best;
  maxima({ sums, sumStride, draws, ranked, lanes, inverse, coarse, levels, levelCount, counts, best, bounds });
}

/** Runs a sum job in the given scratch. */
export function runSumJob(kernels: Kernels, job: SumJob, scratch: number): undefined {
  const { tables, source, tile, first } = job;
  const at = scratchPlaces(tables, source);
  for (let done = 0; done < job.count; ) {
    const now = stepSize(job, at, done);
    makeBits(kernels, job, at, scratch, tile.first + first + done, now);
    addSums(kernels, tables, at, scratch, now);
    for (let from = 0; from < now; from += at.counted) {
      const draws = Math.min(at.counted, now - from);
      const where = joinedSums(kernels, tables, at, scratch, from, draws);
      keepSums(kernels, tile, first + done + from, draws, tables, where);
    }
    done += now;
  }
}

/** Runs a flip job in the given scratch. */
export function runFlipJob(kernels: Kernels, memory: WebAssembly.Memory, job: FlipJob, scratch: number): FlipResult {
  const { tables, source } = job;
  const { rows, width, wide, levelCount } = tables;
  const at = scratchPlaces(tables, source);
  const cell = wide ? 8 : 4;
  new Uint8Array(memory.buffer, scratch + at.pairs, at.table - at.pairs).fill(0);
  if (source.kind === 'numpy') new BigUint64Array(memory.buffer, scratch + at.state, 5).set(source.state);
  for (let done = 0; done < job.count; ) {
    const now = stepSize(job, at, done);
    if (!(job.maximaOnly && job.tile)) {
      makeBits(kernels, job, at, scratch, job.first + done, now);
      addSums(kernels, tables, at, scratch, now);
    }
    for (let from = 0; from < now; from += at.counted)
      count(kernels, job, at, scratch, job.first + done, from, Math.min(at.counted, now - from));
    done += now;
  }
  const read = (address: number, length: number): Float64Array =>
    cell === 8
      ? Float64Array.from(new BigUint64Array(memory.buffer, address, length), Number)
      : new Float64Array(new Uint32Array(memory.buffer, address, length));
  const levels = new Uint32Array(levelCount + 1);
  levels.set(new Uint32Array(memory.buffer, scratch + at.levels, levelCount + 1));
  return {
    pairs: read(scratch + at.pairs, pairCells(rows, width, wide).length),
    rows: read(scratch + at.single, width),
    levels,
  };
}
