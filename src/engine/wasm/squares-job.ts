import { BLOCK_DRAWS } from '../moments.js';
import type { Kernels } from './kernels.js';
import { centreValues, type ValueRows } from './value-matrix.js';

/** A tile of draws in kernel memory, draw-major f64 (assembly/stepdown.ts). */
export interface Tile {
  readonly exact: number;
  /** Bytes of a draw. */
  readonly exactStride: number;
  readonly draws: number;
  readonly ranked: number;
  /** Lanes of tables of pairs: `ranked`, padded to a multiple of 4. */
  readonly lanes: number;
}

/** Finds the bytes of a draw: whole cache lines, an odd number of them, so that draws do not share cache sets. */
export function drawBytes(cells: number, cellBytes: number): number {
  const lines = Math.ceil((cells * cellBytes) / 64);
  return (lines + 1 - (lines % 2)) * 64;
}

/** Turns row-major values of draws first .. first + count - 1 of a tile into rows less their centres. */
interface CentreJob extends ValueRows {
  readonly kind: 'centre';
  readonly tile: Tile;
  readonly first: number;
  readonly count: number;
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

/** What the squared differences of pairs are added up by. */
export type TileJob = CentreJob | SquaresJob;

/** Bytes of a tile that are gone through before the next rows: they stay in the second-level cache. */
const CHUNK_BYTES = 262_144;

function runSquares(kernels: Kernels, memory: WebAssembly.Memory, job: SquaresJob): void {
  const { tile, from, to, block, before, totals } = job;
  const { exact, exactStride, draws, lanes } = tile;
  const rowBytes = lanes * 8;
  const cells = (to - from) * lanes;
  const own = from * rowBytes;
  const view = (at: number): Float64Array => new Float64Array(memory.buffer, at + own, cells);
  view(block).fill(0);
  view(totals).set(view(before));
  const fit = Math.max(4, Math.min(BLOCK_DRAWS, Math.floor(CHUNK_BYTES / exactStride)));
  const chunk = 2 ** Math.floor(Math.log2(fit));
  for (let done = 0; done < draws; done += chunk) {
    const now = Math.min(chunk, draws - done);
    kernels.pairSquares({ exact: exact + done * exactStride, exactStride, draws: now, lanes, from, to, block });
    const end = done + now;
    if (end % BLOCK_DRAWS === 0 || end === draws)
      kernels.closeBlock({ block: block + own, totals: totals + own, count: cells });
  }
}

/** Runs a tile job; run again from its start it leaves the same behind. */
export function runTileJob(kernels: Kernels, memory: WebAssembly.Memory, job: TileJob): undefined {
  if (job.kind === 'squares') return void runSquares(kernels, memory, job);
  const { exactStride, ranked, exact } = job.tile;
  centreValues(kernels, job, job.first, {
    draws: job.count,
    rows: ranked,
    centres: job.centres,
    exact: exact + job.first * exactStride,
    exactStride,
  });
}
