import { columnFigure, type FigurePart } from '../draw/column.js';
import type { ThemeColours } from '../draw/figure.js';
import { agreementPlot } from './agreement-figure.js';
import type { ModelDrawOptions } from './analysis.js';
import { METRIC_NAME, metricRows } from './metrics/rows.js';
import type { MetricResult } from './metrics/scores.js';
import { keptPart } from './roster/figure.js';
import type { RosterResult } from './roster/omission.js';

/** Results of two analyses that one figure shows; null where the analysis is not there. */
export interface SelectionResults {
  readonly roster: RosterResult | null;
  readonly metrics: readonly MetricResult[] | null;
}

/** Tasks kept without each model, and agreement of other summaries of the answers (figure 9 of a release). */
export function drawSelection({ roster, metrics }: SelectionResults, { theme, models }: ModelDrawOptions): string {
  return columnFigure({
    theme,
    title: 'Does the task filter or the score decide?',
    parts: (c) => [
      ...(roster === null ? [] : keptPart(roster, models, c)),
      ...(metrics === null ? [] : metricPart(metrics, c)),
    ],
  });
}

function metricPart(metrics: readonly MetricResult[], c: ThemeColours): FigurePart[] {
  const rows = metricRows(metrics).filter(({ label }) => label !== METRIC_NAME.flavourbench_score);
  if (rows.length === 0) return [];
  return [{ heading: 'Agreement of other summaries with the score', ...agreementPlot(rows, c) }];
}
