import type { Bench } from 'tinybench';
import { pairCount } from '../src/engine/design.js';
import type { PortfolioRequest } from '../src/engine/maps.js';
import { referenceMapKernels } from '../src/engine/reference/maps.js';
import { openWasmMapKernels } from '../src/engine/wasm/maps.js';

function batch(tasks: number, choices: number, select: number, allowed: number): PortfolioRequest {
  const pairs = pairCount(choices);
  return {
    choices,
    select,
    singles: Float64Array.from({ length: tasks * choices }, (_, i) => Math.sin(i)),
    pairs: Float64Array.from({ length: tasks * pairs }, (_, i) => Math.cos(i)),
    weights: Float64Array.from({ length: tasks * 2 }, (_, i) => (i % 2 === 0 ? 0.8 : 0.2)),
    allowed: new Uint32Array(tasks).fill(allowed),
    conflicts: new Uint32Array(tasks * Math.ceil(pairs / 32)),
    leastFeasible: 4,
    leastRange: 1e-6,
  };
}

/** Maps of tasks whose similarities are known; tasks a second = the number in the name x operations a second. */
export function register(bench: Bench): void {
  const wasm = openWasmMapKernels();
  const free = batch(20_000, 8, 3, 0xff);
  const constrained = batch(20_000, 8, 3, 0b1010_1010);
  const general = batch(1_000, 12, 4, 0xfff);
  const small = batch(1_000, 8, 3, 0xff);
  bench
    .add('20,000 maps of 3 of 8, wasm', () => {
      wasm.portfolioMaps(free);
    })
    .add('20,000 maps of 3 of 8, four allowed, wasm', () => {
      wasm.portfolioMaps(constrained);
    })
    .add('1,000 maps of 4 of 12, wasm', () => {
      wasm.portfolioMaps(general);
    })
    .add('1,000 maps of 3 of 8, reference', () => {
      referenceMapKernels.portfolioMaps(small);
    });
}
