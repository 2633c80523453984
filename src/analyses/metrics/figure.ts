import { drawFigure, type FigurePart } from '../../draw/frame.js';
import { type DrawOptions, type Look, lookOf } from '../../draw/look.js';
import { agreementPart } from '../agreement-figure.js';
import { type MetricResult, metricRows, SCORE_NAME } from './scores.js';

/** Draws how other summaries of the answers agree with the score; no part where there are none. */
export function metricsPart(look: Look, metrics: readonly MetricResult[], heading?: string): FigurePart[] {
  const rows = metricRows(metrics, 'rows').filter(({ label }) => label !== SCORE_NAME);
  return rows.length === 0 ? [] : [agreementPart(look, heading, rows)];
}

/** Draws the metrics analysis (analyses 5). */
export function drawMetrics(metrics: readonly MetricResult[], options: DrawOptions): string {
  const look = lookOf(options);
  return drawFigure(look, {
    title: 'Other ways to read the same answers',
    subtitle: 'Agreement of other summaries with the primary score.',
    parts: metricsPart(look, metrics),
  });
}
