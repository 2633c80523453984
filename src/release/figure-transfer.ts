import * as Plot from '@observablehq/plot';
import { labelledScale } from '../draw/axis.js';
import { columnFigure, type FigurePart } from '../draw/column.js';
import { columnRows } from '../draw/column-axis.js';
import { COLUMN } from '../draw/column-size.js';
import type { Theme, ThemeColours } from '../draw/figure.js';
import { signed } from '../draw/text.js';
import { CONDITION_NAME, CONDITION_ORDER, meanMarks, STAGE_NAME } from '../transfer/figure-data.js';
import type { StudyResult } from '../transfer/study.js';
import { fixed } from '../util/format.js';
import type { ReleaseView } from './release.js';
import { type TransferDocument, transfersOf } from './source.js';

/** Scores by condition with training seeds, and the effect with its threshold (figure 8). */
export function drawTransfer(view: ReleaseView, theme: Theme): string {
  const documents = transfersOf(view);
  return columnFigure({
    theme,
    title: 'Training on optimal answers',
    subtitle: 'Bars: means. Dots: training seeds; lines join models of one seed.',
    caption: 'Dashed: the practical threshold fixed in the plan, not a null hypothesis.',
    parts: (c) => [scorePart(documents, c), effectPart(documents, c)],
  });
}

function scorePart(documents: readonly TransferDocument[], c: ThemeColours): FigurePart {
  const stageOf = ({ stage, tasks }: StudyResult) => `${STAGE_NAME[stage]}, ${tasks} tasks`;
  const results = documents.map(({ result }) => result);
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

function effectPart(documents: readonly TransferDocument[], c: ThemeColours): FigurePart {
  const thresholds = [...new Set(documents.map(({ plan }) => plan.number('threshold_points')))];
  const axis = columnRows(documents.map(({ result }) => STAGE_NAME[result.stage]));
  const scale = labelledScale({
    values: [...thresholds, ...documents.flatMap(({ result }) => result.contrast.interval)],
    marginLeft: axis.marginLeft,
    marginRight: RIGHT,
    width: COLUMN.width,
    size: COLUMN.text,
  });
  const rows = documents.map(({ result }, at) => {
    const { estimate, interval } = result.contrast;
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
