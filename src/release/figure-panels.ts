import * as Plot from '@observablehq/plot';
import { columnFigure, lettering } from '../draw/column.js';
import { COLUMN } from '../draw/column-size.js';
import type { Theme, ThemeColours } from '../draw/figure.js';
import { placeLabels } from '../draw/labels.js';
import { fitted, measured } from '../draw/text.js';
import { fixed } from '../util/format.js';
import { type PanelRow, panelRows } from './figure-rows.js';
import type { ReleaseView } from './release.js';

const SIDE = 276;
const LEFT = 54;
/** Points that an axis spans at least: its numbers stay whole. */
const SPAN = 10;
const TOP = 4;
const DOT = 3;

/** A little more than all scores take, within 0 to 100. */
function scoreSpan(scores: readonly number[]): readonly [number, number] {
  const [least, most] = [Math.min(...scores) - 1.5, Math.max(...scores) + 1.5];
  const half = Math.max(SPAN, most - least) / 2;
  const middle = Math.min(100 - half, Math.max(half, (least + most) / 2));
  return [Math.max(0, middle - half), Math.min(100, middle + half)];
}

/** Scores of every model on the two panels: numbers at the points, names in a key below (figure 3). */
export function drawPanels(view: ReleaseView, theme: Theme): string {
  const rows = panelRows(view)!;
  const { pearson, spearman } = view.board.replication ?? { pearson: null, spearman: null };
  const scores = rows.flatMap(({ first, second }) => [first, second]);
  const domain = scoreSpan(scores);
  const span = domain[1] - domain[0];
  const pixel = (row: PanelRow) => ({
    x: LEFT + ((row.first - domain[0]) / span) * SIDE,
    y: TOP + ((domain[1] - row.second) / span) * SIDE,
  });
  const points = rows.map(pixel);
  const numbers = rows.map((_, k) => String(k + 1));
  const placed = placeLabels(
    points,
    numbers.map((text) => measured(text, COLUMN.small) + 1.5),
    COLUMN.small,
    DOT,
    { left: LEFT + 1, top: TOP + 1, right: LEFT + SIDE - 1, bottom: TOP + SIDE - 1 },
  );
  const coefficient = (name: string, value: number | null) => (value === null ? [] : [`${name} ${fixed(value, 2)}`]);
  return columnFigure({
    theme,
    title: 'The order on a second panel',
    subtitle: [...coefficient('Pearson', pearson), ...coefficient('Spearman', spearman)]
      .concat('line: equal scores', 'numbers: ranks over both panels')
      .join('; '),
    parts: (c) => [
      {
        height: TOP + SIDE + 34,
        plot: {
          marginLeft: LEFT,
          marginRight: COLUMN.width - LEFT - SIDE,
          marginTop: TOP,
          marginBottom: 34,
          x: axis(view, 0, domain),
          y: axis(view, 1, domain),
          marks: [
            Plot.link([0], {
              x1: domain[0],
              y1: domain[0],
              x2: domain[1],
              y2: domain[1],
              stroke: c.gold,
              strokeWidth: 1.4,
              strokeDasharray: '4,3',
            }),
            Plot.dot(rows, { x: 'first', y: 'second', r: DOT, fill: c.blue }),
          ],
        },
        overlay: placed
          .map((label, k) => {
            if (label === null) return '';
            const point = points[k]!;
            const line = label.far
              ? `<path d="M${point.x.toFixed(1)},${point.y.toFixed(1)}L${label.x.toFixed(1)},${label.y.toFixed(1)}" stroke="${c.grey}" stroke-width="0.5"/>`
              : '';
            return (
              line +
              lettering(numbers[k]!, {
                x: label.x,
                y: label.y + 3.2,
                size: COLUMN.small,
                fill: c.ink,
                anchor: 'middle',
              })
            );
          })
          .join(''),
      },
      key(rows, c),
    ],
  });
}

function axis(view: ReleaseView, panel: 0 | 1, domain: readonly number[]) {
  const name = (view.board.replication?.panels[panel] ?? '').replaceAll('_', ' ');
  return {
    label: `${name} score`,
    domain: [...domain],
    ticks: 5,
    grid: true,
  };
}

/** Numbers and names in two columns. */
function key(rows: readonly PanelRow[], c: ThemeColours) {
  const half = Math.ceil(rows.length / 2);
  const column = (COLUMN.width - 2 * COLUMN.margin) / 2;
  const markup = rows
    .map(({ name }, k) => {
      const x = COLUMN.margin + (k < half ? 0 : column);
      const y = 16 + 12.5 * (k % half);
      return (
        lettering(String(k + 1), { x: x + 16, y, size: COLUMN.small, fill: c.ink, anchor: 'end' }) +
        lettering(fitted(name, COLUMN.small, column - 26), {
          x: x + 21,
          y,
          size: COLUMN.small,
          fill: c.muted,
        })
      );
    })
    .join('');
  return { height: 14 + 12.5 * half, markup };
}
