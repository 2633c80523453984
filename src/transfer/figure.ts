import * as Plot from '@observablehq/plot';
import { renderFigure, type Theme, themeColours } from '../util/figure.js';
import {
  CONDITION_NAME,
  CONDITION_ORDER,
  coverage,
  STAGE_NAME,
  scoreMarks,
} from './figure-data.js';
import type { StudyResult } from './study.js';

export interface TransferFigureOptions {
  readonly theme: Theme;
  /** Points. */
  readonly threshold: number;
  /** Intervals cover 1 - alpha. */
  readonly alpha: number;
}

const SCORE_WIDTH = 560;
const EFFECT_WIDTH = 520;
const PANEL_HEIGHT = 280;

/** Scores by condition: wide marks are means, dots training seeds, lines join equal seeds. */
function scorePanel(results: readonly StudyResult[], theme: Theme): string {
  const marks = scoreMarks(results);
  const trained = marks.filter(({ seed }) => seed !== 'none');
  const means = results.flatMap((result) =>
    result.conditions.map(({ condition, score, score_max }) => ({
      stage: STAGE_NAME[result.stage],
      condition: CONDITION_NAME[condition] as string,
      score,
      top: score_max,
    })),
  );
  return renderFigure({
    title: 'Score by training condition',
    subtitle: 'Wide marks are means, dots training seeds; lines join models of one seed.',
    width: SCORE_WIDTH,
    height: PANEL_HEIGHT,
    theme,
    plot: (c) => ({
      marginLeft: 56,
      marginTop: 40,
      marginBottom: 40,
      x: { domain: CONDITION_ORDER, label: null, padding: 0.4 },
      y: {
        label: 'score',
        grid: true,
        domain: [0, 1.12 * Math.max(1, ...marks.map((m) => m.score))],
      },
      fx: { label: null, axis: null },
      marks: [
        Plot.axisFx({ anchor: 'top', label: null, dy: -8, fontWeight: 'bold' }),
        Plot.ruleY([0], { stroke: c.muted }),
        Plot.line(trained, {
          fx: 'stage',
          x: 'condition',
          y: 'score',
          z: 'seed',
          stroke: c.grey,
          strokeWidth: 1.2,
        }),
        Plot.tickY(means, {
          fx: 'stage',
          x: 'condition',
          y: 'score',
          stroke: c.teal,
          strokeWidth: 3,
          inset: -8,
        }),
        Plot.dot(marks, {
          fx: 'stage',
          x: 'condition',
          y: 'score',
          r: 3.5,
          fill: c.blue,
          stroke: c.background,
          strokeWidth: 0.8,
        }),
        Plot.text(means, {
          fx: 'stage',
          x: 'condition',
          y: 'top',
          text: (d: { score: number }) => d.score.toFixed(1),
          dy: -16,
          fill: c.ink,
          stroke: c.background,
          strokeWidth: 3,
        }),
      ],
    }),
  });
}

/** The effect with its interval and the practical threshold. */
function effectPanel(
  results: readonly StudyResult[],
  { theme, threshold, alpha }: TransferFigureOptions,
): string {
  const effects = results.map(({ stage, contrast }) => ({
    stage: STAGE_NAME[stage],
    estimate: contrast.estimate,
    low: contrast.interval[0],
    high: contrast.interval[1],
  }));
  return renderFigure({
    title: 'Effect of training on optimal answers',
    subtitle: `Trained minus format control, ${coverage(alpha)} crossed bootstrap over seeds and anchors.`,
    caption: `The dashed line is the practical threshold of ${threshold} points, not a null hypothesis.`,
    width: EFFECT_WIDTH,
    height: PANEL_HEIGHT - 22,
    theme,
    plot: (c) => ({
      marginLeft: 130,
      marginRight: 30,
      marginTop: 30,
      marginBottom: 40,
      x: {
        label: 'points',
        labelAnchor: 'center',
        labelArrow: 'none',
        grid: true,
        nice: true,
        domain: [
          Math.min(0, ...effects.map(({ low }) => low)),
          1.05 * Math.max(threshold, 1, ...effects.map(({ high }) => high)),
        ],
      },
      y: { label: null, domain: effects.map(({ stage }) => stage), padding: 0.5 },
      marks: [
        Plot.ruleX([0], { stroke: c.muted }),
        Plot.ruleX([threshold], { stroke: c.gold, strokeDasharray: '5,4', strokeWidth: 1.8 }),
        Plot.ruleY(effects, { y: 'stage', x1: 'low', x2: 'high', stroke: c.teal, strokeWidth: 3 }),
        Plot.dot(effects, { y: 'stage', x: 'estimate', r: 6, fill: c.teal }),
        Plot.text(effects, {
          y: 'stage',
          x: 'estimate',
          text: (d: { estimate: number; low: number; high: number }) =>
            `${d.estimate.toFixed(2)} [${d.low.toFixed(2)}, ${d.high.toFixed(2)}]`,
          dy: -16,
          fill: c.ink,
          stroke: c.background,
          strokeWidth: 3,
        }),
      ],
    }),
  });
}

const sizeOf = (svg: string): { readonly width: number; readonly height: number } => {
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg) as unknown as string[];
  return { width: Number(width), height: Number(height) };
};

/** Both panels of the paper's figure 8 in one picture: scores by condition, and the effect with its interval. */
export function transferFigure(
  results: readonly StudyResult[],
  options: TransferFigureOptions,
): string {
  const { theme } = options;
  const panels = [scorePanel(results, theme), effectPanel(results, options)];
  const width = SCORE_WIDTH + EFFECT_WIDTH;
  const height = Math.max(...panels.map((svg) => sizeOf(svg).height));
  const placed = panels.map((svg, i) => svg.trim().replace('<svg', `<svg x="${i * SCORE_WIDTH}"`));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Reward transfer"><rect width="${width}" height="${height}" fill="${themeColours(theme).background}"/>${placed.join('')}</svg>\n`;
}
