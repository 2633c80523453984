import { drawFigure } from '../draw/frame.js';
import { lookOf } from '../draw/look.js';
import type { ModelDrawOptions } from './analysis.js';
import { metricsPart } from './metrics/figure.js';
import type { MetricResult } from './metrics/scores.js';
import { rosterPart } from './roster/figure.js';
import type { RosterResults } from './roster/omission.js';

/** Results of two analyses that one figure shows; null where the analysis is not there. */
interface SelectionResults {
  readonly roster: RosterResults | null;
  readonly metrics: readonly MetricResult[] | null;
}

/** Draws the tasks kept without each model, and how other summaries of the answers agree (figure 9 of a release). */
export function drawSelection({ roster, metrics }: SelectionResults, options: ModelDrawOptions): string {
  const look = lookOf(options);
  return drawFigure(look, {
    title: 'Does the task filter or the score decide?',
    parts: [
      ...(roster === null ? [] : rosterPart(look, roster, options.models)),
      ...(metrics === null ? [] : metricsPart(look, metrics, 'Agreement of other summaries with the score')),
    ],
  });
}
