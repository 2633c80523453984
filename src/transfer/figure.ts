import * as Plot from '@observablehq/plot';
import { labelledScale, rowAxis } from '../draw/axis.js';
import { FIGURE_WIDTH, renderFigure, type Theme, themeColours } from '../draw/figure.js';
import { signed } from '../draw/text.js';
import { coverageText, fixed } from '../util/format.js';
import { CONDITION_ORDER, meanMarks, STAGE_NAME, scoreMarks } from './figure-data.js';
import type { StudyResult } from './study.js';

export interface TransferFigureOptions {
  readonly theme: Theme;
  /** Points. */
  readonly threshold: number;
  /** Intervals cover 1 - alpha. */
  readonly alpha: number;
}

/** Scores by condition: wide marks are means, dots training seeds, lines join equal seeds. */
function scorePanel(results: readonly StudyResult[], theme: Theme): string {
  const marks = scoreMarks(results);
  const means = meanMarks(results, ({ stage }) => STAGE_NAME[stage]);
  return renderFigure({
    title: 'Score by training condition',
    subtitle: 'Wide marks are means, dots training seeds; lines join models of one seed.',
    height: 270,
    theme,
    plot: (c) => ({
      marginLeft: 64,
      marginRight: 24,
      marginTop: 34,
      marginBottom: 26,
      x: { domain: CONDITION_ORDER, label: null, padding: 0.4 },
      y: {
        label: 'score, points',
        ticks: 5,
        grid: true,
        domain: [0, 1.14 * Math.max(1, ...marks.map((m) => m.score))],
      },
      fx: { label: null, padding: 0.08 },
      marks: [
        Plot.ruleY([0], { stroke: c.muted }),
        Plot.line(
          marks.filter(({ seed }) => seed !== 'none'),
          {
            fx: 'stage',
            x: 'condition',
            y: 'score',
            z: 'seed',
            stroke: c.grey,
            strokeWidth: 1.2,
          },
        ),
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
        ...[true, false].map((above) =>
          Plot.text(
            means.filter((mean) => mean.above === above),
            {
              fx: 'stage',
              x: 'condition',
              y: 'end',
              text: (d: { score: number }) => fixed(d.score, 1),
              dy: above ? -13 : 14,
              fill: c.ink,
            },
          ),
        ),
      ],
    }),
  });
}

/** The effect with its interval and the practical threshold. */
function effectPanel(results: readonly StudyResult[], { theme, threshold, alpha }: TransferFigureOptions): string {
  const axis = rowAxis(results.map(({ stage }) => STAGE_NAME[stage]));
  const margins = { marginLeft: axis.marginLeft, marginRight: 40 };
  const scale = labelledScale({
    values: [threshold, ...results.flatMap(({ contrast }) => contrast.interval)],
    ...margins,
    width: FIGURE_WIDTH,
    size: 12,
  });
  const effects = results.map(({ contrast: { estimate, interval } }, at) => {
    const [low, high] = interval;
    const text = signed(`${fixed(estimate, 2)} [${fixed(low, 2)}, ${fixed(high, 2)}]`);
    return { at, estimate, low, high, text, middle: scale.middle(estimate, text) };
  });
  return renderFigure({
    title: 'Effect of training on optimal answers',
    subtitle: `Trained minus format control, ${coverageText(alpha)} crossed bootstrap over seeds and anchors.`,
    caption: `The dashed line is the practical threshold of ${threshold} points, not a null hypothesis.`,
    height: 44 + 48 * effects.length,
    theme,
    plot: (c) => ({
      ...margins,
      marginTop: 6,
      marginBottom: 38,
      x: { label: 'points', grid: true, ticks: 6, domain: [...scale.domain] },
      y: axis.y,
      marks: [
        Plot.ruleX([0], { stroke: c.muted }),
        Plot.ruleX([threshold], { stroke: c.gold, strokeDasharray: '5,4', strokeWidth: 1.8 }),
        Plot.ruleY(effects, {
          y: 'at',
          x1: 'low',
          x2: 'high',
          stroke: c.teal,
          strokeWidth: 3,
          dy: 8,
        }),
        Plot.dot(effects, { y: 'at', x: 'estimate', r: 5, fill: c.teal, dy: 8 }),
        Plot.text(effects, {
          y: 'at',
          x: 'middle',
          text: 'text',
          dy: -9,
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

/** Both panels of the paper's figure 8 in one picture: scores by condition, and the effect with its interval under them. */
export function transferFigure(results: readonly StudyResult[], options: TransferFigureOptions): string {
  const { theme } = options;
  const [scores, effect] = [scorePanel(results, theme), effectPanel(results, options)];
  const { width, height: top } = sizeOf(scores);
  const height = top + sizeOf(effect).height;
  const below = effect.trim().replace('<svg', `<svg y="${top}"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Reward transfer"><rect width="${width}" height="${height}" fill="${themeColours(theme).background}"/>${scores.trim()}${below}</svg>\n`;
}
