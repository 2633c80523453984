import * as Plot from '@observablehq/plot';
import { csvText } from '../util/csv.js';
import { renderFigure, type Theme } from '../util/figure.js';
import { BASE, CONTROL, TREATMENT } from './condition.js';
import type { StudyResult } from './study.js';

const NAME: Readonly<Record<string, string>> = {
  [BASE]: 'base',
  [CONTROL]: 'control',
  [TREATMENT]: 'SFT',
};
const ORDER = ['base', 'control', 'SFT'];
const STAGE = { primary: 'held-out anchors', secondary: 'public maps' };

interface ScoreMark {
  readonly stage: string;
  readonly condition: string;
  readonly seed: string;
  readonly score: number;
}

function scoreMarks(results: readonly StudyResult[]): ScoreMark[] {
  return results.flatMap((result) =>
    result.conditions.flatMap(({ condition, runs }) =>
      runs.map((run) => ({
        stage: STAGE[result.stage],
        condition: NAME[condition] as string,
        seed: String(run.seed ?? 'none'),
        score: run.score,
      })),
    ),
  );
}

/** What the figures draw. */
export function transferFigureData(results: readonly StudyResult[]): string {
  return csvText(
    ['evaluation', 'quantity', 'condition', 'seed', 'value', 'low', 'high'],
    [
      ...scoreMarks(results).map((m) => [m.stage, 'score', m.condition, m.seed, m.score, '', '']),
      ...results.map(({ stage, contrast }) => [
        STAGE[stage],
        'effect',
        'SFT minus control',
        '',
        contrast.estimate,
        contrast.interval[0],
        contrast.interval[1],
      ]),
    ],
  );
}

/** Scores by condition: bars are means, dots training seeds, lines join equal seeds (paper figure 8, left). */
export function scoreFigure(results: readonly StudyResult[], theme: Theme, title: string): string {
  const marks = scoreMarks(results);
  const trained = marks.filter(({ seed }) => seed !== 'none');
  const means = results.flatMap((result) =>
    result.conditions.map(({ condition, score }) => ({
      stage: STAGE[result.stage],
      condition: NAME[condition] as string,
      score,
    })),
  );
  return renderFigure({
    title,
    subtitle: 'Bars are means, dots training seeds; lines join models of one seed.',
    width: 640,
    height: 320,
    theme,
    plot: (c) => ({
      marginLeft: 56,
      marginTop: 44,
      marginBottom: 40,
      x: { domain: ORDER, label: null, padding: 0.4 },
      y: { label: 'score', grid: true, nice: true, zero: true },
      fx: { label: null },
      marks: [
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
          y: 'score',
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

/** The effect with its interval and the practical threshold (paper figure 8, right). */
export function effectFigure(
  results: readonly StudyResult[],
  theme: Theme,
  threshold: number,
): string {
  const effects = results.map(({ stage, contrast }) => ({
    stage: STAGE[stage],
    estimate: contrast.estimate,
    low: contrast.interval[0],
    high: contrast.interval[1],
  }));
  return renderFigure({
    title: 'Effect of training on optimal answers',
    subtitle: 'Trained minus format control, 95% crossed bootstrap over seeds and anchors.',
    caption: `The dashed line is the practical threshold of ${threshold} points, not a null hypothesis.`,
    width: 640,
    height: 70 + 60 * effects.length,
    theme,
    plot: (c) => ({
      marginLeft: 130,
      marginRight: 40,
      marginBottom: 40,
      x: { label: 'points', labelAnchor: 'center', grid: true, nice: true, zero: true },
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
