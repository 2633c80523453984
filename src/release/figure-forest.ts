import * as Plot from '@observablehq/plot';
import type { Theme } from '../util/figure.js';
import { fixed } from '../util/format.js';
import { ROW, rankedLabels, rowAxis } from './figure-axis.js';
import { columnFigure } from './figure-column.js';
import { type ForestRow, forestRows, meanChance } from './figure-rows.js';
import { byRank, modelName } from './names.js';
import type { ReleaseView } from './release.js';

const confidence = (alpha: number) => `${Number((100 * (1 - alpha)).toPrecision(6))}%`;

/** Scores with simultaneous intervals and the mean score of random answers (figure 2). */
export function drawForest(view: ReleaseView, theme: Theme): string {
  const rows = forestRows(view).map((row, at) => ({ ...row, at }));
  const chance = meanChance(view.board);
  const axis = rowAxis(rankedLabels(rows));
  return columnFigure({
    theme,
    title: 'Scores with simultaneous intervals',
    subtitle: `Bars: ${confidence(view.board.alpha)} max-t band over ${rows.length} models. Right: score and statistical group.`,
    legend: (c) => [
      { label: 'score', colour: c.ink },
      { label: 'simultaneous interval', colour: c.blue, mark: 'line' },
      ...(chance === null
        ? []
        : [{ label: `random answers ${fixed(chance, 1)}`, colour: c.gold, mark: 'line' as const }]),
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
            labelAnchor: 'center',
            labelArrow: 'none',
            domain: [0, 100],
            ticks: 5,
          },
          y: axis.y,
          marks: [
            Plot.gridX({ stroke: c.grid, strokeOpacity: 1, ticks: 5 }),
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
  const axis = rowAxis(rows.map(({ name }) => name));
  const last = rows.length;
  const ticks = [...new Set([1, ...[0.25, 0.5, 0.75, 1].map((share) => Math.round(share * last))])];
  return columnFigure({
    theme,
    title: 'How firm the ranks are',
    subtitle: `Dot: point rank. Bar: ${confidence(view.board.alpha)} bootstrap interval over anchor clusters.`,
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
            labelAnchor: 'center',
            labelArrow: 'none',
            domain: [last + 0.5, 0.5],
            ticks,
            tickFormat: 'd',
          },
          y: axis.y,
          marks: [
            Plot.gridX(ticks, { stroke: c.grid, strokeOpacity: 1 }),
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
