import type { Bench } from 'tinybench';
import { referenceMapKernels } from '../src/engine/reference/maps.js';
import { openWasmMapKernels } from '../src/engine/wasm/maps.js';

const ROWS = 1790;
const DIMS = 300;
const TASKS = 1280;

/** Cosine tables, and the cosines of 1,280 tasks of eight choices, over 1,790 rows of 300 numbers. */
export function register(bench: Bench): void {
  const rows = Float64Array.from({ length: ROWS * DIMS }, (_, i) => Math.sin(i * 0.7));
  const right = Uint32Array.from({ length: 1335 }, (_, i) => i);
  const members = Uint32Array.from({ length: TASKS * 9 }, (_, i) => (i * 7919) % ROWS);
  const wasm = openWasmMapKernels();
  const table = { rows, dims: DIMS, left: right.subarray(0, 64), right };
  const similarities = { rows, dims: DIMS, choices: 8, members };
  bench
    .add('gram 1335 x 1335 x 300, wasm', () => {
      wasm.gram({ ...table, left: right });
    })
    .add('gram 64 x 1335 x 300, wasm', () => {
      wasm.gram(table);
    })
    .add('gram 64 x 1335 x 300, reference', () => {
      referenceMapKernels.gram(table);
    })
    .add('cosines of 1,280 tasks, wasm', () => {
      wasm.taskSimilarities(similarities);
    })
    .add('cosines of 1,280 tasks, reference', () => {
      referenceMapKernels.taskSimilarities(similarities);
    });
}
