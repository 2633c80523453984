import type { Bench } from 'tinybench';
import { philoxBlock } from '../src/engine/index.js';
import { openArena } from '../src/engine/wasm/arena.js';
import { kernelModule } from '../src/engine/wasm/module.js';

const DRAWS = 50_000;
const CLUSTERS = 534;

/** The words of 50,000 bootstrap draws over 534 clusters: 26.7 million. */
export function register(bench: Bench): void {
  const { kernels, take } = openArena(kernelModule());
  const out = take(4096);
  const block = new Uint32Array(4);
  const words = { first: 0, drawHigh: 0, stream: 0, seedLow: 1, seedHigh: 2 };
  bench
    .add('26.7 million Philox words as cluster indices, wasm', () => {
      for (let draw = 0; draw < DRAWS; draw++)
        kernels.philoxWords({ out, count: CLUSTERS, drawLow: draw, scale: CLUSTERS, ...words });
    })
    .add('1 million Philox words, reference', () => {
      for (let counter = 0; counter < 250_000; counter++) philoxBlock([counter, 0, 0, 0], [1, 2], block);
    });
}
