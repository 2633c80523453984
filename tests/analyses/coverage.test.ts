import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverage } from '../../src/analyses/coverage/coverage.js';
import { drawCoverage } from '../../src/analyses/coverage/figure.js';
import { type CheckedPlan, type CoverageResults, simulateCoverage } from '../../src/analyses/coverage/simulation.js';
import { equalWorld, exchangedModels } from '../../src/analyses/coverage/worlds.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine, type Engine, philoxDraw } from '../../src/engine/index.js';
import { smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});
afterAll(() => engine.close());

const TASKS = 60;
const rows = [0, 1, 2, 3].map((m) => {
  const noise = philoxDraw({ seed: 7n, stream: 0, draw: m }).indices(3001, TASKS);
  return Array.from(noise, (value) => 4000 + value + 700 * m);
});
const matrix = smallMatrix({
  rows,
  families: rows[0]!.map((_, t) => (t % 2 === 0 ? 'pairing' : 'constraint')),
  chance: rows[0]!,
});
const PLAN = { strata: 'family', scheme: 'joint', alpha: 0.05, seed: 5n, draws: 400, flips: 999 } as const;

interface Run extends Partial<CheckedPlan> {
  readonly matrix?: ScoreMatrix;
  readonly engine?: Engine;
  readonly datasets?: number;
}

const run = ({ matrix: table = matrix, engine: own = engine, datasets = 200, ...plan }: Run = {}) =>
  simulateCoverage({ matrix: table, engine: own, datasets, plan: { ...PLAN, ...plan } });

const outcomeOf = (results: CoverageResults) => ({
  plan: { strata: 'family', scheme: 'joint', alpha: 0.05, datasets: 400, draws: 400, flips: 999 } as const,
  results,
  models: [],
});
const coverageWords = (results: CoverageResults) => coverage.words(outcomeOf(results));

describe('the coverage check', () => {
  it('finds intervals, rank sets and tests near their level, models that differ by little', async () => {
    const result = await run();
    expect(result.pointwise.rate).toBeGreaterThan(0.02);
    expect(result.pointwise.rate).toBeLessThan(0.1);
    expect(result.pairwise.rate).toBeLessThan(0.1);
    expect(result.simultaneous.interval![0]).toBeLessThan(0.09);
    for (const rate of [result.test, result.holm, result.max_t, result.centred, result.rank_set_equal])
      expect(rate!.interval![0]).toBeLessThan(0.05);
    expect(result.rank_set_simultaneous!.interval![0]).toBeLessThan(0.05);
    expect(result.rank_set_marginal!.rate).toBeLessThan(0.07);
    expect(result.max_t.wrong).toBeGreaterThanOrEqual(result.holm!.wrong);
    expect(result.test).toEqual(result.holm);
    expect(result.models.reduce((sum, { missed }) => sum + missed, 0)).toBe(result.pointwise.wrong);
    expect(result.pointwise.of).toBe(4 * 200);
    expect(result.pairwise.of).toBe(6 * 200);
    expect(result.unseen).toEqual([]);
    const words = coverageWords(result);
    expect(words).toContain('Over 200 data sets drawn from the clusters of this table');
    expect(coverage.columns(outcomeOf(result))[0]?.values).toHaveLength(10);
    expect(drawCoverage(result, { theme: 'light', size: 'screen', alpha: 0.05 })).not.toMatch(/NaN|undefined/);
  });

  it('checks the choices asked for: the centred test, max-T, Student intervals', async () => {
    const result = await run({ datasets: 60, draws: 100, test: 'centred', multiplicity: 'max-t', interval: 'student' });
    expect(result.centred).toBeNull();
    expect(result.test!.wrong).toBeLessThanOrEqual(result.max_t.wrong);
    const plain = await run({ datasets: 60, draws: 100 });
    expect(result.pointwise.wrong).not.toBe(plain.pointwise.wrong);
    expect(result.max_t.wrong).toBe((await run({ datasets: 60, draws: 100, test: 'centred' })).max_t.wrong);
  });

  it('does not depend on the order of the models', async () => {
    const small = { datasets: 30, draws: 60, flips: 200 } as const;
    const order = [2, 0, 3, 1];
    const turned = {
      ...matrix,
      models: order.map((m) => matrix.models[m]!),
      values: Float64Array.from(order.flatMap((m) => rows[m]!)),
    };
    const { models, ...rates } = await run(small);
    const { models: others, ...same } = await run({ ...small, matrix: turned });
    expect(same).toEqual(rates);
    expect(others).toEqual(order.map((m) => models[m]));
  });

  it('gives no clean bill where one cluster stands for a stratum, whatever the rates', async () => {
    const families = rows[0]!.map((_, t) => (t === 0 ? 'alone' : 'pairing'));
    const result = await run({ matrix: { ...matrix, families }, datasets: 20, draws: 60, scheme: 'stratified' });
    expect(result.unseen).toEqual([expect.stringContaining('"alone" has one cluster')]);
    const fine = { wrong: 0, of: 20, rate: 0, interval: [0, 0.1] } as const;
    const sound = { ...result, pointwise: fine, pairwise: fine, simultaneous: fine };
    expect(coverageWords(sound)).toContain('No clean bill for this design');
    expect(coverageWords(sound)).not.toContain('No interval, band or test errs');
  });

  it('gives none to four tasks that never vary: nothing there can be missed, and no test can reject', async () => {
    const four = smallMatrix({ rows: [new Array(4).fill(1), new Array(4).fill(0)], scale: 1 });
    const result = await run({ matrix: four, datasets: 5, draws: 50 });
    expect(result.unseen).toEqual([
      '2 of 2 models have the same mean in every cluster: no data set drawn from them can miss it',
      expect.stringContaining('its least p is 0.125'),
    ]);
    expect(coverageWords(result)).not.toContain('No interval, band or test errs');
  });

  it('keeps 0/1 data what they are where models are equal: near twins are not told apart by a shift', async () => {
    const base = Array.from({ length: 20 }, (_, t) => Number(t % 7 !== 0));
    const twin = (at: number) => base.map((x, t) => (t === at ? 1 - x : x));
    const result = await run({
      matrix: smallMatrix({ rows: [base, twin(3), twin(5), twin(9)], scale: 1 }),
      datasets: 60,
      draws: 60,
    });
    expect(result.test!.wrong).toBeLessThanOrEqual(6);
    expect(result.max_t.wrong).toBeLessThanOrEqual(6);
    const columns = (table: ScoreMatrix) =>
      table.tasks.map((_, t) => [0, 1, 2].map((m) => table.values[m * table.tasks.length + t]!));
    const table = smallMatrix({ rows: [base, twin(3), twin(5)], clusters: base.map((_, t) => `c${t >> 1}`) });
    const made = exchangedModels(table, 3n, 0);
    expect(columns(made).map((x) => x.sort())).toEqual(columns(table).map((x) => x.sort()));
    expect(made.values).not.toEqual(table.values);
  });

  it('moves models to one mean in every stratum, so that constant differences vanish', () => {
    const table = smallMatrix({
      rows: [
        [1, 2, 2, 9, 4],
        [4, 5, 5, 7, 2],
        [0, 3, 1, 1, 1],
      ],
      families: ['pairing', 'pairing', 'pairing', 'constraint', 'constraint'],
    });
    const of = Int32Array.of(0, 0, 0, 1, 1);
    const equal = equalWorld(table, {
      mode: 'family',
      labels: ['pairing', 'constraint'],
      ofTask: of,
      sizes: Int32Array.of(3, 2),
    });
    expect(equal.scale).toBe(6400);
    expect([...equal.values.subarray(0, 5)]).toEqual([...equal.values.subarray(5, 10)]);
    // Means of the families: (5 + 14 + 4) / 9 and (13 + 9 + 2) / 6, in units of a 64th.
    const sum = (m: number, tasks: number[]) => tasks.reduce((total, t) => total + equal.values[5 * m + t]!, 0);
    for (const m of [0, 1, 2]) {
      expect(Math.abs(sum(m, [0, 1, 2]) / 3 - (64 * 23) / 9)).toBeLessThanOrEqual(1);
      expect(Math.abs(sum(m, [3, 4]) / 2 - 256)).toBeLessThanOrEqual(0.5);
    }
  });

  it('is the same on every backend and follows the level asked for', async () => {
    const small = { datasets: 12, draws: 50, flips: 200 } as const;
    const reference = await createEngine({ backend: 'reference' });
    expect(await run({ ...small, engine: reference })).toEqual(await run(small));
    const loose = await run({ alpha: 0.5, draws: 200, datasets: 60 });
    expect(loose.pointwise.rate).toBeGreaterThan(0.35);
    expect(loose.pointwise.rate).toBeLessThan(0.65);
  });

  it('says so when intervals do not cover: few tasks, all of the variation in one', async () => {
    const odd = Array.from({ length: 12 }, (_, t) => (t === 0 ? 10_000 : 0));
    const skewed = smallMatrix({ rows: [odd, odd.map((x) => 2 * x)] });
    const result = await run({ matrix: skewed, datasets: 100 });
    expect(result.pointwise.rate).toBeGreaterThan(0.2);
    expect(coverageWords(result)).toMatch(/missed the true score in [2345]\d\.\d%/);
    expect(result.pointwise.interval?.[0]).toBeGreaterThan(0.1);
    expect(coverageWords(result)).toMatch(
      /More often than nominal beyond simulation error: pointwise interval misses a score/,
    );
  });

  it('names the band in its verdict where the band alone is too narrow', () => {
    const rate = (wrong: number, low: number, high: number) =>
      ({ wrong, of: 200, rate: wrong / 200, interval: [low, high] }) as const;
    const fine = rate(10, 0.02, 0.09);
    const sound = {
      pointwise: fine,
      pairwise: fine,
      simultaneous: fine,
      holm: fine,
      max_t: fine,
      models: [],
      datasets: 200,
    };
    expect(coverageWords(sound)).toContain('No interval, band or test errs more often');
    const narrow = { ...sound, simultaneous: rate(19, 0.058, 0.144) };
    expect(coverageWords(narrow)).toContain(
      'beyond simulation error: simultaneous band misses some score. What is named',
    );
  });

  it('works on clusters that span strata', async () => {
    const clusters = rows[0]!.map((_, t) => `c${t >> 1}`);
    const result = await run({ matrix: { ...matrix, clusters }, datasets: 100, draws: 100 });
    expect(result.pointwise.rate).toBeLessThan(0.15);
    expect(result.holm!.interval![0]).toBeLessThan(0.05);
  });

  it('has a defined result where nothing varies', async () => {
    const flat = smallMatrix({ rows: [rows[0]!.map(() => 3), rows[0]!.map(() => 9)] });
    const result = await run({ matrix: flat, datasets: 5 });
    expect(result.pointwise.rate).toBe(0);
    expect(result.holm!.rate).toBe(0);
    expect(result.rank_set_equal!.rate).toBe(0);
  });

  it('goes over to max-T where Holm could reject nothing, and refuses a Holm that was asked for', async () => {
    const few = { flips: 100, datasets: 10, draws: 50 } as const;
    expect((await run(few)).holm).toBeNull();
    await expect(run({ ...few, multiplicity: 'holm' })).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('at least 120 flips'),
    });
  });

  it('reads a document of version 1, which has five rates and names no test', () => {
    const fine = { wrong: 1, of: 200, rate: 0.005, interval: [0, 0.03] };
    const results = {
      ...{ pointwise: fine, pairwise: fine, simultaneous: fine, holm: fine, max_t: fine },
      models: [{ model: 'a', missed: 1 }],
      datasets: 200,
    };
    const outcome = outcomeOf(coverage.schema.results.parse(results));
    expect(coverage.schema.earlier).toContain('flavourbench-coverage/1');
    expect(coverage.words(outcome)).toContain('drawn from a world like this one in which all models are equal');
    expect(coverage.columns(outcome)[0]?.values).toHaveLength(5);
  });
});
