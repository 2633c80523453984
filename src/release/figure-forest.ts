import * as Plot from '@observablehq/plot';
import { rankTicks } from '../draw/axis.js';
import { columnFigure } from '../draw/column.js';
import { columnRows, ROW, rankedLabels } from '../draw/column-axis.js';
import type { Theme } from '../draw/figure.js';
import { coverageText, fixed } from '../util/format.js';
import { type ForestRow, forestRows, meanChance } from './figure-rows.js';
import { byRank, modelName } from './names.js';
import type { ReleaseView } from './release.js';

/** The tens that hold all scores, within 0 to 100: intervals are too narrow for the whole scale. */
function scoreDomain(scores: readonly number[]): [number, number] {
  const low = Math.max(0, Math.min(80, 10 * Math.floor(Math.min(...scores) / 10)));
  return [low, Math.min(100, Math.max(low + 20, 10 * Math.ceil(Math.max(...scores) / 10)))];
}

/** Scores with simultaneous intervals and the mean score of random answers (figure 2). */
export function drawForest(view: ReleaseView, theme: Theme): string {
  const rows = forestRows(view).map((row, at) => ({ ...row, at }));
  const chance = meanChance(view.board);
  const axis = columnRows(rankedLabels(rows));
  return columnFigure({
    theme,
    title: 'Scores with simultaneous intervals',
    subtitle: `Bars: ${coverageText(view.board.alpha)} max-t band over ${rows.length} models. Right: score and statistical group.`,
    legend: (c) => [
      { label: 'score', colour: c.ink },
      { label: 'simultaneous interval', colour: c.blue, mark: 'line' },
      ...(chance === null
        ? []
        : [{ label: `random answers ${fixed(chance, 1)}`, colour: c.gold, mark: 'dash' as const }]),
    ],
    parts: (c) => [
      {
        height: 35 + ROW * rows.length,
        plot: {
          marginLeft: axis.marginLeft,
          marginRight: 50,
          marginTop: 2,
          marginBottom: 33,
          x: {
            label: 'score',
            domain: scoreDomain([
              ...rows.flatMap(({ low, high }) => [low, high]),
              ...(chance === null ? [] : [chance]),
            ]),
            ticks: 5,
            grid: true,
          },
          y: axis.y,
          marks: [
            ...(chance === null
              ? []
              : [
                  Plot.ruleX([chance], {
                    stroke: c.gold,
                    strokeDasharray: '4,3',
                    strokeWidth: 1.6,
                  }),
                ]),
            Plot.ruleY(rows, {
              y: 'at',
              x1: 'low',
              x2: 'high',
              stroke: c.blue,
              strokeWidth: 3,
            }),
            Plot.dot(rows, { x: 'score', y: 'at', r: 2.6, fill: c.ink }),
            Plot.text(rows, {
              y: 'at',
              frameAnchor: 'right',
              textAnchor: 'start',
              dx: 6,
              text: (row: ForestRow) => `${fixed(row.score, 1)} G${row.group}`,
              fill: c.ink,
            }),
          ],
        },
      },
    ],
  });
}

/** Point ranks with bootstrap intervals, the best at the right (figure 7). */
export function drawRanks(view: ReleaseView, theme: Theme): string {
  const models = byRank(view.board.models);
  const rows = models.map((model, at) => ({
    at,
    rank: model.rank,
    name: modelName(view, model),
    low: model.rankInterval[0],
    high: model.rankInterval[1],
  }));
  const axis = columnRows(rows.map(({ name }) => name));
  const last = rows.length;
  return columnFigure({
    theme,
    title: 'How firm the ranks are',
    subtitle: `Dot: point rank. Bar: ${coverageText(view.board.alpha)} bootstrap interval over anchor clusters.`,
    parts: (c) => [
      {
        height: 35 + ROW * last,
        plot: {
          marginLeft: axis.marginLeft,
          marginRight: 14,
          marginTop: 2,
          marginBottom: 33,
          x: {
            label: 'rank (1 is best)',
            domain: [last + 0.5, 0.5],
            ticks: rankTicks(last),
            tickFormat: 'd',
            grid: true,
          },
          y: axis.y,
          marks: [
            Plot.ruleY(rows, {
              y: 'at',
              x1: (row: { low: number }) => row.low - 0.25,
              x2: (row: { high: number }) => row.high + 0.25,
              stroke: c.teal,
              strokeWidth: 4,
              strokeOpacity: 0.65,
            }),
            Plot.dot(rows, { x: 'rank', y: 'at', r: 2.6, fill: c.ink }),
          ],
        },
      },
    ],
  });
}
