import type { RandomSource } from '../engine.js';
import { philoxKey } from '../philox.js';
import { type FlipTables, GROUP_ROWS, pairCellCount, TILE_LANES } from './flip-tables.js';
import type { Kernels } from './kernels.js';
import { maximaBytes } from './max-t.js';

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

/** Finds where the signs of a stream come from that is no replay; null goes through all of them. */
export function signSource(random: RandomSource | null): SignSource {
  if (random?.kind !== 'philox') return { kind: 'all' };
  const [seedLow, seedHigh] = philoxKey(random.seed);
  return { kind: 'philox', seedLow, seedHigh, stream: random.stream };
}

/** Draws of a job that signs and sums are made for. */
export interface FlipRange {
  readonly tables: FlipTables;
  readonly source: SignSource;
  readonly first: number;
  readonly count: number;
}

/** Clusters whose tables are built together when not all fit: 128 groups. */
const CHUNK_CLUSTERS = 1024;
const SUM_BYTES = 8 * 2 ** 20;
const BIT_BYTES = 8 * 2 ** 20;

const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16;

/** Where a flip job keeps what, in bytes from its scratch, and how many draws it works on together. */
export function scratchPlaces(tables: FlipTables, source: SignSource) {
  const { clusters, lanes, width, wide, small, ranked, levelCount } = tables;
  const bitStride = Math.ceil(clusters / CHUNK_CLUSTERS) * 128;
  const sumStride = Math.ceil(lanes / 16) * 64 + (Math.ceil(lanes / 16) % 2 === 0 ? 64 : 0);
  const joinedBytes = Math.ceil((width * (wide ? 8 : 4)) / 64) * 64;
  const joinedStride = joinedBytes + ((joinedBytes / 64) % 2 === 0 ? 64 : 0);
  const fit = Math.floor(Math.min(SUM_BYTES / sumStride, BIT_BYTES / bitStride) / 4) * 4;
  const draws = Math.max(4, tables.table ? Math.min(256, fit) : Math.min(4096, fit));
  const counted = Math.max(4, Math.min(draws, 256, Math.max(64, Math.floor(131_072 / sumStride))));
  const cell = wide ? 8 : 4;
  const bits = 0;
  const sums = bits + aligned(draws * bitStride);
  const joined = sums + aligned(draws * sumStride);
  const pairs = joined + (wide || small ? aligned(counted * joinedStride) : 0);
  const single = pairs + aligned(pairCellCount(tables) * cell);
  const levels = single + aligned(width * cell);
  const best = levels + aligned((levelCount + 1) * 4);
  const table = best + (ranked === 0 ? 0 : aligned(maximaBytes(counted, tables)));
  const state = table + (tables.table ? 0 : (CHUNK_CLUSTERS / 8) * GROUP_ROWS * TILE_LANES * 4);
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

export type ScratchPlaces = ReturnType<typeof scratchPlaces>;

/** Finds the bytes of scratch that a flip job needs. */
export function flipScratch(tables: FlipTables, source: SignSource): number {
  return scratchPlaces(tables, source).bytes;
}

/** Draws that one step may make: a replayed batch is drawn in pieces of whole 32-bit words. */
export function stepSize(job: FlipRange, at: Pick<ScratchPlaces, 'draws'>, done: number): number {
  const now = Math.min(at.draws, job.count - done);
  if (job.source.kind !== 'numpy') return now;
  return Math.min(now, job.source.batch - (done % job.source.batch));
}

export function makeBits(
  kernels: Kernels,
  { source, tables }: FlipRange,
  at: Pick<ScratchPlaces, 'bits' | 'bitStride' | 'signs' | 'state'>,
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

export function addSums(kernels: Kernels, tables: FlipTables, at: ScratchPlaces, base: number, now: number): void {
  const { clusters, lanes, totals, table } = tables;
  const bits = base + at.bits;
  const sums = base + at.sums;
  const pieces = table ? clusters : CHUNK_CLUSTERS;
  for (let c = 0; c < clusters; c += pieces) {
    const here = Math.min(pieces, clusters - c);
    const groups = Math.ceil(here / 8);
    for (let lane = 0; lane < lanes; lane += TILE_LANES) {
      const wide = Math.min(TILE_LANES, lanes - lane);
      const tile = table ? table + groups * GROUP_ROWS * lane * 4 : base + at.table;
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

/** Where the sums of some draws of a step lie: put together where they come in planes, taken apart where two stand in a word. */
export function joinedSums(
  kernels: Kernels,
  { wide, small, lanes, width, planes, bits }: FlipTables,
  at: ScratchPlaces,
  base: number,
  from: number,
  draws: number,
): Sums {
  const sums = base + at.sums + from * at.sumStride;
  if (small) kernels.splitWords({ sums, sumStride: at.sumStride, draws, lanes });
  if (!wide) return { sums, sumStride: at.sumStride };
  const out = base + at.joined;
  kernels.joinPlanes({ sums, sumStride: at.sumStride, draws, width, planes, bits, out, outStride: at.joinedStride });
  return { sums: out, sumStride: at.joinedStride };
}

/** Sums as 32 or 64 bits hold them, `at.counted` draws at most: small ones are written out. */
export function plainSums(
  kernels: Kernels,
  { small, width }: FlipTables,
  at: ScratchPlaces,
  base: number,
  from: Sums,
  draws: number,
): Sums {
  if (!small) return from;
  const out = base + at.joined;
  const { divisor: unit, shift } = small;
  kernels.plainSums({ ...from, draws, lanes: width, shift, unit, out, outStride: at.joinedStride });
  return { sums: out, sumStride: at.joinedStride };
}

/** Most bytes of sums that are kept for what goes through the same draws again. */
const KEPT_BYTES = 48 * 2 ** 20;

/** Finds the bytes of a draw's sums as `joinedSums` leaves them. */
const keptStride = ({ wide }: FlipTables, at: ScratchPlaces): number => (wide ? at.joinedStride : at.sumStride);

/** Finds the bytes that the sums of all draws take; 0 where they are too many to be kept. */
export function keptBytes(tables: FlipTables, source: SignSource, draws: number): number {
  const bytes = draws * keptStride(tables, scratchPlaces(tables, source));
  return bytes <= KEPT_BYTES ? bytes : 0;
}

/** Where sums lie. */
export interface Sums {
  readonly sums: number;
  readonly sumStride: number;
}

/** Finds the sums that were kept, from draw `first` on. */
export function keptSums(kept: number, tables: FlipTables, at: ScratchPlaces, first: number): Sums {
  const sumStride = keptStride(tables, at);
  return { sums: kept + first * sumStride, sumStride };
}

/** Copies the sums of some draws; both lie with the same bytes a draw. */
export function copySums(memory: WebAssembly.Memory, from: Sums, to: Sums, draws: number): void {
  new Uint8Array(memory.buffer).copyWithin(to.sums, from.sums, from.sums + draws * from.sumStride);
}

/** The draws whose bounds reach a threshold: bounds from draw 0 on, f32, or u8 where they are places (assembly/tiny.ts). */
export interface Reach {
  readonly bounds: number;
  readonly bytes: 4 | 1;
  readonly threshold: number;
}

/** Moves what draws lie in, `stride` bytes each from `at` on, to `to` where their bounds reach a threshold; returns how many these are. */
export function keepReaching(
  memory: WebAssembly.Memory,
  { bounds, threshold, bytes: size }: Reach,
  { at, to, stride }: { readonly at: number; readonly to: number; readonly stride: number },
  first: number,
  draws: number,
): number {
  const bytes = new Uint8Array(memory.buffer);
  const own =
    size === 1
      ? new Uint8Array(memory.buffer, bounds + first, draws)
      : new Float32Array(memory.buffer, bounds + first * 4, draws);
  let found = 0;
  for (let d = 0; d < draws; d++)
    if (own[d]! >= threshold) {
      const [from, into] = [at + d * stride, to + stride * found++];
      if (from !== into) bytes.copyWithin(into, from, from + stride);
    }
  return found;
}
