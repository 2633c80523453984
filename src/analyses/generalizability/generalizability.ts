import { columnsOf } from '../../io/arrow.js';
import { type AnalysisReport, percent, three } from '../report.js';
import { varianceRows } from './rows.js';
import type { Generalizability } from './variance.js';

/** Variance sources as a table, a figure and a paragraph. */
export function generalizabilityReport(result: Generalizability): AnalysisReport {
  const rows = varianceRows(result);
  return {
    columns: columnsOf(rows, {
      source: ['text', (row) => row.source],
      sum_of_squares: ['float64', (row) => row.sum_of_squares],
      fraction: ['float64', (row) => row.fraction],
    }),
    words: `Models account for ${percent(result.fractions.model, 1)} of the variance of single cells, tasks inside a stratum for ${percent(result.fractions.task_within_family_panel, 1)}, and what is left between models on single tasks for ${percent(result.fractions.model_by_task, 1)}. Over ${result.tasks} tasks the relative coefficient is ${three(result.relative_g)}${result.tasks_for_target === null ? '; no number of tasks would reach the target' : `; ${result.tasks_for_target} tasks would reach ${result.target}`}. The models and tasks are taken as they are: the coefficient describes this comparison and is not an estimate for a population of either.`,
    figure: async (options) => (await import('./figure.js')).drawGeneralizability(result, options),
  };
}
