import { z } from 'zod';
import { openWasmSubsetTotals } from '../../engine/wasm/subset.js';
import { columnsOf } from '../../io/arrow.js';
import { rngField } from '../agreement.js';
import { type Analysis, percent, type ReleaseFigure, rankedByScore, three } from '../analysis.js';
import { ALPHA, DRAWS, RNG, randomOf, type SampledOptions, SEED, streamOf } from '../declared-options.js';
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
}

interface PrecisionResults {
  /** The sizes in the order of their draws, the whole set last. */
  readonly sizes: readonly PrecisionSize[];
}

export interface PrecisionOptions extends SampledOptions {
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
  ],
  schema: {
    id: 'flavourbench-sensitivity-precision/1',
    plan: z.object({ sizes: z.array(z.number()), draws: z.number(), rng: rngField }),
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
  async run(inputs, options) {
    const matrix = await inputs.matrix();
    const strata = new Set(matrix.panels.map((panel, t) => `${panel}/${matrix.families[t]}`)).size;
    const sizes = plannedSizes(options, matrix.tasks.length, strata);
    const draws = options.draws ?? 5000;
    const random = randomOf(options, 20260824n);
    const results = subsetPrecision({
      matrix,
      resolved: await inputs.resolved(options.alpha),
      sizes,
      draws,
      random,
      totals: openWasmSubsetTotals(),
    });
    return {
      plan: { sizes, draws, rng: options.rng },
      results: { sizes: results },
      models: rankedByScore(matrix),
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
  words({ results, models }) {
    const sizes = ascending(results);
    const partial = sizes.slice(0, -1);
    const largest = partial.at(-1);
    if (largest === undefined) return 'Only the whole task set was compared with itself.';
    const { rank_spearman: rho, top_1_preserved: leader, top_5_overlap: five } = largest.metrics;
    const first = models.length > 5 ? `, ${percent(five?.median ?? 0)} of the first five at the median,` : '';
    return `With ${largest.tasks} of ${sizes.at(-1)?.tasks} tasks the order of the models keeps a median rank correlation of ${three(rho?.median ?? null)} (${three(rho?.p2_5 ?? null)} to ${three(rho?.p97_5 ?? null)})${first} and the same leader in ${percent(leader?.mean ?? 0, 1)} of the draws. It shows how stable this order is under fewer of these tasks; it does not show how other tasks would order the models.`;
  },
  draw: async ({ results }, options) => (await import('./figure.js')).drawPrecision(results.sizes, options),
  figures: [precisionFigure],
};

const ascending = ({ sizes }: PrecisionResults) => sizes.toSorted((a, b) => a.tasks - b.tasks);

/** Sizes in ascending order; a replay has one generator for all, so there the published ones come first. */
function plannedSizes({ sizes, rng }: PrecisionOptions, tasks: number, strata: number): number[] {
  const published = [30, 60, 90, 150, 270].filter((n) => n < tasks && n % strata === 0);
  const given = sizes ?? defaultSizes(published, tasks, strata);
  const planned = [...new Set(given)].filter((n) => n !== tasks).sort((a, b) => a - b);
  return rng === 'numpy' ? [...new Set([...published, ...planned])] : planned;
}

/** The published sizes, or for a smaller matrix even shares of its strata. */
function defaultSizes(published: readonly number[], tasks: number, strata: number): readonly number[] {
  if (published.length >= 3) return published;
  const each = Math.floor(tasks / strata);
  const shares = [0.1, 0.2, 0.35, 0.5, 0.75].map((share) => strata * Math.round(each * share));
  return shares.filter((n) => n > 0 && n < tasks);
}
