import { fail } from '../../util/error.js';
import { conditionalProbabilities, type WordSource } from '../numpy.js';
import { advance } from '../pcg64.js';
import { emptyStratumError, MAX_ATTEMPTS } from '../reference/weights.js';
import { type Arena, openArena } from './arena.js';
import type { BootstrapTables } from './bootstrap-tables.js';
import { kernelModule } from './module.js';

/** Starting probabilities are tabulated within this many bytes, around the likely counts. */
const START_BYTES = 32 * 2 ** 20;
/** Likely counts lie within this many standard deviations. */
const SPREADS = 8;
/** Counts are 16-bit; a cluster may take all draws. */
const MAX_REPLAYED_CLUSTERS = 32_767;

/** A replay of the published count stream, batch after batch. */
export interface Replay {
  /** Address of the cluster counts of the last batch, u16. */
  readonly counts: number;
  /** Draws the next `size` rows, with their redraws; returns how many rows were drawn anew. */
  batch(size: number): number;
}

/**
 * Opens the replay of `seed` (statistics 5.2); batches hold at most `largest` draws.
 *
 * Errors: BOUND_EXCEEDED past 32,767 clusters or where a binomial needs another method; STRATUM_EMPTY at the hundredth check.
 */
export function openReplay(arena: Arena, tables: BootstrapTables, seed: bigint, largest: number): Replay {
  const { kernels } = arena;
  const { clusters: n, parts, strata, starts, clusterOf, countStride } = tables;
  if (n > MAX_REPLAYED_CLUSTERS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${n} clusters; a replay holds up to 32,767`,
      'Use --rng philox, or --backend reference.',
    );
  const probabilities = conditionalProbabilities(n);
  const cells = Float64Array.from({ length: 2 * probabilities.length }, (_, k) => {
    const p = probabilities[k >> 1]!;
    return k % 2 === 1 && p > 0.5 ? 1 - p : p;
  });
  const half = Math.min(Math.ceil((SPREADS * Math.sqrt(n)) / 2), Math.floor((START_BYTES / 8 / n - 1) / 2));
  const width = 2 * half + 1;
  const lowest = Int32Array.from(probabilities, (_, j) => n - j - half);
  const cellsAt = arena.put(cells);
  const lowestAt = arena.put(lowest);
  const startsAt = arena.take(probabilities.length * width * 8);
  kernels.multinomialStarts({ cells: cellsAt, first: lowestAt, count: probabilities.length, width, starts: startsAt });
  const state = arena.put(advance(seed, 0));
  const counts = arena.take(largest * n * 2);
  const gathered = arena.take(largest * countStride);
  const marks = arena.take(largest);

  const draw = (row: number, rows: number): void => {
    const out = counts + row * n * 2;
    if (kernels.multinomialRows({ state, rows, n, cells: cellsAt, first: lowestAt, width, starts: startsAt, out }))
      fail('BOUND_EXCEEDED', null, 'a binomial of the replay needs the BTPE method', 'Use --rng philox.');
  };
  return {
    counts,
    batch(size) {
      let redraws = 0;
      draw(0, size);
      for (let check = 1; ; check++) {
        const [draws, stride] = [size, countStride];
        kernels.gatherCounts({ counts: gathered, stride, draws, parts, clusters: n, clusterOf, given: counts });
        kernels.markEmpty({ counts: gathered, stride, draws, starts, strata, marks });
        const marked = arena.get(marks, new Uint8Array(size));
        if (!marked.includes(1)) return redraws;
        if (check === MAX_ATTEMPTS) throw emptyStratumError();
        marked.forEach((mark, row) => {
          if (mark === 0) return;
          draw(row, 1);
          redraws++;
        });
      }
    },
  };
}

const BLOCK = 1 << 16;

/** Opens the 32-bit outputs of NumPy's `PCG64(seed)`, made by the kernels a block at a time (statistics 3.2). */
export function pcgWordSource(seed: bigint): WordSource {
  const arena = openArena(kernelModule());
  const state = arena.put(advance(seed, 0));
  const out = arena.take(BLOCK * 4);
  const words = new Uint32Array(BLOCK);
  let used = BLOCK;
  return {
    nextUint32() {
      if (used === BLOCK) {
        arena.kernels.pcgWords({ state, out, count: BLOCK });
        arena.get(out, words);
        used = 0;
      }
      return words[used++]!;
    },
  };
}
