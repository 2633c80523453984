import * as Plot from '@observablehq/plot';
import { rowAxis } from '../draw/axis.js';
import { renderFigure } from '../draw/figure.js';
import { columnsOf } from '../io/arrow.js';
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
    figure: (theme) => {
      const axis = rowAxis(rows.map(({ label }) => label));
      const most = Math.max(0.1, Math.ceil(10 * Math.max(...rows.map((r) => r.fraction))) / 10);
      return renderFigure({
        theme,
        height: 44 + 27 * rows.length,
        title: 'Where the variance of single answers lies',
        subtitle: `Share of the total sum of squares; ${result.models} models, ${result.tasks} tasks.`,
        plot: (c) => ({
          marginLeft: axis.marginLeft,
          marginRight: 64,
          marginTop: 6,
          marginBottom: 38,
          x: {
            label: 'share of the sum of squares',
            tickFormat: '%',
            domain: [0, most],
            ticks: 5,
            grid: true,
          },
          y: { ...axis.y, padding: 0.25 },
          marks: [
            Plot.barX(rows, {
              x1: 0,
              x2: ({ fraction }: { fraction: number }) => Math.max(0, fraction),
              y: (_: unknown, i: number) => i,
              fill: c.blue,
            }),
            Plot.text(rows, {
              x: ({ fraction }: { fraction: number }) => Math.max(0, fraction),
              y: (_: unknown, i: number) => i,
              text: ({ fraction }: { fraction: number }) => percent(fraction, 1),
              dx: 6,
              textAnchor: 'start',
              fill: c.ink,
            }),
          ],
        }),
      });
    },
  };
}
