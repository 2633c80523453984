import * as Plot from '@observablehq/plot';
import { columnsOf } from '../util/arrow.js';
import { renderFigure } from '../util/figure.js';
import type { Generalizability, Source } from './generalizability.js';
import { type AnalysisReport, percent, three } from './report.js';

const LABEL: Readonly<Record<Source, string>> = {
  model: 'model',
  family: 'family',
  panel: 'panel',
  family_by_panel: 'family x panel',
  task_within_family_panel: 'task within stratum',
  model_by_task: 'model x task, residual',
};

/** Variance sources as a table, a figure and a paragraph. */
export function generalizabilityReport(result: Generalizability): AnalysisReport {
  const rows = (Object.keys(LABEL) as Source[]).map((source) => ({
    source,
    label: LABEL[source],
    sum_of_squares: result.sum_squares[source],
    fraction: result.fractions[source],
  }));
  return {
    columns: columnsOf(rows, {
      source: ['text', (row) => row.source],
      sum_of_squares: ['float64', (row) => row.sum_of_squares],
      fraction: ['float64', (row) => row.fraction],
    }),
    words: `Models account for ${percent(result.fractions.model, 1)} of the variance of single cells, tasks inside a stratum for ${percent(result.fractions.task_within_family_panel, 1)}, and what is left between models on single tasks for ${percent(result.fractions.model_by_task, 1)}. Over ${result.tasks} tasks the relative coefficient is ${three(result.relative_g)}${result.tasks_for_target === null ? '; no number of tasks would reach the target' : `; ${result.tasks_for_target} tasks would reach ${result.target}`}. The models and tasks are taken as they are: the coefficient describes this comparison and is not an estimate for a population of either.`,
    figure: (theme) =>
      renderFigure({
        theme,
        width: 640,
        height: 40 + 34 * rows.length,
        title: 'Where the variance of single answers lies',
        subtitle: `Share of the total sum of squares; ${result.models} models, ${result.tasks} tasks.`,
        plot: (c) => ({
          marginLeft: 160,
          marginRight: 60,
          marginBottom: 34,
          x: { label: null, tickFormat: '%', grid: true, domain: [0, 1] },
          y: { label: null, domain: rows.map(({ label }) => label) },
          marks: [
            Plot.barX(rows, { x: 'fraction', y: 'label', fill: c.blue }),
            Plot.text(rows, {
              x: 'fraction',
              y: 'label',
              text: (d: { fraction: number }) => percent(d.fraction, 1),
              dx: 6,
              textAnchor: 'start',
              fill: c.ink,
            }),
          ],
        }),
      }),
  };
}
