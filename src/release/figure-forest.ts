import * as Plot from '@observablehq/plot';
import { rankAxis, rankedNames, rowPlot } from '../draw/axis.js';
import { drawFigure } from '../draw/frame.js';
import { type DrawOptions, lookOf } from '../draw/look.js';
import { measured, widest } from '../draw/text.js';
import type { Interval } from '../inference/result.js';
import { coverageText, fixed } from '../util/format.js';
import { type ForestRow, forestRows, isGrouped, meanChance, shownRanks } from './figure-rows.js';
import { byRank } from './names.js';
import { rankedLabels } from './ranked-labels.js';
import type { ReleaseView } from './view.js';

/** The tens that hold all scores, within 0 to 100: intervals are too narrow for the whole scale. */
function scoreDomain(scores: readonly number[]): [number, number] {
  const low = Math.max(0, Math.min(80, 10 * Math.floor(Math.min(...scores) / 10)));
  return [low, Math.min(100, Math.max(low + 20, 10 * Math.ceil(Math.max(...scores) / 10)))];
}

/** Least and greatest score there is, points. */
const SCALE: Interval = [0, 100];

/** The part of an interval that the scale of scores holds. */
const onScale = ([low, high]: Interval): Interval => [
  Math.min(SCALE[1], Math.max(SCALE[0], low)),
  Math.min(SCALE[1], Math.max(SCALE[0], high)),
];

/** Draws scores with the interval of each alone inside that of all at once, and the mean score of random answers (figure 2). */
export function drawForest(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const whole = forestRows(view);
  const cut = whole.some(
    ({ low, high, alone }) => Math.min(low, alone[0]) < SCALE[0] || Math.max(high, alone[1]) > SCALE[1],
  );
  const rows = whole.map((row, at) => {
    const [low, high] = onScale([row.low, row.high]);
    return { ...row, at, low, high, alone: onScale(row.alone) };
  });
  const chance = meanChance(view.leaderboard);
  const beside = [
    { dx: 7, text: (row: ForestRow) => fixed(row.score, 1) },
    { dx: 7 + measured('100.0 ', size.text), text: (row: ForestRow) => row.mark },
  ];
  const level = coverageText(view.leaderboard.plan.alpha);
  const groups = widest(
    rows.map(({ mark }) => mark),
    size.text,
  );
  const plot = rowPlot(look, {
    names: rankedNames(rows),
    right: Math.ceil(beside[1]!.dx + groups + size.margin - 2),
  });
  return drawFigure(look, {
    title: 'Scores with simultaneous intervals',
    subtitle: `Thick: ${level} interval of the model alone; thin: max-t band over ${rows.length} models at once. Right: score and ${isGrouped(view) ? 'statistical group' : 'letters; two models that share one are not told apart'}.${cut ? ' Lines are cut at 0 and 100: there is no score past them.' : ''}`,
    legend: [
      { label: 'score', colour: c.ink },
      { label: 'alone', colour: c.blue, mark: 'line' },
      { label: 'all at once', colour: c.blue, mark: 'thin' },
      ...(chance === null
        ? []
        : [{ label: `random answers ${fixed(chance, 1)}`, colour: c.gold, mark: 'dash' as const }]),
    ],
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x: {
            label: 'score',
            domain: scoreDomain([
              ...rows.flatMap(({ low, high, alone }) => [low, high, ...alone]),
              ...(chance === null ? [] : [chance]),
            ]),
            ticks: 5,
            grid: true,
          },
          y: plot.y,
          marks: [
            Plot.ruleX(chance === null ? [] : [chance], {
              stroke: c.gold,
              strokeDasharray: '4,3',
              strokeWidth: 2 * size.mark,
            }),
            Plot.ruleY(rows, { y: 'at', x1: 'low', x2: 'high', stroke: c.blue, strokeWidth: 1.6 * size.mark }),
            Plot.ruleY(rows, {
              y: 'at',
              x1: ({ alone }: ForestRow) => alone[0],
              x2: ({ alone }: ForestRow) => alone[1],
              stroke: c.blue,
              strokeWidth: 5 * size.mark,
            }),
            Plot.dot(rows, { x: 'score', y: 'at', r: 3.5 * size.mark, fill: c.ink }),
            ...beside.map(({ dx, text }) =>
              Plot.text(rows, { y: 'at', frameAnchor: 'right', textAnchor: 'start', dx, text, fill: c.ink }),
            ),
          ],
        },
      },
    ],
  });
}

/** Draws point ranks with rank sets, or in version 1 with bootstrap intervals, the best at the left (figure 7). */
export function drawRanks(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const models = byRank(view.leaderboard.models);
  const rows = models.map((model, at) => {
    const [low, high] = shownRanks(model);
    return { at, rank: model.rank, low: low - 0.25, high: high + 0.25 };
  });
  const sets = models.some(({ rankSet }) => rankSet !== null);
  const level = coverageText(view.leaderboard.plan.alpha);
  const plot = rowPlot(look, { names: rankedLabels(view), right: size.margin + 6 });
  const { x, lines } = rankAxis(look, rows.length, plot);
  return drawFigure(look, {
    title: 'How firm the ranks are',
    subtitle: sets
      ? `Dot: point rank. Bar: the ranks that the data allow, for all models at once (${level}).`
      : `Dot: point rank. Bar: ${level} bootstrap interval over anchor clusters.`,
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x,
          y: plot.y,
          marks: [
            lines,
            Plot.ruleY(rows, {
              y: 'at',
              x1: 'low',
              x2: 'high',
              stroke: c.teal,
              strokeWidth: 5 * size.mark,
              strokeOpacity: 0.65,
            }),
            Plot.dot(rows, { x: 'rank', y: 'at', r: 3.5 * size.mark, fill: c.ink }),
          ],
        },
      },
    ],
  });
}
