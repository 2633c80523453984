import { z } from 'zod';
import type { ScoreMatrix } from '../../core/matrix.js';
import { openWasmSubsetTotals } from '../../engine/wasm/subset.js';
import { byRank } from '../../inference/model-ranks.js';
import { familyMajor } from '../../inference/rank-agreement.js';
import { columnsOf } from '../../io/arrow.js';
import { rngField } from '../agreement.js';
import { type Analysis, percent, type ReleaseFigure, rankedByScore, three } from '../analysis.js';
import {
  ALPHA,
  DRAWS,
  ORDER,
  RNG,
  type RuleOptions,
  randomOf,
  rulesOf,
  SAMPLING,
  type SampledOptions,
  type Sampling,
  SEED,
  streamOf,
} from '../declared-options.js';
import { type ModelOrder, orderedInputs, orderField, samplingField } from '../model-order.js';
import { clusterPrecision, stratumTakes } from './cluster-subsets.js';
import {
  PRECISION_METRICS,
  PRECISION_STREAM,
  type PrecisionSize,
  precisionPoints,
  subsetPrecision,
} from './subsets.js';

const precisionFigure: ReleaseFigure = {
  number: 4,
  name: 'precision',
  title: 'Precision',
  needs: 'the precision analysis',
  data(outcomes) {
    const [found] = outcomes.of(precision);
    if (found === undefined) return null;
    return {
      header: ['tasks', 'quantity', 'value', 'p2_5', 'p97_5'],
      rows: precisionPoints(found.results.sizes).map((p) => [p.tasks, p.series, p.value, p.low ?? '', p.high ?? '']),
    };
  },
  draw: async (outcomes, options) => precision.draw(outcomes.of(precision)[0]!, options),
};

interface PrecisionPlan {
  readonly sizes: readonly number[];
  readonly draws: number;
  readonly rng: 'philox' | 'numpy';
  /** Absent in documents of version 1: `tasks` and `rows`. */
  readonly sampling?: Sampling;
  readonly order?: ModelOrder;
  /** What a score of the comparison is; in documents of version 1 the mean over tasks. */
  readonly estimator?: 'mean-over-tasks' | 'mean-of-stratum-means';
}

interface PrecisionResults {
  /** The sizes in the order of their draws, the whole set last. */
  readonly sizes: readonly PrecisionSize[];
}

export interface PrecisionOptions extends SampledOptions, RuleOptions {
  readonly rng: 'philox' | 'numpy';
  readonly alpha: number;
  readonly sizes?: readonly number[];
}

const summary = z.object({ mean: z.number(), median: z.number(), p2_5: z.number(), p97_5: z.number() }).nullable();

/** How stable is the order of the models with fewer tasks (analyses 1)? */
export const precision: Analysis<PrecisionPlan, PrecisionResults, PrecisionOptions> = {
  name: 'precision',
  summary: 'How stable the order is with fewer tasks.',
  needs: { inputs: ['matrix', 'resolved'], words: 'a matrix (--scores, or --responses with --tasks)' },
  options: [
    RNG,
    SEED,
    ALPHA,
    DRAWS,
    {
      flags: '--sizes <n...>',
      help: 'precision: numbers of tasks (default: the published ones, or shares of a smaller matrix)',
      kind: 'counts',
    },
    SAMPLING,
    ORDER,
  ],
  schema: {
    id: 'flavourbench-sensitivity-precision/2',
    earlier: ['flavourbench-sensitivity-precision/1'],
    plan: z.object({
      sizes: z.array(z.number()),
      draws: z.number(),
      rng: rngField,
      sampling: samplingField,
      order: orderField,
      estimator: z.enum(['mean-over-tasks', 'mean-of-stratum-means']).optional(),
    }),
    results: z.object({
      sizes: z.array(
        z.object({
          tasks: z.number(),
          per_stratum: z.number(),
          draws: z.number(),
          metrics: z.record(z.enum(PRECISION_METRICS), summary),
        }),
      ),
    }),
  },
  async run(given, options) {
    const rules = rulesOf(options);
    const inputs = orderedInputs(given, rules.order);
    const matrix = await inputs.matrix();
    const sizes = plannedSizes(options, matrix, rules.sampling);
    const draws = options.draws ?? 5000;
    const random = randomOf(options, 20260824n);
    const resolved = await inputs.resolved(options.alpha);
    const { shares } = inputs;
    const measured =
      rules.sampling === 'clusters'
        ? clusterPrecision({ matrix, resolved, sizes, draws, seed: random.seed, shares })
        : subsetPrecision({ matrix, resolved, sizes, draws, random, shares, totals: openWasmSubsetTotals() });
    const estimator = rules.sampling === 'clusters' ? 'mean-of-stratum-means' : 'mean-over-tasks';
    return {
      plan: { sizes, draws, rng: options.rng, ...rules, estimator },
      results: { sizes: measured },
      models: rankedByScore(matrix, rules.order),
      rng: options.rng,
      seed: random.seed,
      streams: Object.assign({}, ...sizes.map((n) => streamOf(options, `subsets_${n}`, PRECISION_STREAM + n))),
      warnings: [],
    };
  },
  columns({ results }) {
    const rows = ascending(results).flatMap((size) =>
      PRECISION_METRICS.flatMap((metric) => {
        const found = size.metrics[metric];
        return found === null ? [] : [{ ...size, metric, ...found }];
      }),
    );
    return columnsOf(rows, {
      tasks: ['int32', (row) => row.tasks],
      draws: ['int32', (row) => row.draws],
      metric: ['text', (row) => row.metric],
      mean: ['float64', (row) => row.mean],
      median: ['float64', (row) => row.median],
      p2_5: ['float64', (row) => row.p2_5],
      p97_5: ['float64', (row) => row.p97_5],
    });
  },
  words({ plan, results, models }) {
    const sizes = ascending(results);
    const partial = sizes.slice(0, -1);
    const largest = partial.at(-1);
    if (largest === undefined) return 'Only the whole task set was compared with itself.';
    const { rank_spearman: rho, top_1_preserved: leader, top_5_overlap: five } = largest.metrics;
    const first = models.length > 5 ? `, ${percent(five?.median ?? 0)} of the first five at the median,` : '';
    return `With ${largest.tasks} of ${sizes.at(-1)?.tasks} tasks the order of the models keeps a median rank correlation of ${three(rho?.median ?? null)} (${three(rho?.p2_5 ?? null)} to ${three(rho?.p97_5 ?? null)})${first} and ${byRank(models)[0]?.name ?? 'one that leads on all of them'} leads, alone or with others, in ${percent(leader?.mean ?? 0, 1)} of the draws. ${plan.sampling === 'clusters' ? 'Clusters were drawn, and of the last one tasks. ' : ''}It shows how stable this order is under fewer of these tasks; it does not show how other tasks would order the models.`;
  },
  draw: async ({ results }, options) => (await import('./figure.js')).drawPrecision(results.sizes, options),
  figures: [precisionFigure],
};

const ascending = ({ sizes }: PrecisionResults) => sizes.toSorted((a, b) => a.tasks - b.tasks);

/** Sizes in ascending order; a replay has one generator for all, so there the published ones come first. */
function plannedSizes({ sizes, rng }: PrecisionOptions, matrix: ScoreMatrix, sampling: Sampling): number[] {
  const tasks = matrix.tasks.length;
  const available = familyMajor(matrix).map((stratum) => stratum.tasks.length);
  const published = [30, 60, 90, 150, 270].filter((n) => n < tasks && n % available.length === 0);
  const planned = [...new Set(sizes ?? defaultSizes(published, available, sampling))]
    .filter((n) => n !== tasks)
    .sort((a, b) => a - b);
  return rng === 'numpy' ? [...new Set([...published, ...planned])] : planned;
}

const SHARES = [0.1, 0.2, 0.35, 0.5, 0.75];

/** The published sizes, or for a smaller matrix even shares of its strata, or for unequal strata shares of all tasks. */
function defaultSizes(
  published: readonly number[],
  available: readonly number[],
  sampling: Sampling,
): readonly number[] {
  const tasks = available.reduce((sum, size) => sum + size, 0);
  const equal = available.every((size) => size === available[0]);
  const possible = (n: number) => n > 0 && n < tasks && (sampling === 'tasks' || stratumTakes(available, n) !== null);
  if (published.length >= 3 && published.every(possible)) return published;
  const each = Math.floor(tasks / available.length);
  const shares = SHARES.map((share) =>
    equal || sampling === 'tasks' ? available.length * Math.round(each * share) : Math.round(tasks * share),
  );
  return shares.filter(possible);
}
