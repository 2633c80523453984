import { z } from 'zod';
import type { ScoreMatrix } from '../../core/matrix.js';
import { panelMajor } from '../../inference/rank-agreement.js';
import { columnsOf } from '../../io/arrow.js';
import { lcm } from '../../util/divisor.js';
import { general } from '../../util/format.js';
import { type Analysis, rankedByScore, three } from '../analysis.js';
import { ORDER, type RuleOptions, rulesOf } from '../declared-options.js';
import { type ModelOrder, orderedInputs, orderField } from '../model-order.js';
import { familyGrid, familyWeights, type WeightsResults, weightRows } from './grid.js';
import type { Weightings } from './weightings.js';

interface WeightsPlan {
  readonly least_percent: number;
  readonly most_percent: number;
  readonly step_percent: number;
  /** Absent in documents of version 1: `rows` and `simplex`. */
  readonly order?: ModelOrder;
  readonly grid?: Weightings['grid'];
  /** In the order of the weights. */
  readonly families?: readonly string[];
}

/** Family scores (models x families), and the families in the order of the published ones, others by first appearance. */
interface FamilyScores {
  readonly families: readonly string[];
  readonly scores: Float64Array;
}

/**
 * Scores of families: mean over panels of the stratum means, as integers in one common unit; where products of those with weights of up to
 * `parts` would pass 2^53, in points.
 */
function familyScores({ models, tasks, values, scale, ...columns }: ScoreMatrix, parts: number): FamilyScores {
  const strata = panelMajor(columns);
  const families = [...new Set(strata.map(({ family }) => family))];
  const tasksUnit = lcm(strata.map((stratum) => BigInt(stratum.tasks.length)));
  const own = families.map((family) => strata.filter((stratum) => stratum.family === family));
  const panelsUnit = lcm(own.map((list) => BigInt(list.length)));
  const totals = models.flatMap((_, m) =>
    own.map((list) => {
      const total = list.reduce((sum, stratum) => {
        let cells = 0;
        for (const t of stratum.tasks) cells += values[m * tasks.length + t]!;
        return sum + BigInt(cells) * (tasksUnit / BigInt(stratum.tasks.length));
      }, 0n);
      return total * (panelsUnit / BigInt(list.length));
    }),
  );
  const most = BigInt(Number.MAX_SAFE_INTEGER) / BigInt(parts);
  const exact = totals.every((total) => total <= most && total >= -most);
  const unit = exact ? 1 : Number(tasksUnit * panelsUnit) * scale;
  return { families, scores: Float64Array.from(totals, (total) => Number(total) / unit) };
}

const triple = z.tuple([z.number(), z.number(), z.number()]);

/** How far does the order hang on the weights of the families (analyses 6, decisions 5.4)? */
export const weights: Analysis<WeightsPlan, WeightsResults, RuleOptions> = {
  name: 'weights',
  summary: 'Every weighting of the families, between bounds.',
  needs: {
    inputs: ['familyMeans'],
    words:
      'two families or more in a matrix (--scores, or --responses with --tasks) or in an inference.json (--inference)',
  },
  options: [ORDER],
  schema: {
    id: 'flavourbench-sensitivity-weights/2',
    earlier: ['flavourbench-sensitivity-weights/1'],
    plan: z.object({
      least_percent: z.number(),
      most_percent: z.number(),
      step_percent: z.number(),
      order: orderField,
      grid: z.enum(['simplex', 'transfers', 'single']).optional(),
      families: z.array(z.string()).optional(),
    }),
    results: z.object({
      grid_points: z.number(),
      rank_spearman: triple,
      pair_order_agreement: triple,
      least_alike: z.array(z.number()),
      leaders: z.record(z.string(), z.number()),
      rank_ranges: z.record(z.string(), z.tuple([z.number(), z.number()])),
    }),
  },
  async run(given, options) {
    const { order } = rulesOf(options);
    const { matrix } = await orderedInputs(given, order).familyMeans();
    const count = new Set(matrix.families).size;
    const { grid, parts, least, most } = familyGrid(count, matrix.models.length);
    const { families, scores } = familyScores(matrix, parts);
    const results = familyWeights({ models: matrix.models, families: scores, shared: order === 'model-id' });
    const percent = (weight: number) => (100 * weight) / parts;
    return {
      plan: {
        least_percent: percent(least),
        most_percent: percent(most),
        step_percent: percent(1),
        order,
        grid,
        families,
      },
      results,
      models: rankedByScore(matrix, order),
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
  words({ plan, results }) {
    const { least_alike: lowest, grid_points: points, rank_spearman: rho } = results;
    const counts = Object.entries(results.leaders).sort((x, y) => y[1] - x[1]);
    const shared = counts.reduce((sum, [, n]) => sum + n, 0) > points;
    const leaders = counts.map(([model, n]) => `${model} leads${shared ? ', alone or with others,' : ''} in ${n}`);
    const named = leaders.length > 6 ? [...leaders.slice(0, 6), `${leaders.length - 6} more lead somewhere`] : leaders;
    const families = lowest.length === 3 ? 'the three families' : `the ${lowest.length} families`;
    const how = {
      simplex: '',
      transfers: ', in which one family gives to another,',
      single: ', in which one family stands against the rest,',
    }[plan.grid ?? 'simplex'];
    const where = lowest.length > 6 ? '' : ` (at ${lowest.map((weight) => general(weight, 4)).join('/')})`;
    return `Over ${points} weightings of ${families}${how} the rank correlation with equal weights is at least ${three(rho[0])}${where} and ${three(rho[1])} at the median. ${named.join(', ')}. It shows how far the order hangs on the weights; it does not say which weights are right.`;
  },
  draw: async ({ results, models }, options) =>
    (await import('./figure.js')).drawWeights(results, { ...options, models }),
};
