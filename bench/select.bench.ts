import type { Bench } from 'tinybench';
import { pairCount, philoxDraw } from '../src/engine/index.js';
import { openArena } from '../src/engine/wasm/arena.js';
import { kernelModule } from '../src/engine/wasm/module.js';
import { orderScratch, quantileRanks } from '../src/engine/wasm/order-job.js';

const DRAWS = 50_000;
const ROWS = 27;

/** Both ends of 351 pair intervals over 50,000 draws: tails selected, against sorting in JavaScript. */
export function register(bench: Bench): void {
  const arena = openArena(kernelModule());
  const { order } = quantileRanks(arena, DRAWS, [0.025, 0.975]);
  const words = philoxDraw({ seed: 1n, stream: 0xbe7c, draw: 1 });
  const rows = Array.from({ length: ROWS }, () => {
    const sums = new Float64Array(DRAWS);
    for (let d = 0; d < DRAWS; d++) for (let k = 0; k < 6; k++) sums[d]! += words.word() / 2 ** 32;
    return sums;
  });
  const at = rows.map((row) => arena.put(row));
  const means = rows.map((row) => row.reduce((a, b) => a + b, 0) / DRAWS);
  const scratch = arena.take(orderScratch(DRAWS));
  const out = arena.take(64);
  bench
    .add(`${pairCount(ROWS)} pair intervals by their tails, wasm`, () => {
      for (let i = 0; i < ROWS; i++)
        for (let j = i + 1; j < ROWS; j++)
          arena.kernels.orderStatistics({
            left: at[i]!,
            right: at[j]!,
            n: DRAWS,
            mean: means[i]! - means[j]!,
            scratch,
            out,
            ...order,
          });
    })
    .add('1 pair interval by sorting, reference', () => {
      rows[0]!.map((value, d) => value - rows[1]![d]!).sort();
    });
}
