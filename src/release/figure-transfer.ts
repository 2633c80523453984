import * as Plot from '@observablehq/plot';
import { BASE, CONTROL, TREATMENT } from '../transfer/condition.js';
import { CONDITION_NAME, CONDITION_ORDER, STAGE_NAME } from '../transfer/figure-data.js';
import type { Theme, ThemeColours } from '../util/figure.js';
import { fixed } from '../util/format.js';
import { rowAxis } from './figure-axis.js';
import { columnFigure, type FigurePart } from './figure-column.js';
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
  const all = documents.flatMap(({ result }) =>
    result.conditions.map((condition) => ({
      stage: `${STAGE_NAME[result.stage]}, ${result.tasks} tasks`,
      condition: CONDITION_NAME[condition.condition] as string,
      score: condition.score,
      runs: condition.runs,
    })),
  );
  const runs = all.flatMap(({ stage, condition, runs: list }) =>
    list.map(({ seed, score }) => ({ stage, condition, seed: String(seed), score })),
  );
  const labels = all.map(({ stage, condition, score, runs: list }) => {
    const scores = [score, ...list.map((run) => run.score)];
    const partner = CONDITION_NAME[condition === CONDITION_NAME[CONTROL] ? TREATMENT : CONTROL];
    const other = all.find((mean) => mean.stage === stage && mean.condition === partner);
    const above = condition === CONDITION_NAME[BASE] || score >= (other?.score ?? 0);
    return {
      stage,
      condition,
      score,
      above,
      end: above ? Math.max(...scores) : Math.min(...scores),
    };
  });
  const highest = Math.max(...labels.map(({ end, score }) => Math.max(end, score)));
  return {
    heading: 'Score',
    height: 210,
    plot: {
      marginLeft: 30,
      marginRight: 6,
      marginTop: 24,
      marginBottom: 22,
      x: { domain: CONDITION_ORDER, label: null, padding: 0.35, tickSize: 0 },
      y: { label: null, domain: [0, highest * 1.16], ticks: 5 },
      fx: { label: null, padding: 0.08 },
      marks: [
        Plot.gridY({ stroke: c.grid, strokeOpacity: 1, ticks: 5 }),
        Plot.ruleY([0], { stroke: c.muted }),
        Plot.line(
          runs.filter(({ seed }) => seed !== 'null'),
          { fx: 'stage', x: 'condition', y: 'score', z: 'seed', stroke: c.grey, strokeWidth: 1 },
        ),
        Plot.tickY(all, {
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

function effectPart(documents: readonly TransferDocument[], c: ThemeColours): FigurePart {
  const rows = documents.map(({ result }, at) => ({
    at,
    label: STAGE_NAME[result.stage],
    estimate: result.contrast.estimate,
    low: result.contrast.interval[0],
    high: result.contrast.interval[1],
  }));
  const thresholds = [...new Set(documents.map(({ plan }) => plan.number('threshold_points')))];
  const axis = rowAxis(rows.map(({ label }) => label));
  return {
    heading: 'SFT minus control, points; 95% crossed bootstrap over seeds and anchors',
    height: 34 + 40 * rows.length,
    plot: {
      marginLeft: axis.marginLeft,
      marginRight: 16,
      marginTop: 4,
      marginBottom: 22,
      x: { label: null, zero: true, nice: true, ticks: 5 },
      y: axis.y,
      marks: [
        Plot.gridX({ stroke: c.grid, strokeOpacity: 1, ticks: 5 }),
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
          x: 'estimate',
          dy: -8,
          text: (d: { estimate: number; low: number; high: number }) =>
            `${fixed(d.estimate, 2)} [${fixed(d.low, 2)}, ${fixed(d.high, 2)}]`,
          fill: c.ink,
        }),
      ],
    },
  };
}
