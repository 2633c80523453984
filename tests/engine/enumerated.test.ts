import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterDesign, countMultisets, createEngine, type Engine, pairIndex } from '../../src/engine/index.js';
import { buildDesign } from '../support/random-design.js';

type Scheme = 'joint' | 'stratified';

/** All n^n ways to take n of n things in order, as counts. */
function orderedCounts(n: number): number[][] {
  return Array.from({ length: n ** n }, (_, code) => {
    const counts = new Array<number>(n).fill(0);
    for (let k = 0; k < n; k++) counts[Math.floor(code / n ** k) % n]!++;
    return counts;
  });
}

/** Part counts of every ordered bootstrap. */
function orderedBootstraps(design: ClusterDesign, scheme: Scheme): number[][] {
  const { clusters, strata, partCluster, partStratum } = design;
  if (scheme === 'joint') return orderedCounts(clusters).map((counts) => Array.from(partCluster, (c) => counts[c]!));
  return Array.from({ length: strata }, (_, s) => partStratum.filter((stratum) => stratum === s).length)
    .map(orderedCounts)
    .reduce((all, here) => all.flatMap((left) => here.map((right) => [...left, ...right])), [[]] as number[][]);
}

/** Values of all rows in every ordered bootstrap that leaves no stratum empty. */
function orderedValues(design: ClusterDesign, scheme: Scheme): number[][] {
  const { rows, strata, scale, partStratum, partTasks, partTotals } = design;
  return orderedBootstraps(design, scheme).flatMap((counts) => {
    const sum = (s: number, of: (p: number) => number): number =>
      counts.reduce((total, count, p) => total + (partStratum[p] === s ? count * of(p) : 0), 0);
    const tasks = Array.from({ length: strata }, (_, s) => sum(s, (p) => partTasks[p]!));
    if (tasks.includes(0)) return [];
    return [
      Array.from({ length: rows }, (_, m) => {
        const means = tasks.map((n, s) => sum(s, (p) => partTotals[p * rows + m]!) / n);
        return means.reduce((total, mean) => total + mean, 0) / strata / scale;
      }),
    ];
  });
}

const leastReaching = (values: readonly number[], q: number): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted.find((_, k) => k + 1 >= q * sorted.length)!;
};

const spread = (values: readonly number[]): number => {
  if (values.every((value) => value === values[0])) return 0;
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

/** Ordered pairs that step-down rejects in one family: shares of ordered samples, no one added. */
function stepDownPairs(
  ordered: readonly number[][],
  points: Float64Array,
  pairs: readonly (readonly [number, number])[],
  alpha: number,
): string[] {
  const deviations = ordered.map((values) => values.map((value, m) => value - points[m]!));
  const errors = pairs.map(([j, k]) => spread(ordered.map((values) => values[j]! - values[k]!)));
  const rejected: string[] = [];
  for (let active = pairs.map((_, h) => h).filter((h) => errors[h]! > 1e-9); ; ) {
    const maxima = deviations.map((d) =>
      Math.max(0, ...active.map((h) => (d[pairs[h]![0]]! - d[pairs[h]![1]]!) / errors[h]!)),
    );
    const out = active.filter((h) => {
      const [j, k] = pairs[h]!;
      const observed = (points[j]! - points[k]!) / errors[h]!;
      return maxima.filter((most) => most >= observed - 1e-9).length / maxima.length < alpha;
    });
    if (out.length === 0) return rejected.sort();
    rejected.push(...out.map((h) => pairs[h]!.join()));
    active = active.filter((h) => !out.includes(h));
  }
}

describe('enumerated bootstraps', () => {
  let engines: Engine[];
  beforeAll(async () => {
    engines = await Promise.all(
      (['reference', 'wasm', 'pool', 'auto'] as const).map((backend) => createEngine({ backend })),
    );
  });
  afterAll(() => Promise.all(engines.map((engine) => engine.close())));

  const random = { kind: 'philox', seed: 1n, stream: 0 } as const;
  const probabilities = [0, 0.025, 0.5, 0.975, 1];
  const shapes = [
    { rows: 5, tasks: 5, clusters: 5, strata: 1, largest: 3 },
    { rows: 4, tasks: 9, clusters: 4, strata: 2, largest: 100 },
    { rows: 3, tasks: 7, clusters: 5, strata: 3, largest: 10_000 },
    { rows: 6, tasks: 6, clusters: 6, strata: 4, largest: 2 },
    { rows: 2, tasks: 1, clusters: 1, strata: 1, largest: 9 },
    // Most rows are alike: few stand for all.
    { rows: 70, tasks: 4, clusters: 4, strata: 2, largest: 1 },
  ];

  it.each(
    shapes.flatMap((shape) => [
      { ...shape, scheme: 'joint' as const },
      { ...shape, scheme: 'stratified' as const },
    ]),
  )(
    'say what all ordered samples say: $rows rows, $clusters clusters, $strata strata, $scheme',
    async ({ scheme, ...shape }) => {
      const design = buildDesign({ ...shape, chance: shape.rows > 2, degenerate: true, negative: true, seed: 8 });
      const { rows, ranked } = design;
      const ordered = orderedValues(design, scheme);
      const request = {
        draws: 50_000,
        random,
        scheme,
        probabilities,
        bandProbability: 0.95,
        pairs: rows < 64,
      } as const;
      const [first, ...others] = await Promise.all(
        engines.map((engine) => engine.bootstrap(design, { ...request, ranks: 'shared', enumerate: true })),
      );
      for (const other of others) expect(other).toEqual(first);
      const summary = first!;
      const { pairQuantiles } = summary;
      expect(summary.enumerated!.total).toBe(ordered.length);
      expect(summary.enumerated!.total + summary.enumerated!.leftOut).toBe(orderedBootstraps(design, scheme).length);
      expect(summary.draws + summary.redraws).toBe(countMultisets(design, scheme));
      const best = new Float64Array(ranked * ranked);
      const worst = new Float64Array(ranked * ranked);
      for (const values of ordered)
        for (let m = 0; m < ranked; m++) {
          const rivals = values.slice(0, ranked);
          best[m * ranked + rivals.filter((value) => value > values[m]!).length]!++;
          worst[m * ranked + rivals.filter((value) => value >= values[m]!).length - 1]!++;
        }
      expect(Float64Array.from(summary.bestRankCounts!)).toEqual(best);
      expect(Float64Array.from(summary.worstRankCounts!)).toEqual(worst);
      for (let i = 0; i < rows; i++) {
        const row = ordered.map((values) => values[i]!);
        expect(summary.standardErrors[i]).toBeCloseTo(spread(row), 10);
        probabilities.forEach((q, k) => {
          expect(summary.quantiles[i * 5 + k]).toBe(leastReaching(row, q));
        });
        for (let j = i + 1; j < rows && pairQuantiles; j++) {
          const differences = ordered.map((values) => values[i]! - values[j]!);
          probabilities.forEach((q, k) => {
            expect(pairQuantiles[pairIndex(i, j, rows) * 5 + k]).toBe(leastReaching(differences, q));
          });
        }
      }
      const errors = Array.from({ length: ranked }, (_, m) => spread(ordered.map((values) => values[m]!)) || 1);
      const distances = ordered.map((values) =>
        Math.max(0, ...errors.map((error, m) => Math.abs(values[m]! - summary.points[m]!) / error)),
      );
      expect(summary.bandCritical).toBeCloseTo(leastReaching(distances, 0.95), 9);
    },
  );

  it('form rank sets from shares of all ordered samples', async () => {
    const shape = { rows: 5, tasks: 5, clusters: 5, strata: 1, largest: 100, chance: false, degenerate: true };
    const made = buildDesign({ ...shape, negative: false, seed: 21 });
    const lift = [0, 60, 0, 0, 25];
    const design = { ...made, partTotals: made.partTotals.map((total, at) => total + lift[at % 5]!) };
    const excluded = new Uint8Array(10);
    const ordered = orderedValues(design, 'joint');
    for (const alpha of [0.05, 0.2]) {
      const request = {
        draws: 500,
        random,
        scheme: 'joint',
        probabilities: [],
        rankSets: { alpha, excluded },
      } as const;
      const { rankSets, points } = await engines[1]!.bootstrap(design, { ...request, enumerate: true });
      const all = [0, 1, 2, 3, 4].flatMap((j) => [0, 1, 2, 3, 4].filter((k) => k !== j).map((k) => [j, k] as const));
      const listed = (sets: Uint8Array) =>
        [...sets.keys()].filter((at) => sets[at] === 1).map((at) => `${Math.floor(at / 5)},${at % 5}`);
      const expected = stepDownPairs(ordered, points, all, alpha);
      expect(listed(rankSets!.simultaneous)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
      for (let model = 0; model < 5; model++) {
        const own = stepDownPairs(
          ordered,
          points,
          all.filter((pair) => pair.includes(model)),
          alpha,
        );
        const above = listed(rankSets!.marginalAbove).filter((pair) => pair.startsWith(`${model},`));
        const below = listed(rankSets!.marginalBelow).filter((pair) => pair.startsWith(`${model},`));
        expect([...above, ...below.map((pair) => pair.split(',').reverse().join())].sort()).toEqual(own);
      }
    }
  });

  it('are as many as the formula says: 126 of five clusters, 24,310 of nine', () => {
    const design = (clusters: number) =>
      buildDesign({
        ...shapes[0]!,
        tasks: clusters,
        clusters,
        chance: false,
        degenerate: false,
        negative: false,
        seed: 1,
      });
    expect([5, 9, 10].map((clusters) => countMultisets(design(clusters), 'joint'))).toEqual([126, 24_310, 92_378]);
  });

  it('form totals past 2^53 exactly', async () => {
    const shape = { rows: 3, tasks: 4, clusters: 4, strata: 1, largest: 2 ** 52 };
    const design = buildDesign({ ...shape, chance: false, degenerate: false, negative: false, seed: 4 });
    const request = { draws: 50, random, scheme: 'joint', probabilities: [0, 1], enumerate: true } as const;
    const { quantiles } = await engines[0]!.bootstrap(design, request);
    const { partTotals } = design;
    for (let m = 0; m < 3; m++) {
      const totals = [0, 1, 2, 3].map((p) => partTotals[p * 3 + m]!);
      expect(quantiles[2 * m]).toBe(Math.min(...totals) / design.scale);
      expect(quantiles[2 * m + 1]).toBe(Math.max(...totals) / design.scale);
    }
  });

  it('are refused where there are more than draws, with ordinal ranks, and where values are asked for', async () => {
    const design = buildDesign({ ...shapes[0]!, chance: false, degenerate: false, negative: false, seed: 1 });
    const request = { draws: 125, random, scheme: 'joint', probabilities: [], enumerate: true } as const;
    for (const engine of engines) {
      await expect(engine.bootstrap(design, request)).rejects.toMatchObject({
        code: 'BOUND_EXCEEDED',
        message: '126 different bootstraps of 5 clusters; at most the 125 draws asked for are enumerated',
      });
      await expect(engine.bootstrap(design, { ...request, ranks: 'ordinal' })).rejects.toMatchObject({ code: 'USAGE' });
      await expect(engine.bootstrapValues(design, request)).rejects.toMatchObject({ code: 'USAGE' });
    }
  });
});
