import { describe, expect, it } from 'vitest';
import { clusterReliability } from '../../src/analyses/generalizability/cluster-error.js';
import { decompose } from '../../src/analyses/generalizability/variance.js';
import { clusterPrecision, stratumTakes } from '../../src/analyses/precision/cluster-subsets.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { smallMatrix } from '../support/small-matrix.js';

/** Standard normal numbers from a linear congruential generator. */
function normals(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

interface World {
  readonly models: number;
  readonly clusters: number;
  readonly items: number;
  /** Variances of models, of models on clusters, of models on tasks. */
  readonly variances: readonly [model: number, cluster: number, task: number];
}

/** 1 / 1000 points; tasks and clusters differ in difficulty too. */
function drawn({ models, clusters, items, variances }: World, seed: number): ScoreMatrix {
  const normal = normals(seed);
  for (let i = 0; i < 20; i += 1) normal();
  const [model, cluster, task] = variances.map(Math.sqrt) as [number, number, number];
  const ability = Array.from({ length: models }, () => model * normal());
  const columns = Array.from({ length: clusters }, () => {
    const hard = normal();
    const own = ability.map((a) => a + cluster * normal() + hard);
    return Array.from({ length: items }, () => {
      const difficulty = normal();
      return own.map((a) => Math.round(1000 * (a + task * normal() + difficulty)));
    });
  }).flat();
  return smallMatrix({
    rows: ability.map((_, m) => columns.map((column) => column[m]!)),
    clusters: columns.map((_, t) => `c${Math.floor(t / items)}`),
    scale: 1000,
  });
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('reliability where tasks come in clusters', () => {
  const world: World = { models: 20, clusters: 10, items: 30, variances: [1, 4.607, 16.3] };
  const truth = 1 / (1 + 4.607 / 10 + 16.3 / 300);

  it('is about the true .66 over data sets of 10 clusters of 30 items, where single tasks would make it .95', () => {
    expect(truth).toBeCloseTo(0.66, 3);
    const sets = Array.from({ length: 40 }, (_, d) => drawn(world, 1000 + d));
    const over = sets.map((matrix) => clusterReliability(matrix, 0.9));
    const crossed = sets.map((matrix) => decompose({ matrix }).relative_g!);
    expect(mean(crossed)).toBeGreaterThan(0.94);
    expect(Math.abs(mean(over.map(({ relative_g }) => relative_g!)) - truth)).toBeLessThan(0.05);
    expect(mean(over.map(({ model }) => model))).toBeCloseTo(1, 0);
    expect(mean(over.map((one) => one.model_by_cluster!))).toBeCloseTo(4.6, 0);
    expect(Math.abs(mean(over.map((one) => one.model_by_task)) - 16.3)).toBeLessThan(0.3);
  });

  it('plans clusters for a target as the formula of Spearman and Brown does', () => {
    const {
      relative_g: g,
      clusters_for_target: needed,
      tasks_for_target: tasks,
    } = clusterReliability(drawn(world, 7), 0.9);
    const ratio = (9 * (1 - g!)) / g!;
    expect(needed).toBe(Math.ceil(10 * ratio - 1e-9));
    expect(tasks).toBe(Math.ceil(300 * ratio - 1e-9));
  });

  it('is that of the crossed design for one stratum of lone tasks', () => {
    const matrix = drawn({ models: 8, clusters: 40, items: 1, variances: [1, 0, 9] }, 3);
    const crossed = decompose({ matrix });
    const over = clusterReliability(matrix, 0.9);
    expect(over.relative_g).toBeCloseTo(crossed.relative_g!, 10);
    expect(over.tasks_for_target).toBe(crossed.tasks_for_target);
    expect(over.clusters_for_target).toBe(crossed.tasks_for_target);
    expect(over.model_by_task).toBeCloseTo(crossed.components.model_by_task, 10);
    expect(over.model_by_cluster).toBeNull();
  });

  it('counts strata of unequal sizes alike, each with its own clusters', () => {
    const matrix = drawn({ models: 6, clusters: 12, items: 3, variances: [1, 2, 3] }, 11);
    const families = matrix.tasks.map((_, t) => (t < 9 ? 'small' : 'large'));
    const over = clusterReliability({ ...matrix, families }, 0.9);
    expect(over).toMatchObject({ strata: 2, clusters: 12, lone_strata: [] });
    // By hand: per stratum the variance of cluster means, each less the mean over models, over its number of clusters.
    const T = 36;
    let error = 0;
    for (const clusters of [
      [0, 1, 2],
      [3, 4, 5, 6, 7, 8, 9, 10, 11],
    ]) {
      const value = (m: number, c: number) =>
        [0, 1, 2].reduce((sum, i) => sum + matrix.values[m * T + 3 * c + i]! / 3000, 0);
      const centred = matrix.models.map((_, m) =>
        clusters.map((c) => value(m, c) - mean(matrix.models.map((__, k) => value(k, c)))),
      );
      for (const row of centred)
        error += row.reduce((sum, v) => sum + (v - mean(row)) ** 2, 0) / (row.length - 1) / row.length / 4 / 5;
    }
    expect(over.error).toBeCloseTo(error, 12);
  });

  it('is not stated beside a stratum of one cluster, which is named', () => {
    const matrix = drawn({ models: 4, clusters: 5, items: 2, variances: [1, 1, 1] }, 5);
    const families = matrix.tasks.map((_, t) => (t < 2 ? 'lone' : 'rest'));
    expect(clusterReliability({ ...matrix, families }, 0.9)).toMatchObject({
      relative_g: null,
      clusters_for_target: null,
      lone_strata: ['panel_1/lone'],
    });
  });

  it('is not stated where no model differs', () => {
    const rows = [0, 1, 2].map(() => [1, 7, 3, 9, 4, 4]);
    expect(clusterReliability(smallMatrix({ rows }), 0.9)).toMatchObject({ relative_g: null, model: 0, error: 0 });
  });
});

describe('smaller sets of clusters', () => {
  const matrix = drawn({ models: 5, clusters: 12, items: 5, variances: [1, 4, 4] }, 21);
  const ask = (sizes: readonly number[], of: ScoreMatrix = matrix, draws = 400) =>
    clusterPrecision({ matrix: of, resolved: [[0, 1]], sizes, draws, seed: 9n });

  it('keep the order less well than as many single tasks do, and the whole keeps it wholly', () => {
    const [sampled, whole] = ask([15]);
    const lone = { ...matrix, clusters: matrix.tasks };
    const [single] = ask([15], lone);
    expect(sampled!.metrics.mean_absolute_score_error!.mean).toBeGreaterThan(
      1.3 * single!.metrics.mean_absolute_score_error!.mean,
    );
    expect(whole!.metrics.all_pair_order_agreement!.mean).toBe(1);
    expect(whole!.metrics.maximum_absolute_score_error!.mean).toBe(0);
  });

  it('of whole clusters have the error of a sample of clusters', () => {
    // Three of twelve clusters: variance of a mean of 3 without replacement, by listing all 220 sets.
    const score = (m: number, clusters: readonly number[]) =>
      mean(clusters.flatMap((c) => [0, 1, 2, 3, 4].map((i) => matrix.values[m * 60 + 5 * c + i]! / 1000)));
    const all = Array.from({ length: 12 }, (_, c) => c);
    const sets = all.flatMap((a) => all.slice(a + 1).flatMap((b) => all.slice(b + 1).map((c) => [a, b, c])));
    expect(sets).toHaveLength(220);
    const errors = sets.map((set) => mean(matrix.models.map((_, m) => Math.abs(score(m, set) - score(m, all)))));
    const [sampled] = ask([15], matrix, 4000);
    expect(sampled!.metrics.mean_absolute_score_error!.mean).toBeCloseTo(mean(errors), 1);
  });

  it('share tasks out among unequal strata, whose means weigh the same', () => {
    expect(stratumTakes([2, 10, 30], 21)).toEqual([1, 5, 15]);
    expect(stratumTakes([1, 100], 10)).toBeNull();
    const families = matrix.tasks.map((_, t) => (t < 20 ? 'a' : 'b'));
    const rows = { ...matrix, families, values: matrix.values.map((_, at) => (at % 60 < 20 ? 1000 : 3000)) };
    const [half] = ask([30], rows, 50);
    expect(half!.metrics.maximum_absolute_score_error!.mean).toBe(0);
    expect(() => ask([1], rows)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
