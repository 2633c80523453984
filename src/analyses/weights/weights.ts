import { z } from 'zod';
import type { ScoreMatrix } from '../../core/matrix.js';
import { equalWeights, panelMajor, stratifiedTotal } from '../../inference/rank-agreement.js';
import { columnsOf } from '../../io/arrow.js';
import { type Analysis, rankedByScore, three } from '../analysis.js';
import { familyWeights, LEAST_PERCENT, MOST_PERCENT, type WeightsResults, weightRows } from './grid.js';

interface WeightsPlan {
  readonly least_percent: number;
  readonly most_percent: number;
  readonly step_percent: number;
}

/** models x families: mean over panels of the stratum means, as integers in one common unit. */
function familyTotals({ models, tasks, values, ...columns }: ScoreMatrix): Float64Array {
  const strata = panelMajor(columns);
  const all = equalWeights(strata.map((stratum) => stratum.tasks.length)).weights;
  const families = [...new Set(strata.map(({ family }) => family))].map((family) => {
    const own = strata.flatMap((stratum, s) => (stratum.family === family ? [s] : []));
    return {
      strata: own.map((s) => strata[s]!),
      weights: own.map((s) => all[s]!),
    };
  });
  const panels = equalWeights(families.map((family) => family.strata.length)).weights;
  return Float64Array.from(
    models.flatMap((_, m) =>
      families.map(
        (family, f) =>
          panels[f]! * stratifiedTotal((t) => values[m * tasks.length + t]!, family.strata, family.weights),
      ),
    ),
  );
}

const triple = z.tuple([z.number(), z.number(), z.number()]);

/** How far does the order hang on the weights of the three families (analyses 6)? */
export const weights: Analysis<WeightsPlan, WeightsResults, object> = {
  name: 'weights',
  summary: 'Every weighting of the three families.',
  needs: { inputs: ['matrix'], words: 'a matrix (--scores, or --responses with --tasks) of three families' },
  options: [],
  schema: {
    id: 'flavourbench-sensitivity-weights/1',
    plan: z.object({ least_percent: z.number(), most_percent: z.number(), step_percent: z.number() }),
    results: z.object({
      grid_points: z.number(),
      rank_spearman: triple,
      pair_order_agreement: triple,
      least_alike: triple,
      leaders: z.record(z.string(), z.number()),
      rank_ranges: z.record(z.string(), z.tuple([z.number(), z.number()])),
    }),
  },
  async run(inputs) {
    const matrix = await inputs.matrix();
    return {
      plan: { least_percent: LEAST_PERCENT, most_percent: MOST_PERCENT, step_percent: 1 },
      results: familyWeights({ models: matrix.models, families: familyTotals(matrix) }),
      models: rankedByScore(matrix),
      rng: null,
      seed: null,
      streams: {},
      warnings: [],
    };
  },
  columns: ({ results, models }) =>
    columnsOf(weightRows(results, models), {
      model: ['text', (row) => row.id],
      rank: ['int32', (row) => row.rank],
      best_rank: ['int32', (row) => row.best],
      worst_rank: ['int32', (row) => row.worst],
      leads: ['int32', (row) => row.leads],
    }),
  words({ results }) {
    const [a, b, c] = results.least_alike;
    const leaders = Object.entries(results.leaders)
      .sort((x, y) => y[1] - x[1])
      .map(([model, n]) => `${model} leads in ${n}`);
    return `Over ${results.grid_points} weightings of the three families the rank correlation with equal weights is at least ${three(results.rank_spearman[0])} (at ${a}/${b}/${c}) and ${three(results.rank_spearman[1])} at the median. ${leaders.join(', ')}. It shows how far the order hangs on the weights; it does not say which weights are right.`;
  },
  draw: async ({ results, models }, options) =>
    (await import('./figure.js')).drawWeights(results, { ...options, models }),
};
