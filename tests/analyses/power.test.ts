import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { powerAnalysis, powerAt } from '../../src/analyses/power/pilot.js';
import { power } from '../../src/analyses/power/power.js';
import { simulatePower } from '../../src/analyses/power/simulation.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { detectableDifference, tasksNeeded } from '../../src/inference/tasks-needed.js';
import { goldenMatrix } from '../support/golden-matrix.js';
import { noShared } from '../support/shared.js';
import { numbersIn, smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});
afterAll(() => engine.close());

describe('the power formula', () => {
  it('gives the published plans their stated power', () => {
    const wide = { alpha: 0.05, hypotheses: 325 };
    expect(powerAt(2, 20, 1178, wide)).toBeCloseTo(0.362, 3);
    expect(powerAt(3, 20, 1178, wide)).toBeCloseTo(0.9136, 4);
    expect(powerAt(4, 20, 1178, wide)).toBeCloseTo(0.99896, 5);
    const narrow = { alpha: 0.05, hypotheses: 190 };
    expect(powerAt(3, 20, 640, narrow)).toBeCloseTo(0.5579, 4);
    expect(powerAt(5, 20, 640, narrow)).toBeCloseTo(0.99627, 5);
  });

  it('keeps its critical value where 1 minus the level rounds to 1', () => {
    // scipy 1.17 `norm.isf` of alpha / (2 x hypotheses), and `norm.ppf(0.8)`.
    const needed = (z: number) => Math.ceil(((z + 0.8416212335729143) * 25) ** 2 / 9);
    expect(tasksNeeded(3, 25, 0.8, { alpha: 0.05, hypotheses: 1e15 })).toBe(needed(8.386695003346116));
    expect(tasksNeeded(3, 25, 0.8, { alpha: 2e-100, hypotheses: 1 })).toBe(needed(21.273453560965322));
  });

  it('refuses a level that has no quantile', () => {
    const matrix = smallMatrix({
      rows: [
        [100, 200, 300],
        [400, 300, 900],
      ],
    });
    const plan = { matrix, strata: 'family', target: 0.8, difference: 3 } as const;
    expect(() => powerAnalysis({ ...plan, alpha: 1e-300, hypotheses: 1000 })).toThrow(
      'alpha 1e-300 over 1000 hypotheses: a tail below 1e-300',
    );
    expect(powerAnalysis({ ...plan, alpha: 0.05, hypotheses: 1e15 }).hypotheses).toBe(1e15);
  });

  it('is inverted by the tasks needed and by the detectable difference', () => {
    const level = { alpha: 0.05, hypotheses: 10 };
    const tasks = tasksNeeded(3, 25, 0.8, level)!;
    expect(powerAt(3, 25, tasks, level)).toBeGreaterThanOrEqual(0.8);
    expect(powerAt(3, 25, tasks - 1, level)).toBeLessThan(0.8);
    expect(powerAt(detectableDifference(25, 500, 0.9, level), 25, 500, level)).toBeCloseTo(0.9, 12);
    expect(tasksNeeded(0, 25, 0.8, level)).toBeNull();
    expect(tasksNeeded(3, 0, 0.8, level)).toBe(1);
    expect(powerAt(0, 0, 10, level)).toBe(0);
  });
});

const wavy = (m: number, n: number) =>
  Array.from({ length: n }, (_, t) => 5000 + ((t * 7919 + m * 104_729) % 2003) + 120 * m);

describe('a plan from pilot data', () => {
  const matrix = smallMatrix({ rows: [0, 1, 2].map((m) => wavy(m, 60)) });
  const options = { matrix, strata: 'family', alpha: 0.05, target: 0.8, difference: 2 } as const;

  it('takes the standard error that the bootstrap finds', async () => {
    const { pairs } = powerAnalysis(options);
    const { pairs: inferred } = await runInference({ matrix, engine, plan: { draws: 20_000 } });
    pairs.forEach(({ sigma, observed }, k) => {
      const half = sigma / Math.sqrt(60);
      const [low, high] = inferred[k]!.interval;
      expect(observed).toBe(inferred[k]!.meanDifference);
      expect((high - low) / 2 / (1.96 * half)).toBeGreaterThan(0.9);
      expect((high - low) / 2 / (1.96 * half)).toBeLessThan(1.1);
    });
  });

  it('has the standard deviation of the differences as error where each task is a cluster of one stratum', () => {
    const [a, b] = [wavy(0, 60), wavy(1, 60)];
    const d = a.map((value, t) => (value - b[t]!) / 100);
    const mean = d.reduce((x, y) => x + y) / 60;
    const variance = d.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 59;
    expect(powerAnalysis(options).pairs[0]!.sigma).toBeCloseTo(Math.sqrt(variance), 10);
  });

  it('resolves a larger share with more tasks, and never all where a difference is zero', () => {
    const plan = powerAnalysis(options);
    for (let k = 1; k < plan.curve.length; k += 1)
      expect(plan.curve[k]!.share).toBeGreaterThanOrEqual(plan.curve[k - 1]!.share);
    expect(plan.hypotheses).toBe(3);
    const same = smallMatrix({ rows: [wavy(0, 60), wavy(0, 60), wavy(2, 60)] });
    const { shares, pairs } = powerAnalysis({ ...options, matrix: same });
    expect(pairs[0]).toMatchObject({ observed: 0, sigma: 0, tasks_needed: 7 });
    expect(shares.at(-1)).toEqual({ share: 0.9, tasks: null });
    expect(shares[0]?.tasks).toBeGreaterThan(0);
  });

  it('counts a cluster once however many tasks it holds', () => {
    const twice = smallMatrix({
      rows: [0, 1].map((m) => wavy(m, 60).flatMap((value) => [value, value])),
      clusters: Array.from({ length: 120 }, (_, t) => `c${t >> 1}`),
    });
    const once = powerAnalysis({
      ...options,
      matrix: smallMatrix({ rows: [wavy(0, 60), wavy(1, 60)] }),
    });
    const doubled = powerAnalysis({ ...options, matrix: twice });
    expect(doubled.pairs[0]!.tasks_needed! / once.pairs[0]!.tasks_needed!).toBeCloseTo(2, 1);
  });

  it('never plans fewer clusters than a rejection takes: 2 / 2^7 times 3 tests, or 2 / 2^6 under max-T', () => {
    const clusters = Array.from({ length: 60 }, (_, t) => `c${t >> 1}`);
    const matrix = smallMatrix({ rows: [0, 1, 2].map((m) => wavy(m, 60)), clusters });
    const holm = powerAnalysis({ ...options, matrix, difference: 20 });
    expect(holm).toMatchObject({ clusters_now: 30, least_clusters: 7, least_tasks: 14, lone_strata: [] });
    expect(holm.pairs.map((pair) => pair.tasks_needed)).toEqual([14, 14, 14]);
    expect(holm.curve.filter(({ share, tasks }) => share > 0 && tasks < 14)).toEqual([]);
    expect(powerAnalysis({ ...options, matrix, difference: 20, multiplicity: 'max-t' })).toMatchObject({
      least_clusters: 6,
      least_tasks: 12,
    });
    const few = powerAnalysis({ ...options, matrix: smallMatrix({ rows: [wavy(0, 5), wavy(1, 5)] }) });
    expect(few.pairs[0]!.detectable_now).toBeNull();
    expect(few.pairs[0]!.tasks_needed).toBeGreaterThanOrEqual(6);
  });

  it('names a stratum in which one cluster stands for all', () => {
    const families = Array.from({ length: 60 }, (_, t) => (t === 0 ? 'alone' : 'pairing'));
    const matrix = smallMatrix({ rows: [wavy(0, 60), wavy(1, 60)], families });
    expect(powerAnalysis({ ...options, matrix }).lone_strata).toEqual(['alone']);
  });

  it.each([{ target: 0 }, { target: 1 }, { difference: 0 }, { alpha: 2 }])(
    'is refused with the options %o',
    (wrong) => {
      expect(() => powerAnalysis({ ...options, ...wrong })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    },
  );

  it('refuses a difference that no two scores of the pilot can have', () => {
    const rows = [
      [0, 1, 1, 0],
      [1, 0, 1, 1],
    ];
    const binary = smallMatrix({ rows, scale: 1 });
    expect(() => powerAnalysis({ ...options, matrix: binary, difference: 3 })).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining('between 0 and 1'),
        hint: expect.stringContaining('--difference is in points'),
      }),
    );
    expect(powerAnalysis({ ...options, matrix: binary, difference: 1 }).pairs).toHaveLength(1);
  });

  it('refuses a single model and a single cluster', () => {
    const one = smallMatrix({ rows: [[1, 2]] });
    expect(() => powerAnalysis({ ...options, matrix: one })).toThrow(/one model/);
    const rows = [
      [1, 2],
      [3, 9],
    ];
    const cluster = smallMatrix({ rows, clusters: ['c', 'c'] });
    expect(() => powerAnalysis({ ...options, matrix: cluster })).toThrow(/one cluster/);
  });

  it('has no NaN where differences are constant or out of reach', () => {
    const rows = [
      [100, 200, 300],
      [200, 300, 400],
      [100, 900, 250],
    ];
    const plan = powerAnalysis({ ...options, matrix: smallMatrix({ rows }) });
    for (const [path, value] of numbersIn(plan)) expect(value, path).toSatisfy(Number.isFinite);
    // Three tests take 7 clusters; the three of the pilot show nothing.
    expect(plan.pairs[0]).toMatchObject({ sigma: 0, tasks_needed: 7, detectable_now: null });
    expect(plan.shares[0]).toEqual({ share: 0.25, tasks: 7 });
    expect(tasksNeeded(1e-300, 3, 0.8, { alpha: 0.05, hypotheses: 1 })).toBeNull();
  });
});

describe('the check of a plan by simulation', () => {
  it('finds the planned power, and the level where there is no difference', async () => {
    const matrix = smallMatrix({ rows: [wavy(0, 80), wavy(1, 80)] });
    const options = { strata: 'family', alpha: 0.05, target: 0.8, difference: 3, matrix } as const;
    const { pairs } = powerAnalysis(options);
    const call = {
      matrix,
      engine,
      strata: 'family',
      pair: [0, 1],
      tasks: pairs[0]!.tasks_needed!,
      alpha: 0.05,
      hypotheses: 1,
      test: 'sign-flip',
      multiplicity: 'holm',
      seed: 1n,
      datasets: 300,
      flips: 999,
    } as const;
    const at = await simulatePower({ ...call, difference: 3 });
    expect(at.interval[0]).toBeLessThan(0.83);
    expect(at.interval[1]).toBeGreaterThan(0.77);
    const none = await simulatePower({ ...call, difference: 0 });
    expect(none.interval[0]).toBeLessThan(0.06);
    expect(none.power).toBeLessThan(0.1);
    expect(await simulatePower({ ...call, difference: 3 })).toEqual(at);
    await expect(simulatePower({ ...call, difference: 3, tasks: 1e9 })).rejects.toMatchObject({
      code: 'BOUND_EXCEEDED',
    });
  });

  it('simulates the test in force: max-T over all models of the pilot, the centred test over two strata', async () => {
    const families = Array.from({ length: 80 }, (_, t) => (t % 2 === 0 ? 'pairing' : 'constraint'));
    const tilted = [0, 1, 2].map((m) => wavy(m, 80).map((value, t) => value + (m === 1 && t % 2 === 0 ? 6000 : 0)));
    const matrix = smallMatrix({ rows: tilted, families });
    const call = {
      matrix,
      engine,
      strata: 'family',
      pair: [0, 1],
      tasks: 80,
      difference: 6,
      alpha: 0.05,
      hypotheses: 3,
      seed: 3n,
      datasets: 120,
      flips: 999,
    } as const;
    const powerOf = async (test: 'sign-flip' | 'centred', multiplicity: 'holm' | 'max-t') =>
      (await simulatePower({ ...call, test, multiplicity })).power;
    // Strata that differ by 60 points hide the difference from the plain test.
    expect(await powerOf('centred', 'holm')).toBeGreaterThan((await powerOf('sign-flip', 'holm')) + 0.3);
    expect(await powerOf('centred', 'max-t')).toBeGreaterThanOrEqual(await powerOf('centred', 'holm'));
    const none = await simulatePower({ ...call, test: 'centred', multiplicity: 'max-t', difference: 0 });
    expect(none.interval[0]).toBeLessThan(0.05);
  });

  it('goes through all sign vectors of few clusters, and refuses flips that no rejection could come from', async () => {
    const matrix = smallMatrix({ rows: [wavy(0, 8), wavy(1, 8)] });
    const call = {
      matrix,
      engine,
      strata: 'family',
      pair: [0, 1],
      tasks: 8,
      difference: 60,
      alpha: 0.05,
      hypotheses: 1,
      seed: 3n,
      datasets: 20,
      test: 'sign-flip',
      multiplicity: 'holm',
    } as const;
    expect((await simulatePower({ ...call, flips: 256 })).power).toBe(1);
    await expect(simulatePower({ ...call, flips: 19 })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it.skipIf(noShared)('holds on golden/a for the median pair', async () => {
    const matrix = goldenMatrix('a');
    const plan = powerAnalysis({
      matrix,
      strata: 'panel-family',
      alpha: 0.05,
      target: 0.8,
      difference: 4,
    });
    const middle = plan.spread[1]!;
    const k = plan.pairs.findIndex(({ sigma }) => sigma === middle.sigma);
    const { left, right } = plan.pairs[k]!;
    const simulated = await simulatePower({
      matrix,
      engine,
      strata: 'panel-family',
      pair: [matrix.models.indexOf(left), matrix.models.indexOf(right)],
      difference: 4,
      tasks: middle.tasks_needed!,
      alpha: 0.05,
      hypotheses: plan.hypotheses,
      test: 'sign-flip',
      multiplicity: 'holm',
      seed: 20260820n,
      datasets: 128,
      flips: 20_000,
    });
    expect(simulated.tasks).toBe(middle.tasks_needed);
    expect(simulated.interval[0]).toBeLessThan(0.85);
    expect(simulated.interval[1]).toBeGreaterThan(0.75);
  });
});

describe('the power analysis', () => {
  const outcomeOf = (matrix: ScoreMatrix, more: object = {}) => {
    const inputs = { matrix: async () => matrix, matrixWarnings: async () => [], engine: async () => engine };
    const options = {
      difference: 5,
      power: 0.8,
      strata: 'family',
      alpha: 0.05,
      datasets: 8,
      simulation: true,
    } as const;
    return power.run(inputs as unknown as AnalysisInputs, { ...options, ...more });
  };

  it('does not depend on the order of the models', async () => {
    const table = [0, 1, 2, 3].map((m) => wavy(m, 40));
    const matrix = smallMatrix({ rows: table });
    const order = [2, 3, 0, 1];
    const turned = {
      ...matrix,
      models: order.map((m) => matrix.models[m]!),
      values: Float64Array.from(order.flatMap((m) => table[m]!)),
    };
    expect((await outcomeOf(turned)).results).toEqual((await outcomeOf(matrix)).results);
  });

  it('says what four tasks that never vary can plan, and which test it plans for', async () => {
    const four = smallMatrix({ rows: [new Array(4).fill(900), new Array(4).fill(100)] });
    const outcome = await outcomeOf(four, { simulation: false });
    expect(outcome.plan).toMatchObject({ test: 'sign-flip', multiplicity: 'holm', multiplicity_reason: 'default' });
    expect(power.words(outcome)).toContain('4 clusters cannot resolve any difference, however large');
    expect(outcome.warnings).toEqual([expect.stringContaining('1 of 1 pair differs by the same amount')]);
    const many = await outcomeOf(four, { simulation: false, hypotheses: 5000, flips: 1000 });
    expect(many.plan.multiplicity).toBe('holm');
    await expect(outcomeOf(four, { hypotheses: 3, multiplicity: 'max-t' })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
