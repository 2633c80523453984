import * as Plot from '@observablehq/plot';
import { columnFigure, type FigurePart } from '../../draw/column.js';
import { COLUMN } from '../../draw/column-size.js';
import type { ThemeColours } from '../../draw/figure.js';
import { fittedApart } from '../../draw/text.js';
import { agreementFigure, agreementPlot } from '../agreement-figure.js';
import { byRank, type ModelDrawOptions, type RankedModel } from '../analysis.js';
import type { CheckpointResult } from './other-maps.js';
import { type CheckpointRow, checkpointRows, FOLLOWED } from './rows.js';

const STEP = 16;

/** The same answers under other reward maps: ranks of the first ten, and agreement of all (figure 10 of a release). */
export function drawCheckpoints(checkpoints: readonly CheckpointResult[], options: ModelDrawOptions): string {
  const rows = checkpointRows(checkpoints);
  const { theme, size, models } = options;
  if (size === 'screen') {
    return agreementFigure({
      theme,
      title: 'The same answers under other reward models',
      subtitle: 'Agreement of the models’ order with the released maps; bars: 95% anchor bootstrap.',
      rows,
    });
  }
  return columnFigure({
    theme,
    title: 'The same answers under other reward maps',
    parts: (c) => [
      ranksPart(models, rows, c),
      {
        heading: 'Agreement with the released board; bars: 95% anchor bootstrap',
        ...agreementPlot(rows, c),
      },
    ],
  });
}

function ranksPart(models: readonly RankedModel[], rows: readonly CheckpointRow[], c: ThemeColours): FigurePart {
  const followed = byRank(models).slice(0, FOLLOWED);
  const maps = ['released', ...rows.map(({ label }) => label)];
  const side = Math.min(132, Math.max(98, (COLUMN.width - 16 - 44 * (maps.length - 1)) / 2));
  const at = (k: number) => side + 8 + (k * (COLUMN.width - 2 * side - 16)) / Math.max(1, maps.length - 1);
  const labels = fittedApart(
    followed.map(({ name }) => name),
    COLUMN.text,
    side - 12,
  );
  const lines = followed.map((model, i) => ({
    name: labels[i]!,
    colour: [c.blue, c.gold, c.teal, c.red, c.grey][i % 5]!,
    dash: i < 5 ? undefined : '4,2',
    points: [model.rank, ...rows.map(({ ranks }) => ranks.get(model.id))].flatMap((rank, k) =>
      rank === undefined ? [] : [{ x: at(k), rank }],
    ),
  }));
  const worst = Math.max(...lines.flatMap(({ points }) => points.map(({ rank }) => rank)));
  const dots = lines.flatMap(({ points, colour }) => points.map((p) => ({ ...p, colour })));
  const ends = lines.flatMap(({ points, name }) => {
    const last = points.at(-1);
    return last === undefined ? [] : [{ ...last, text: name }];
  });
  const starts = lines.flatMap(({ points, name }) => {
    const first = points[0];
    return first === undefined ? [] : [{ ...first, text: name }];
  });
  const room = 2 * (at(1) - at(0)) - 5;
  const names = fittedApart(maps, COLUMN.small, room).map((text, k) => ({
    x: at(k),
    text,
    high: k % 2 === 1,
  }));
  return {
    heading: `Ranks of the first ${followed.length}`,
    height: 38 + STEP * worst,
    plot: {
      marginLeft: 0,
      marginRight: 0,
      marginTop: 34,
      marginBottom: 4,
      x: { axis: null, domain: [0, COLUMN.width] },
      y: { axis: null, domain: [worst + 0.5, 0.5] },
      color: { type: 'identity' },
      marks: [
        ...lines.map(({ points, colour, dash }) =>
          Plot.line(points, {
            x: 'x',
            y: 'rank',
            stroke: colour,
            strokeWidth: 1.5,
            strokeDasharray: dash,
          }),
        ),
        Plot.dot(dots, { x: 'x', y: 'rank', r: 7, fill: c.background, stroke: 'colour' }),
        Plot.text(dots, {
          x: 'x',
          y: 'rank',
          text: (d: { rank: number }) => String(d.rank),
          fontSize: COLUMN.small,
          fill: c.ink,
        }),
        Plot.text(starts, {
          x: 'x',
          y: 'rank',
          text: 'text',
          dx: -10,
          textAnchor: 'end',
          fill: c.ink,
        }),
        Plot.text(ends, {
          x: 'x',
          y: 'rank',
          text: 'text',
          dx: 10,
          textAnchor: 'start',
          fill: c.ink,
        }),
        ...[true, false].map((high) =>
          Plot.text(
            names.filter((name) => name.high === high),
            {
              x: 'x',
              y: () => 0.5,
              dy: high ? -20 : -8,
              text: 'text',
              fontSize: COLUMN.small,
              fill: c.muted,
            },
          ),
        ),
      ],
    },
  };
}
