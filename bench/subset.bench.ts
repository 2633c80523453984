import type { Bench } from 'tinybench';
import { philoxDraw } from '../src/engine/index.js';
import { referenceSubsetTotals } from '../src/engine/reference/subset.js';
import { openWasmSubsetTotals } from '../src/engine/wasm/subset.js';

const ROWS = 27;
const STRATA = 6;
const EACH = 89;
const SIZES = [30, 60, 90, 150, 270];

/** Totals of 27 models over 5,000 stratified subsets at each of the five published sizes. */
export function register(bench: Bench): void {
  const words = philoxDraw({ seed: 1n, stream: 0xbe7c, draw: 2 });
  const columns = Int32Array.from({ length: STRATA * EACH * ROWS }, () => words.word() % 10_001);
  const members = Array.from({ length: STRATA }, (_, s) => Int32Array.from({ length: EACH }, (_, i) => s * EACH + i));
  const request = (tasks: number, draws: number) => ({
    columns,
    rows: ROWS,
    members,
    takes: members.map(() => tasks / STRATA),
    draws,
    seed: 20260820n,
    stream: 0x1000 + tasks,
  });
  const wasm = openWasmSubsetTotals();
  bench
    .add('5,000 subsets at each of 5 sizes, wasm', () => {
      for (const tasks of SIZES) wasm(request(tasks, 5000));
    })
    .add('100 subsets of 270 tasks, reference', () => {
      referenceSubsetTotals(request(270, 100));
    });
}
