import { expect, it } from 'vitest';
import { coverage as coverageAnalysis } from '../../src/analyses/coverage/coverage.js';
import { statedOptions } from '../../src/analyses/declared-options.js';
import { coverage, power } from '../../src/analyses/index.js';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { power as powerAnalysis } from '../../src/analyses/power/power.js';
import { forecastDatasets } from '../../src/analyses/simulated-work.js';
import { forecastWords } from '../../src/cli/forecast-note.js';
import type { Engine } from '../../src/engine/engine.js';
import { type Forecast, forecastEngine } from '../../src/engine/forecast-engine.js';
import { createEngine } from '../../src/engine/index.js';
import { clusterDesign } from '../../src/inference/cluster-design.js';
import { strataOf } from '../../src/inference/strata.js';
import { smallMatrix } from '../support/small-matrix.js';

const matrix = smallMatrix({
  rows: [0, 1, 2].map((m) => Array.from({ length: 40 }, (_, t) => ((t * 7 + m * 13) % 100) * (m + 1))),
});
const design = clusterDesign(matrix, strataOf(matrix, 'family'));

it('a simulation of a thousand million data sets says how long it would take, and is not begun', () => {
  expect(() => forecastDatasets({ datasets: 1_000_000, flips: 20_000, design })).not.toThrow();
  expect(() => forecastDatasets({ datasets: 1e9, flips: 20_000, design })).toThrow(
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

it('coverage and power say what they will take before the first data set', async () => {
  const engine = await createEngine({ backend: 'wasm' });
  for (const analysis of [powerAnalysis, coverageAnalysis]) {
    const heard: string[] = [];
    const inputs = {
      matrix: async () => matrix,
      matrixWarnings: async () => [],
      engine: async () => engine,
      onForecast: ({ what, milliseconds }: Forecast) => heard.push(`${what}, some ${milliseconds > 0}`),
      onProgress: (stage: string, done: number) => heard.push(`${stage} ${done}`),
    } as unknown as AnalysisInputs;
    const defaults = statedOptions(analysis.options, { plan: {}, rng: null, seed: null });
    await analysis.run(inputs, {
      ...defaults,
      datasets: 2,
      flips: 2000,
      draws: 1000,
      difference: 1,
      simulation: true,
    } as never);
    const expected = { power: '2 data sets of 2,000 flips', coverage: '2 data sets of 4,000 flips and 2,000 draws' };
    expect(heard.slice(0, 2)).toEqual([`${expected[analysis.name as 'power']}, some true`, 'data sets 0']);
  }
  await engine.close();
});

it('an engine that is followed says of each call what it will take before it starts', async () => {
  const said: string[] = [];
  const started = (name: string) => async () => {
    said.push(name);
    return {} as never;
  };
  const calls = ['bootstrap', 'bootstrapValues', 'studentised', 'flips', 'exactFlips'] as const;
  const inner = Object.fromEntries(calls.map((name) => [name, started(name)])) as unknown as Engine;
  const engine = forecastEngine(inner, ({ what, milliseconds, bytes }) => {
    said.push(`${what} ${milliseconds > 0} ${bytes}`);
  });
  for (const name of calls) await engine[name](design, { draws: 2_000_000_000, random: { kind: 'philox' } } as never);
  const rows = design.rows;
  expect(said).toEqual([
    `2,000,000,000 bootstrap draws true ${15 * 2 ** 28}`,
    'bootstrap',
    `2,000,000,000 bootstrap draws true ${16_000_000_000 * rows}`,
    'bootstrapValues',
    `2,000,000,000 studentised draws true ${15 * 2 ** 28}`,
    'studentised',
    '2,000,000,000 sign flips true 0',
    'flips',
    `${(2 ** 30).toLocaleString('en')} sign vectors true 0`,
    'exactFlips',
  ]);
});

it('a forecast is words of time, threads and memory', () => {
  const forecast = { what: '2,000,000,000 sign flips', milliseconds: 7_200_000, bytes: 2 ** 30 };
  expect(forecastWords(forecast, 2)).toBe(
    '2,000,000,000 sign flips will take about 1h0m on 2 threads and 1.1 GiB of memory; Ctrl-C stops it',
  );
});
