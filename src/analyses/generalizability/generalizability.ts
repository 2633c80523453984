import { z } from 'zod';
import { columnsOf } from '../../io/arrow.js';
import { counted } from '../../util/format.js';
import { type Analysis, percent, three } from '../analysis.js';
import { ORDER, type RuleOptions, rulesOf, SAMPLING, type Sampling } from '../declared-options.js';
import { type ModelOrder, orderedInputs, orderField, samplingField } from '../model-order.js';
import { type ClusterReliability, clusterReliability } from './cluster-error.js';
import { decompose, type Generalizability, SOURCES, varianceRows } from './variance.js';

interface GeneralizabilityPlan {
  /** Coefficient to plan for. */
  readonly target: number;
  /** Absent in documents of version 1: `tasks` and `rows`. */
  readonly sampling?: Sampling;
  readonly order?: ModelOrder;
  /** How the coefficient was estimated: by mean squares of models x tasks, or from what sampling clusters brings to scores. */
  readonly estimator?: 'two-way-mean-squares' | 'linearised-clusters';
}

interface GeneralizabilityResults extends Generalizability {
  /** What `relative_g` and `tasks_for_target` rest on under sampling of clusters. */
  readonly over_clusters?: ClusterReliability;
}

interface GeneralizabilityOptions extends RuleOptions {
  readonly target: number;
}

const bySource = z.record(z.enum(SOURCES), z.number());

/** Where does the variance lie, and how many tasks would reach a target coefficient (analyses 2, decisions 5.3)? */
export const generalizability: Analysis<GeneralizabilityPlan, GeneralizabilityResults, GeneralizabilityOptions> = {
  name: 'generalizability',
  summary: 'Where the variance lies, and tasks needed for a target coefficient.',
  needs: { inputs: ['matrix'], words: 'a matrix (--scores, or --responses with --tasks)' },
  options: [
    {
      flags: '--target <x>',
      help: 'generalizability: coefficient to plan for',
      kind: 'number',
      default: 0.9,
    },
    SAMPLING,
    ORDER,
  ],
  schema: {
    id: 'flavourbench-sensitivity-generalizability/2',
    earlier: ['flavourbench-sensitivity-generalizability/1'],
    plan: z.object({
      target: z.number(),
      sampling: samplingField,
      order: orderField,
      estimator: z.enum(['two-way-mean-squares', 'linearised-clusters']).optional(),
    }),
    results: z.object({
      models: z.number(),
      tasks: z.number(),
      grand_mean: z.number(),
      total: z.number(),
      sum_squares: bySource,
      fractions: bySource,
      components: z.object({ model: z.number(), task: z.number(), model_by_task: z.number() }),
      relative_g: z.number().nullable(),
      target: z.number(),
      tasks_for_target: z.number().nullable(),
      over_clusters: z
        .object({
          clusters: z.number(),
          strata: z.number(),
          model: z.number(),
          error: z.number(),
          model_by_cluster: z.number().nullable(),
          model_by_task: z.number(),
          relative_g: z.number().nullable(),
          clusters_for_target: z.number().nullable(),
          tasks_for_target: z.number().nullable(),
          lone_strata: z.array(z.string()),
        })
        .optional(),
    }),
  },
  async run(inputs, options) {
    const { target } = options;
    const rules = rulesOf(options);
    const matrix = await orderedInputs(inputs, rules.order).matrix();
    const crossed = decompose({ matrix, target });
    const over = rules.sampling === 'clusters' ? clusterReliability(matrix, target) : undefined;
    const results: GeneralizabilityResults = over
      ? { ...crossed, relative_g: over.relative_g, tasks_for_target: over.tasks_for_target, over_clusters: over }
      : crossed;
    const estimator = over ? 'linearised-clusters' : 'two-way-mean-squares';
    return {
      plan: { target, ...rules, estimator },
      results,
      models: [],
      rng: null,
      seed: null,
      streams: {},
      warnings: [],
    };
  },
  columns: ({ results }) =>
    columnsOf(varianceRows(results), {
      source: ['text', (row) => row.source],
      sum_of_squares: ['float64', (row) => row.sum_of_squares],
      fraction: ['float64', (row) => row.fraction],
    }),
  words: ({ results }) => {
    const { fractions, tasks, relative_g: g, tasks_for_target: needed, target, over_clusters: over } = results;
    if (fractions.model + fractions.task_within_family_panel + fractions.model_by_task === 0)
      return 'All cells of a stratum are the same: there is no variance to share out, and no coefficient.';
    const said = [
      `Models account for ${percent(fractions.model, 1)} of the variance of single cells, tasks inside a stratum for ${percent(fractions.task_within_family_panel, 1)}, and what is left between models on single tasks for ${percent(fractions.model_by_task, 1)}.`,
    ];
    if (g === null && (over?.lone_strata.length ?? 0) === 0)
      said.push('No coefficient is stated: the scores of the models do not differ.');
    else if (over === undefined)
      said.push(
        `Over ${tasks} tasks the relative coefficient is ${three(g)}${needed === null ? '; no number of tasks would reach the target' : `; ${needed} tasks would reach ${target}`}. The models and tasks are taken as they are: the coefficient describes this comparison and is not an estimate for a population of either.`,
      );
    else if (over.lone_strata.length > 0)
      said.push(
        `No coefficient is stated: ${over.lone_strata.length === 1 ? 'one stratum' : `${over.lone_strata.length} strata`} (${over.lone_strata.slice(0, 3).join(', ')}) ${over.lone_strata.length === 1 ? 'has' : 'have'} one cluster, and how much clusters vary there cannot be seen.`,
      );
    else
      said.push(
        `On other clusters of tasks like these ${counted(over.clusters, 'cluster')} (${counted(tasks, 'task')}) would order the models with a relative coefficient of ${three(g)}${needed === null ? '; no number of clusters would reach the target, since the scores differ no more than sampling makes them' : `; ${counted(over.clusters_for_target!, 'cluster')} (${counted(needed, 'task')}) would reach ${target}`}. It speaks of these models on other tasks, not of other models.`,
      );
    return said.join(' ');
  },
  draw: async ({ results }, options) => (await import('./figure.js')).drawGeneralizability(results, options),
};
