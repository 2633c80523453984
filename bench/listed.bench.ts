import type { Bench } from 'tinybench';
import { philoxDraw } from '../src/engine/index.js';
import { referenceListedTotals } from '../src/engine/reference/listed.js';
import { openWasmListedTotals } from '../src/engine/wasm/listed.js';

const ROWS = 54;
const COLUMNS = 534;
const LENGTH = 89;

/** Totals of two boards of 27 models over listed tasks of one stratum, as a replayed bootstrap lists them. */
export function register(bench: Bench): void {
  const words = philoxDraw({ seed: 1n, stream: 0xbe7c, draw: 3 });
  const columns = Int32Array.from({ length: COLUMNS * ROWS }, () => words.word() % 10_001);
  const lists = (draws: number) => words.indices(COLUMNS, draws * LENGTH);
  const [many, few] = [lists(4096), lists(100)];
  const sums = new Int32Array(4096 * ROWS);
  const wasm = openWasmListedTotals({ columns, rows: ROWS });
  const reference = referenceListedTotals({ columns, rows: ROWS });
  bench
    .add('4,096 lists of 89 columns, 54 rows, wasm', () => {
      sums.fill(0);
      wasm(sums, 0, many, LENGTH);
    })
    .add('100 lists of 89 columns, 54 rows, reference', () => {
      sums.fill(0);
      reference(sums, 0, few, LENGTH);
    });
}
