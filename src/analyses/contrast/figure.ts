import * as Plot from '@observablehq/plot';
import { labelledScale, rowAxis } from '../../draw/axis.js';
import { columnFigure, type FigurePart } from '../../draw/column.js';
import { columnRows } from '../../draw/column-axis.js';
import { COLUMN } from '../../draw/column-size.js';
import { FIGURE_WIDTH, renderFigure, type Theme, type ThemeColours, themeColours } from '../../draw/figure.js';
import { signed } from '../../draw/text.js';
import { coverageText, fixed } from '../../util/format.js';
import type { DrawOptions } from '../analysis.js';
import { CONDITION_NAME, CONDITION_ORDER, meanMarks, STAGE_NAME, scoreMarks } from './marks.js';
import type { StudyResult } from './study.js';

/** An evaluation with the plan that it was made under. */
export interface ShownStudy {
  readonly results: StudyResult;
  readonly plan: {
    /** Points that the estimate must reach to count as practical. */
    readonly threshold_points: number;
    /** Intervals cover 1 - alpha. */
    readonly alpha: number;
  };
}

/** Scores by training condition, and the effect with its interval and threshold (figure 8 of a release). */
export function drawContrast(studies: readonly ShownStudy[], { theme, size }: DrawOptions): string {
  return size === 'column' ? drawnInColumn(studies, theme) : drawnOnScreen(studies, theme);
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
function effectPanel(studies: readonly ShownStudy[], theme: Theme): string {
  const results = studies.map((study) => study.results);
  const { threshold_points: threshold, alpha } = studies.at(-1)!.plan;
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

/** Both panels in one picture, scores by condition above the effect; threshold and level are those of the last study. */
function drawnOnScreen(studies: readonly ShownStudy[], theme: Theme): string {
  const results = studies.map((study) => study.results);
  const [scores, effect] = [scorePanel(results, theme), effectPanel(studies, theme)];
  const { width, height: top } = sizeOf(scores);
  const height = top + sizeOf(effect).height;
  const below = effect.trim().replace('<svg', `<svg y="${top}"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Reward transfer"><rect width="${width}" height="${height}" fill="${themeColours(theme).background}"/>${scores.trim()}${below}</svg>\n`;
}

function drawnInColumn(studies: readonly ShownStudy[], theme: Theme): string {
  return columnFigure({
    theme,
    title: 'Training on optimal answers',
    subtitle: 'Bars: means. Dots: training seeds; lines join models of one seed.',
    caption: 'Dashed: the practical threshold fixed in the plan, not a null hypothesis.',
    parts: (c) => [scorePart(studies, c), effectPart(studies, c)],
  });
}

function scorePart(studies: readonly ShownStudy[], c: ThemeColours): FigurePart {
  const stageOf = ({ stage, tasks }: StudyResult) => `${STAGE_NAME[stage]}, ${tasks} tasks`;
  const results = studies.map((study) => study.results);
  const labels = meanMarks(results, stageOf);
  const runs = results.flatMap((result) =>
    result.conditions.flatMap(({ condition, runs: list }) =>
      list.map(({ seed, score }) => ({
        stage: stageOf(result),
        condition: CONDITION_NAME[condition]!,
        seed: String(seed),
        score,
      })),
    ),
  );
  const highest = Math.max(...labels.map(({ end, score }) => Math.max(end, score)));
  return {
    heading: 'Score',
    height: 210,
    plot: {
      marginLeft: 30,
      marginRight: 6,
      marginTop: 24,
      marginBottom: 22,
      x: { domain: CONDITION_ORDER, label: null, padding: 0.35 },
      y: { label: null, domain: [0, Math.max(1, highest * 1.16)], ticks: 5, grid: true },
      fx: { label: null, padding: 0.08 },
      marks: [
        Plot.ruleY([0], { stroke: c.muted }),
        Plot.line(
          runs.filter(({ seed }) => seed !== 'null'),
          { fx: 'stage', x: 'condition', y: 'score', z: 'seed', stroke: c.grey, strokeWidth: 1 },
        ),
        Plot.tickY(labels, {
          fx: 'stage',
          x: 'condition',
          y: 'score',
          stroke: c.teal,
          strokeWidth: 2.5,
          inset: -5,
        }),
        Plot.dot(runs, { fx: 'stage', x: 'condition', y: 'score', r: 2.6, fill: c.blue }),
        ...[true, false].map((above) =>
          Plot.text(
            labels.filter((label) => label.above === above),
            {
              fx: 'stage',
              x: 'condition',
              y: 'end',
              text: (d: { score: number }) => fixed(d.score, 1),
              dy: above ? -10 : 11,
              fill: c.ink,
            },
          ),
        ),
      ],
    },
  };
}

/** Space at the right of the effects. */
const RIGHT = 16;

function effectPart(studies: readonly ShownStudy[], c: ThemeColours): FigurePart {
  const thresholds = [...new Set(studies.map(({ plan }) => plan.threshold_points))];
  const axis = columnRows(studies.map(({ results }) => STAGE_NAME[results.stage]));
  const scale = labelledScale({
    values: [...thresholds, ...studies.flatMap(({ results }) => results.contrast.interval)],
    marginLeft: axis.marginLeft,
    marginRight: RIGHT,
    width: COLUMN.width,
    size: COLUMN.text,
  });
  const rows = studies.map(({ results }, at) => {
    const { estimate, interval } = results.contrast;
    const [low, high] = interval;
    const text = signed(`${fixed(estimate, 2)} [${fixed(low, 2)}, ${fixed(high, 2)}]`);
    return { at, estimate, low, high, text, middle: scale.middle(estimate, text) };
  });
  return {
    heading: 'SFT minus control, points; 95% crossed bootstrap over seeds and anchors',
    height: 34 + 40 * rows.length,
    plot: {
      marginLeft: axis.marginLeft,
      marginRight: RIGHT,
      marginTop: 4,
      marginBottom: 22,
      x: { label: null, domain: [...scale.domain], ticks: 5, grid: true },
      y: axis.y,
      marks: [
        Plot.ruleX([0], { stroke: c.muted }),
        Plot.ruleX(thresholds, { stroke: c.gold, strokeDasharray: '4,3', strokeWidth: 1.6 }),
        Plot.ruleY(rows, {
          y: 'at',
          x1: 'low',
          x2: 'high',
          stroke: c.teal,
          strokeWidth: 2.6,
          dy: 6,
        }),
        Plot.dot(rows, { y: 'at', x: 'estimate', r: 4, fill: c.teal, dy: 6 }),
        Plot.text(rows, {
          y: 'at',
          x: 'middle',
          dy: -8,
          text: 'text',
          fill: c.ink,
        }),
      ],
    },
  };
}
