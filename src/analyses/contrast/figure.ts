import * as Plot from '@observablehq/plot';
import { axisHeight, labelledScale, rowPlot } from '../../draw/axis.js';
import { drawFigure, type FigurePart } from '../../draw/frame.js';
import { type DrawOptions, type Look, lookOf } from '../../draw/look.js';
import { signed } from '../../draw/text.js';
import { coverageText, fixed } from '../../util/format.js';
import { CONDITION_ORDER, meanMarks, STAGE_NAME, scoreMarks } from './marks.js';
import type { StudyResults } from './study.js';

/** An evaluation with the plan that it was made under. */
interface ShownStudy {
  readonly results: StudyResults;
  readonly plan: {
    /** Points that the estimate must reach to count as practical. */
    readonly threshold_points: number;
    /** Intervals cover 1 - alpha. */
    readonly alpha: number;
  };
}

/** Draws scores by training condition, and under them the effect with its threshold (analyses 9.7; figure 8 of a release). */
export function drawContrast(studies: readonly ShownStudy[], options: DrawOptions): string {
  const look = lookOf(options);
  const thresholds = [...new Set(studies.map(({ plan }) => plan.threshold_points))];
  return drawFigure(look, {
    title: 'Training on optimal answers',
    subtitle: 'Wide marks are means, dots training seeds; lines join models of one seed.',
    caption: `Dashed: the practical threshold of ${thresholds.join(' and ')} points fixed in the plan, not a null hypothesis.`,
    parts: [
      scorePart(
        look,
        studies.map(({ results }) => results),
      ),
      effectPart(look, studies, thresholds),
    ],
  });
}

function scorePart(look: Look, results: readonly StudyResults[]): FigurePart {
  const { size, colours: c } = look;
  const stageOf = ({ stage, tasks }: StudyResults) => `${STAGE_NAME[stage]}, ${tasks} tasks`;
  const means = meanMarks(results, stageOf);
  const runs = scoreMarks(results, stageOf);
  const highest = Math.max(1, ...means.map(({ end, score }) => Math.max(end, score)));
  const facet = { fx: 'stage', x: 'condition' } as const;
  return {
    heading: 'Score, points',
    height: Math.round(0.16 * size.width + 15.5 * size.text),
    plot: {
      marginLeft: size.margin + Math.round(2.2 * size.text),
      marginRight: size.margin,
      marginTop: Math.round(2.4 * size.text),
      marginBottom: axisHeight(look, false),
      x: { domain: CONDITION_ORDER, label: null, padding: 0.38 },
      y: { label: null, domain: [0, 1.16 * highest], ticks: 5, grid: true },
      fx: { label: null, padding: 0.08 },
      marks: [
        Plot.ruleY([0], { stroke: c.muted }),
        Plot.line(
          runs.filter(({ seed }) => seed !== 'none'),
          { ...facet, y: 'score', z: 'seed', stroke: c.grey, strokeWidth: 1.2 * size.mark },
        ),
        Plot.tickY(means, { ...facet, y: 'score', stroke: c.teal, strokeWidth: 3 * size.mark, inset: -7 * size.mark }),
        Plot.dot(runs, {
          ...facet,
          y: 'score',
          r: 3.5 * size.mark,
          fill: c.blue,
          stroke: c.background,
          strokeWidth: 0.8,
        }),
        ...[true, false].map((above) =>
          Plot.text(
            means.filter((mean) => mean.above === above),
            {
              ...facet,
              y: 'end',
              text: ({ score }: { score: number }) => fixed(score, 1),
              dy: (above ? -1 : 1) * (size.text / 2 + 6),
              fill: c.ink,
            },
          ),
        ),
      ],
    },
  };
}

function effectPart(look: Look, studies: readonly ShownStudy[], thresholds: readonly number[]): FigurePart {
  const { size, colours: c } = look;
  const results = studies.map((study) => study.results);
  const coverages = [...new Set(studies.map(({ plan }) => coverageText(plan.alpha)))];
  const plot = rowPlot(look, {
    names: results.map(({ stage }) => STAGE_NAME[stage]),
    rowHeight: Math.round(4 * size.text),
    right: size.margin + Math.round(0.8 * size.text),
    titled: false,
  });
  const scale = labelledScale(look, plot.margins, [
    ...thresholds,
    ...results.flatMap(({ contrast }) => contrast.interval),
  ]);
  const effects = results.map(({ contrast: { estimate, interval } }, at) => {
    const [low, high] = interval;
    const text = signed(`${fixed(estimate, 2)} [${fixed(low, 2)}, ${fixed(high, 2)}]`);
    return { at, estimate, low, high, text, middle: scale.middle(estimate, text) };
  });
  const below = 0.65 * size.text;
  return {
    heading: `SFT minus control, points; ${coverages.join(' and ')} crossed bootstrap over seeds and anchors`,
    height: plot.height,
    plot: {
      ...plot.margins,
      x: { label: null, domain: [...scale.domain], ticks: 5, grid: true },
      y: plot.y,
      marks: [
        Plot.ruleX([0], { stroke: c.muted }),
        Plot.ruleX(thresholds, { stroke: c.gold, strokeDasharray: '4,3', strokeWidth: 2 * size.mark }),
        Plot.ruleY(effects, {
          y: 'at',
          x1: 'low',
          x2: 'high',
          stroke: c.teal,
          strokeWidth: 3.2 * size.mark,
          dy: below,
        }),
        Plot.dot(effects, { y: 'at', x: 'estimate', r: 5 * size.mark, fill: c.teal, dy: below }),
        Plot.text(effects, {
          y: 'at',
          x: 'middle',
          text: 'text',
          dy: -0.75 * size.text,
          fill: c.ink,
          stroke: c.background,
          strokeWidth: 3,
        }),
      ],
    },
  };
}
