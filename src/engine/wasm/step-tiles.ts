import { BLOCK_DRAWS } from '../moments.js';
import type { Arena } from './arena.js';
import { type Runner, ranges } from './runner.js';
import type { Reach, StepSession, Tiles } from './step-families.js';
import { drawBytes, stepScratch, type Tile } from './step-job.js';

/** Most bytes of a tile of draws. */
const TILE_BYTES = 48 * 2 ** 20;

/** What tiles are cut by. */
export interface TileShape {
  readonly arena: Arena;
  readonly draws: number;
  readonly ranked: number;
  readonly whole: boolean;
  /** Bytes that draws may fill at once. */
  readonly valueBytes: number;
}

/** Memory of one tile, which all tiles of a run take in turn. */
export interface TileSpace {
  /** Draws of the largest tile: whole blocks, or all draws. */
  readonly together: number;
  /** The tile of all draws, where they are one; else null. */
  readonly only: Tile | null;
  /**
   * Opens tiles that `fill` makes; it returns false where it made no more than the draws that matter. Where all draws are one tile
   * it is made once, or never where it was `made` before.
   */
  open(fill: (tile: Tile, reach: readonly Reach[] | undefined) => Promise<boolean>, made?: boolean): Tiles;
}

/** Takes memory for a tile, and cuts draws into tiles of it. */
export function tileSpace({ arena, draws, ranked, whole, valueBytes }: TileShape): TileSpace {
  const exactStride = drawBytes(ranked, 8);
  const lanes = Math.ceil(ranked / 4) * 4;
  const fit = Math.max(1, Math.floor(Math.min(TILE_BYTES, valueBytes) / exactStride / BLOCK_DRAWS)) * BLOCK_DRAWS;
  const together = Math.min(draws, fit);
  const exact = arena.take(together * exactStride + 64);
  const shape = { exact, exactStride, whole, ranked, lanes };
  return {
    together,
    only: together === draws ? { ...shape, first: 0, draws } : null,
    open(fill, before = false) {
      let made = before && together === draws ? 0 : -1;
      return {
        draws,
        ranked,
        lanes,
        together,
        async each(work, reach) {
          for (let first = 0; first < draws; first += together) {
            const now = Math.min(together, draws - first);
            const tile = { ...shape, first, draws: now };
            if (made !== first) made = (await fill(tile, reach)) ? first : -1;
            await work(tile);
          }
        },
      };
    },
  };
}

/** Opens a session over tiles: scratch for every lane, and jobs of a length that a signal can stop between. */
export function stepSession({
  arena,
  tiles,
  runner,
  valueBytes,
  signal,
}: {
  arena: Arena;
  tiles: Tiles;
  runner: Runner;
  valueBytes: number;
  signal: AbortSignal | undefined;
}): StepSession {
  const { ranked, lanes, together } = tiles;
  const bytes = stepScratch({ exact: 0, exactStride: 0, whole: false, first: 0, draws: together, ranked, lanes });
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(bytes));
  return {
    arena,
    tiles,
    valueBytes,
    split: (n, cost) => ranges(n, cost, runner.lanes),
    run: (jobs) => runner.run(jobs, scratch, { signal }),
  };
}
