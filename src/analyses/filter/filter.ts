import { z } from 'zod';
import { columnsOf } from '../../io/arrow.js';
import { fail, shown } from '../../util/error.js';
import { rngField } from '../agreement.js';
import { type Analysis, three } from '../analysis.js';
import {
  ALPHA,
  DRAWS,
  ORDER,
  RNG,
  type RuleOptions,
  randomOf,
  rulesOf,
  type SampledOptions,
  SEED,
  streamOf,
} from '../declared-options.js';
import { type ModelOrder, orderedInputs, orderField } from '../model-order.js';
import { rosterOmission } from '../roster/omission.js';
import { candidateSelection } from '../selection.js';
import { FILTER_STREAM, type FilterResults, filterComparison } from './comparison.js';
import { PROPERTIES } from './property.js';

interface FilterPlan {
  /** Absent in documents of version 1: `rows`. */
  readonly order?: ModelOrder;
  readonly draws: number;
  readonly gate_model: string;
  readonly alpha: number;
  readonly rng: 'philox' | 'numpy';
}

interface FilterOptions extends SampledOptions, RuleOptions {
  readonly rng: 'philox' | 'numpy';
  readonly alpha: number;
  readonly gateModel?: string;
}

const property = z.enum(PROPERTIES);

/** Do selected tasks differ from the rest of their candidate pools (analyses 4)? */
export const filter: Analysis<FilterPlan, FilterResults, FilterOptions> = {
  name: 'filter',
  summary: 'Selected tasks against the rest of their pools.',
  needs: {
    inputs: ['core', 'tasks', 'candidates'],
    words: '--core and --tasks, and --pool or single answers (--responses or --ledger)',
  },
  options: [
    RNG,
    SEED,
    ALPHA,
    DRAWS,
    {
      flags: '--gate-model <id>',
      help: 'filter: model left out of the reference mean (default: the one that costs most tasks)',
      kind: 'text',
    },
    ORDER,
  ],
  schema: {
    id: 'flavourbench-sensitivity-filter/1',
    plan: z.object({
      draws: z.number(),
      gate_model: z.string(),
      alpha: z.number().gt(0).lt(1),
      rng: rngField,
      order: orderField,
    }),
    results: z.object({
      gate_model: z.string(),
      comparisons: z.array(
        z.object({
          panel: z.string(),
          family: z.string(),
          characteristic: z.union([property, z.literal('category')]),
          selected_mean: z.number().nullable(),
          other_mean: z.number().nullable(),
          standardized_difference: z.number().nullable(),
          total_variation: z.number().nullable(),
          exceedances: z.number(),
          p: z.number(),
          holm_p: z.number(),
          significant: z.boolean(),
        }),
      ),
      largest_standardized_difference: z.number(),
      largest_total_variation: z.number(),
      resolved: z.number(),
      validity_gate: z.array(
        z.object({
          panel: z.string(),
          family: z.string(),
          property,
          valid: z.number(),
          invalid: z.number(),
          valid_mean: z.number(),
          invalid_mean: z.number(),
          standardized_difference: z.number(),
        }),
      ),
    }),
  },
  async run(given, options) {
    const { order } = rulesOf(options);
    const inputs = orderedInputs(given, order);
    const pool = await inputs.candidates();
    const { rule, selected, warnings } = candidateSelection(pool, await inputs.core());
    const gateModel = options.gateModel ?? rosterOmission(rule).most_influential;
    const byId = await inputs.tasks();
    const tasks = pool.tasks.map(
      ({ id }) =>
        byId.get(id) ??
        fail(
          'TASK_UNKNOWN',
          null,
          `task ${shown(id)} is in none of the task files`,
          'Give every task set with --tasks.',
        ),
    );
    const random = randomOf(options, 20260825n);
    const draws = options.draws ?? 20_000;
    const { alpha, rng } = options;
    const results = filterComparison({
      pool,
      maps: tasks.map(({ scores }) => scores),
      chance: tasks.map(({ chance }) => chance),
      margin: tasks.map(({ margin }) => margin),
      selected,
      gateModel,
      panels: rule.panels,
      families: rule.families,
      draws,
      alpha,
      random,
      shares: inputs.shares,
    });
    return {
      plan: { draws, gate_model: gateModel, alpha, rng, order },
      results,
      models: [],
      rng,
      seed: random.seed,
      streams: streamOf(options, 'subsets', FILTER_STREAM),
      warnings,
    };
  },
  columns: ({ results }) =>
    columnsOf(results.comparisons, {
      panel: ['text', (row) => row.panel],
      family: ['text', (row) => row.family],
      characteristic: ['text', (row) => row.characteristic],
      standardized_difference: ['float64', (row) => row.standardized_difference],
      total_variation: ['float64', (row) => row.total_variation],
      exceedances: ['int32', (row) => row.exceedances],
      p: ['float64', (row) => row.p],
      holm_p: ['float64', (row) => row.holm_p],
      significant: ['bool', (row) => row.significant],
    }),
  words: ({ results }) =>
    `Selected tasks differ from the rest of their candidate pools by at most ${three(results.largest_standardized_difference)} standard deviations on six properties, and by at most ${three(results.largest_total_variation)} in category shares. Against random subsets of the same size ${results.resolved} of ${results.comparisons.length} differences are resolved after Holm. ${results.gate_model} is left out of the reference mean because its failures shaped the selection. No resolved difference is not proof of none: a pool of this size can hide moderate ones.`,
  draw: async ({ results }, options) => (await import('./figure.js')).drawFilter(results, options),
};
