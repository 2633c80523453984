import { z } from 'zod';
import { columnsOf } from '../../io/arrow.js';
import { type Analysis, percent, three } from '../analysis.js';
import { decompose, type Generalizability, SOURCES, varianceRows } from './variance.js';

interface GeneralizabilityOptions {
  /** Coefficient to plan for. */
  readonly target: number;
}

const bySource = z.record(z.enum(SOURCES), z.number());

/** Where does the variance lie, and how many tasks would reach a target coefficient (analyses 2)? */
export const generalizability: Analysis<GeneralizabilityOptions, Generalizability, GeneralizabilityOptions> = {
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
  ],
  schema: {
    id: 'flavourbench-sensitivity-generalizability/1',
    plan: z.object({ target: z.number() }),
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
    }),
  },
  async run(inputs, { target }) {
    const results = decompose({ matrix: await inputs.matrix(), target });
    return { plan: { target }, results, models: [], rng: null, seed: null, streams: {}, warnings: [] };
  },
  columns: ({ results }) =>
    columnsOf(varianceRows(results), {
      source: ['text', (row) => row.source],
      sum_of_squares: ['float64', (row) => row.sum_of_squares],
      fraction: ['float64', (row) => row.fraction],
    }),
  words: ({ results: { fractions, tasks, relative_g, tasks_for_target, target } }) =>
    `Models account for ${percent(fractions.model, 1)} of the variance of single cells, tasks inside a stratum for ${percent(fractions.task_within_family_panel, 1)}, and what is left between models on single tasks for ${percent(fractions.model_by_task, 1)}. Over ${tasks} tasks the relative coefficient is ${three(relative_g)}${tasks_for_target === null ? '; no number of tasks would reach the target' : `; ${tasks_for_target} tasks would reach ${target}`}. The models and tasks are taken as they are: the coefficient describes this comparison and is not an estimate for a population of either.`,
  draw: async ({ results }, options) => (await import('./figure.js')).drawGeneralizability(results, options),
};
