import { expect, it } from 'vitest';
import { coverage, power } from '../../src/analyses/index.js';
import { assertDatasets } from '../../src/analyses/simulated-work.js';
import { createEngine } from '../../src/engine/index.js';
import { clusterDesign } from '../../src/inference/cluster-design.js';
import { strataOf } from '../../src/inference/strata.js';
import { smallMatrix } from '../support/small-matrix.js';

const matrix = smallMatrix({
  rows: [0, 1, 2].map((m) => Array.from({ length: 40 }, (_, t) => ((t * 7 + m * 13) % 100) * (m + 1))),
});
const design = clusterDesign(matrix, strataOf(matrix, 'family'));

it('a simulation of a thousand million data sets says how long it would take, and is not begun', () => {
  expect(() => assertDatasets(1_000_000, 20_000, design)).not.toThrow();
  expect(() => assertDatasets(1e9, 20_000, design)).toThrow(
    /^1000000000 data sets of 20,000 flips would take about [\d,]+ hours on one thread; at most 1000000 are simulated$/,
  );
});

it('coverage and power refuse it', async () => {
  const refused = expect.objectContaining({ code: 'BOUND_EXCEEDED' });
  await expect(coverage({ matrix, datasets: 1e9 } as never)).rejects.toEqual(refused);
  await expect(power({ matrix, datasets: 1e9 } as never)).rejects.toEqual(refused);
});

it('more flips or draws than 32 bits count are refused before the first', async () => {
  const engine = await createEngine({ backend: 'wasm' });
  const random = { kind: 'philox', seed: 1n, stream: 1 } as const;
  await expect(engine.flips(design, { draws: 2 ** 31, random })).rejects.toMatchObject({
    code: 'BOUND_EXCEEDED',
    message: '2147483648 draws; at most 2147483647 are counted',
  });
  await engine.close();
});
