import { describe, expect, it } from 'vitest';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { testTotals } from '../../src/engine/centred.js';
import { layoutOf } from '../../src/engine/layout.js';
import { createReferenceEngine } from '../../src/engine/reference/engine.js';
import { clusterDesign } from '../../src/inference/cluster-design.js';
import { clusterNumbers } from '../../src/inference/decisions/effective-clusters.js';
import { runInference } from '../../src/inference/infer.js';
import type { InferencePlan } from '../../src/inference/plan.js';
import { plannedStrata } from '../../src/inference/strata.js';
import { smallMatrix } from '../support/small-matrix.js';

const FAMILIES = ['alpha', 'beta', 'gamma'];
const TASKS = 36;
/** Families of 18, 12 and 6 tasks; clusters of three tasks that lie in two families. */
const families = Array.from({ length: TASKS }, (_, t) => FAMILIES[t % 6 < 3 ? 0 : t % 6 < 5 ? 1 : 2]!);
const clusters = Array.from({ length: TASKS }, (_, t) => `c${Math.floor(t / 3)}`);
const matrix = smallMatrix({
  rows: Array.from({ length: 4 }, (_, m) =>
    Array.from({ length: TASKS }, (__, t) => ((t * 37 + m * m * 29 + 11) % 83) + 6 * m * (t % 6 === 5 ? -1 : 1)),
  ),
  families,
  clusters,
  chance: Array.from({ length: TASKS }, (_, t) => 20 + (t % 7)),
});

/** Repeats the tasks of a family as a family of its own, in the same clusters: what a weight of 2 means. */
function repeated(of: ScoreMatrix, family: string): ScoreMatrix {
  const own = of.families.flatMap((name, t) => (name === family ? [t] : []));
  const columns = [...of.tasks.keys(), ...own];
  const T = of.tasks.length;
  const copy = (list: readonly string[]) => columns.map((t) => list[t]!);
  return {
    ...of,
    tasks: columns.map((t, at) => (at < T ? of.tasks[t]! : `${of.tasks[t]} again`)),
    families: columns.map((t, at) => (at < T ? of.families[t]! : `${family} again`)),
    panels: copy(of.panels),
    clusters: copy(of.clusters),
    values: Float64Array.from(of.models.flatMap((_, m) => columns.map((t) => of.values[m * T + t]!))),
    chance: Float64Array.from(columns, (t) => of.chance![t]!),
  };
}

const engine = createReferenceEngine();
const sizes = { draws: 400, flips: 600, seed: 5n, strata: 'family' } as const;
const infer = (of: ScoreMatrix, plan: Partial<InferencePlan>) =>
  runInference({ matrix: of, plan: { ...sizes, ...plan }, engine });
const weights = { alpha: 1, beta: 2, gamma: 1 };

describe('weights of families', () => {
  it('make the score the weighted mean of the family means', async () => {
    const { models, strata, warnings } = await infer(matrix, { family_weights: { alpha: 0.5, gamma: 2.5 } });
    models.forEach((model, m) => {
      const mean = (family: string) => {
        const own = families.flatMap((name, t) => (name === family ? [matrix.values[m * TASKS + t]! / 100] : []));
        return own.reduce((a, b) => a + b, 0) / own.length;
      };
      expect(model.score).toBeCloseTo((0.5 * mean('alpha') + mean('beta') + 2.5 * mean('gamma')) / 4, 12);
      expect(model.familyScores.gamma).toBeCloseTo(mean('gamma'), 12);
    });
    expect(strata.map(({ weight }) => weight)).toEqual([0.125, 0.25, 0.625]);
    expect(warnings.join()).toContain('do not weigh the same: "alpha" 12.5 %, "beta" 25.0 %, "gamma" 62.5 %');
  });

  it.each(['percentile', 'holm', 'max-t'] as const)('mean what a family that stands twice does (%s)', async (what) => {
    const plan = {
      test: 'sign-flip',
      interval: 'percentile',
      ...(what === 'percentile' ? {} : { multiplicity: what }),
    } as const;
    const one = await infer(matrix, { ...plan, family_weights: weights, margin: 2 });
    const two = await infer(repeated(matrix, 'beta'), { ...plan, margin: 2 });
    one.models.forEach((model, m) => {
      const other = two.models[m]!;
      expect(model.score).toBeCloseTo(other.score, 11);
      expect(model.pointwise[0]).toBeCloseTo(other.pointwise[0], 11);
      expect(model.simultaneous[1]).toBeCloseTo(other.simultaneous[1], 11);
      expect([model.rank, model.rankSet, model.letters]).toEqual([other.rank, other.rankSet, other.letters]);
      expect(model.chance!.meanDifference).toBeCloseTo(other.chance!.meanDifference, 11);
    });
    expect(one.pairTable!.adjusted).toEqual(two.pairTable!.adjusted);
    expect(one.pairTable!.decision).toEqual(two.pairTable!.decision);
    expect(one.pairs.map(({ equalWithin }) => equalWithin)).toEqual(two.pairs.map(({ equalWithin }) => equalWithin));
    expect(one.effectiveClusters).toBeCloseTo(two.effectiveClusters!, 12);
  });

  it.each(['student', 'bootstrap-t'] as const)('mean the same in %s intervals', async (interval) => {
    const apart = { ...matrix, clusters: clusters.map((cluster, t) => `${cluster} ${families[t]}`) };
    const plan = { test: 'sign-flip', interval } as const;
    const one = await infer(apart, { ...plan, family_weights: weights });
    const two = await infer(repeated(apart, 'beta'), plan);
    one.models.forEach((model, m) => {
      expect(model.pointwise[0]).toBeCloseTo(two.models[m]!.pointwise[0], 9);
      expect(model.pointwise[1]).toBeCloseTo(two.models[m]!.pointwise[1], 9);
    });
    const plain = await infer(apart, plan);
    expect(one.models[0]!.pointwise[0]).not.toBeCloseTo(plain.models[0]!.pointwise[0], 3);
  });

  it('enter the centred test as its rule has them', () => {
    const plan = { strata: 'family', family_weights: { alpha: 3, beta: 1, gamma: 2 } } as const;
    const strata = plannedStrata(matrix, plan);
    const design = clusterDesign({ ...matrix, chance: undefined } as unknown as ScoreMatrix, strata);
    const { totals, observed } = testTotals(design, layoutOf(design), 'centred');
    const w = [3 / 6, 1 / 6, 2 / 6];
    const ids = [...new Set(clusters)];
    const N = FAMILIES.map((family) => families.filter((name) => name === family).length);
    const inStratum = (c: string, s: number) =>
      [...Array(TASKS).keys()].filter((t) => clusters[t] === c && families[t] === FAMILIES[s]);
    const n = FAMILIES.map((_, s) => ids.filter((c) => inStratum(c, s).length > 0).length);
    const sum = w.reduce((total, one, s) => total + (one * one) / n[s]!, 0);
    const total = (m: number, tasks: readonly number[]) =>
      tasks.reduce((all, t) => all + matrix.values[m * TASKS + t]! / 100, 0);
    const ratios: number[] = [];
    for (let m = 0; m < 4; m += 1) {
      const mean = FAMILIES.map(
        (family, s) =>
          total(
            m,
            [...families.keys()].filter((t) => families[t] === family),
          ) / N[s]!,
      );
      const T = mean.reduce((all, one, s) => all + w[s]! * one, 0);
      ids.forEach((c, at) => {
        let residual = 0;
        for (const s of [0, 1, 2]) {
          const own = inStratum(c, s);
          const h = 1 / n[s]! - (w[s]! / n[s]!) ** 2 / sum;
          const mu = mean[s]! - (T * w[s]!) / n[s]! / sum;
          residual += (w[s]! / N[s]! / Math.sqrt(1 - h)) * (total(m, own) - mu * own.length);
        }
        ratios.push(Number(totals[at * 4 + m]) / Number(observed[0]) - residual / (T === 0 ? 1 : tOf(0)));
      });
      expect(Number(observed[m]) / Number(observed[0])).toBeCloseTo(T / tOf(0), 12);
    }
    for (const off of ratios) expect(Math.abs(off)).toBeLessThan(2e-6);

    function tOf(m: number): number {
      return FAMILIES.reduce(
        (all, family, s) =>
          all +
          (w[s]! *
            total(
              m,
              [...families.keys()].filter((t) => families[t] === family),
            )) /
            N[s]!,
        0,
      );
    }
  });

  it('count effective clusters by their weight in the score', () => {
    const strata = plannedStrata(matrix, { strata: 'family', family_weights: weights });
    const share = new Map<string, number>();
    families.forEach((family, t) => {
      const s = FAMILIES.indexOf(family);
      const weight = [1, 2, 1][s]! / 4 / families.filter((name) => name === family).length;
      share.set(clusters[t]!, (share.get(clusters[t]!) ?? 0) + weight);
    });
    const squares = [...share.values()].reduce((sum, one) => sum + one * one, 0);
    expect(clusterNumbers(clusterDesign(matrix, strata)).effective).toBeCloseTo(1 / squares, 10);
  });

  it('that are all alike change no digit', async () => {
    const { plan: _, ...equal } = await infer(matrix, { family_weights: { alpha: 2, beta: 2, gamma: 2 } });
    const { plan: __, ...plain } = await infer(matrix, {});
    expect(equal).toEqual(plain);
  });

  it.each([
    [{ alpa: 2 }, 'FAMILY_UNKNOWN'],
    [{ alpha: 0 }, 'USAGE'],
    [{ alpha: -1 }, 'USAGE'],
    [{ alpha: 1 / 3 }, 'USAGE'],
  ])('are refused where they are none: %j', async (family_weights, code) => {
    await expect(infer(matrix, { family_weights })).rejects.toThrow(expect.objectContaining({ code }));
  });
});
