import type { ValueTable } from './select.js';

/** Counts draws in which row r took rank k + 1, ranked x ranked: higher value first, equal values by lower row (statistics 5.5). */
export function rankCounts(table: ValueTable, ranked: number): Uint32Array {
  const { values, draws, rows } = table;
  const counts = new Uint32Array(ranked * ranked);
  const order = Array.from({ length: ranked }, (_, m) => m);
  for (let draw = 0; draw < draws; draw++) {
    const at = draw * rows;
    order.sort((a, b) => values[at + b]! - values[at + a]! || a - b);
    order.forEach((row, place) => {
      counts[row * ranked + place]!++;
    });
  }
  return counts;
}

/**
 * Counts draws by the best and the worst rank of each row, ranked x ranked both: 1 + the rows strictly above it; the rows at or
 * above it, itself included (decisions 1.2).
 */
export function sharedRankCounts(table: ValueTable, ranked: number): { best: Uint32Array; worst: Uint32Array } {
  const { values, draws, rows } = table;
  const best = new Uint32Array(ranked * ranked);
  const worst = new Uint32Array(ranked * ranked);
  for (let draw = 0; draw < draws; draw++) {
    const here = values.subarray(draw * rows, draw * rows + ranked);
    here.forEach((value, row) => {
      let above = 0;
      let level = 0;
      for (const other of here) {
        if (other > value) above++;
        if (other >= value) level++;
      }
      best[row * ranked + above]!++;
      worst[row * ranked + level - 1]!++;
    });
  }
  return { best, worst };
}
