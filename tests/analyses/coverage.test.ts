import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverage } from '../../src/analyses/coverage/coverage.js';
import { drawCoverage } from '../../src/analyses/coverage/figure.js';
import {
  type CoverageResults,
  type CoverageSimulation,
  simulateCoverage,
} from '../../src/analyses/coverage/simulation.js';
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
const run = (more: Partial<CoverageSimulation> = {}) =>
  simulateCoverage({
    matrix,
    engine,
    strata: 'family',
    scheme: 'joint',
    alpha: 0.05,
    seed: 5n,
    datasets: 400,
    draws: 400,
    flips: 999,
    ...more,
  });

const outcomeOf = (results: CoverageResults) => ({
  plan: { strata: 'family', scheme: 'joint', alpha: 0.05, datasets: 400, draws: 400, flips: 999 } as const,
  results,
  models: [],
});
const coverageWords = (results: CoverageResults) => coverage.words(outcomeOf(results));

describe('the coverage check', () => {
  it('finds intervals and tests near their level, even where the models of the matrix differ', async () => {
    const result = await run();
    expect(result.pointwise.rate).toBeGreaterThan(0.02);
    expect(result.pointwise.rate).toBeLessThan(0.1);
    expect(result.pairwise.rate).toBeLessThan(0.1);
    expect(result.simultaneous.interval![0]).toBeLessThan(0.09);
    expect(result.holm.interval![0]).toBeLessThan(0.05);
    expect(result.max_t.interval![0]).toBeLessThan(0.05);
    expect(result.max_t.wrong).toBeGreaterThanOrEqual(result.holm.wrong);
    expect(result.models.reduce((sum, { missed }) => sum + missed, 0)).toBe(result.pointwise.wrong);
    expect(result.pointwise.of).toBe(4 * 400);
    expect(result.pairwise.of).toBe(6 * 400);
    const words = coverageWords(result);
    expect(words).toContain('Over 400 data sets');
    expect(words).toContain('simulation error: simultaneous band misses some score. What');
    expect(coverage.columns(outcomeOf(result))[0]?.values).toHaveLength(5);
    expect(drawCoverage(result, { theme: 'light', size: 'screen', alpha: 0.05 })).not.toMatch(/NaN|undefined/);
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
    expect(coverageWords(result)).toMatch(/missed the true score in [345]\d\.\d%/);
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
    expect(result.holm.interval![0]).toBeLessThan(0.05);
  });

  it('has a defined result where nothing varies', async () => {
    const flat = smallMatrix({ rows: [rows[0]!.map(() => 3), rows[0]!.map(() => 9)] });
    const result = await run({ matrix: flat, datasets: 5 });
    expect(result.pointwise.rate).toBe(0);
    expect(result.holm.rate).toBe(0);
  });

  it('refuses too few flips for Holm to decide anything', async () => {
    await expect(run({ flips: 100 })).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('at least 120 flips'),
    });
  });
});
