import * as Plot from '@observablehq/plot';
import { axisHeight } from '../draw/axis.js';
import { drawFigure, type FigurePart } from '../draw/frame.js';
import { placeLabels } from '../draw/labels.js';
import { type DrawOptions, type Look, lookOf } from '../draw/look.js';
import { rounded, textLine } from '../draw/svg.js';
import { measured, shortened } from '../draw/text.js';
import { rankText } from '../inference/model-ranks.js';
import { fixed } from '../util/format.js';
import { type PanelRow, panelRows } from './figure-rows.js';
import type { ReleaseView } from './view.js';

/** Points that an axis spans at least: its numbers stay whole. */
const SPAN = 10;
const TOP = 4;

/** A little more than all scores take, within 0 to 100. */
function scoreSpan(scores: readonly number[]): readonly [number, number] {
  const [least, most] = [Math.min(...scores) - 1.5, Math.max(...scores) + 1.5];
  const half = Math.max(SPAN, most - least) / 2;
  const middle = Math.min(100 - half, Math.max(half, (least + most) / 2));
  return [Math.max(0, middle - half), Math.min(100, middle + half)];
}

/** Draws scores of every model on the two panels: numbers at the points, names in a key below (figure 3). */
export function drawPanels(view: ReleaseView, options: DrawOptions): string {
  const look = lookOf(options);
  const rows = panelRows(view)!;
  const { scorePearson: pearson = null, rankSpearman: spearman = null } = view.leaderboard.replication ?? {};
  const coefficient = (name: string, value: number | null) => (value === null ? [] : [`${name} ${fixed(value, 2)}`]);
  return drawFigure(look, {
    title: 'The order on a second panel',
    subtitle: [...coefficient('Pearson', pearson), ...coefficient('Spearman', spearman)]
      .concat('line: equal scores', 'numbers: places in the order over both panels')
      .join('; '),
    parts: [scatterPart(look, view, rows), namesPart(look, rows)],
  });
}

function scatterPart(look: Look, view: ReleaseView, rows: readonly PanelRow[]): FigurePart {
  const { size, colours: c } = look;
  const left = size.margin + Math.round(4.6 * size.text);
  const side = Math.min(46 * size.text, size.width - left - size.margin - 4);
  const radius = 4 * size.mark;
  const domain = scoreSpan(rows.flatMap(({ first, second }) => [first, second]));
  const [low, high] = domain;
  const pixels = (score: number) => (score * side) / (high - low);
  const points = rows.map(({ first, second }) => ({ x: left + pixels(first - low), y: TOP + pixels(high - second) }));
  const numbers = rows.map((_, k) => String(k + 1));
  const placed = placeLabels({
    points,
    widths: numbers.map((text) => measured(text, size.small) + 1.5),
    height: size.small,
    radius,
    within: { left: left + 1, top: TOP + 1, right: left + side - 1, bottom: TOP + side - 1 },
    line: Array.from({ length: Math.ceil(side / 2) }, (_, k) => ({ x: left + 2 * k, y: TOP + side - 2 * k })),
  });
  const axis = (panel: 0 | 1) => ({
    label: `${(view.leaderboard.replication?.panels[panel] ?? '').replaceAll('_', ' ')} score`,
    domain: [...domain],
    ticks: 5,
    grid: true,
  });
  const bottom = axisHeight(look, true);
  const labels = placed.map((label, k) => {
    if (label === null) return '';
    const { x, y } = points[k]!;
    const line = label.leader
      ? `<path d="M${rounded(x)},${rounded(y)}L${rounded(label.leader.x)},${rounded(label.leader.y)}" stroke="${c.grey}" stroke-width="0.6"/>`
      : '';
    const at = { x: label.x, y: label.y + 0.35 * size.small, size: size.small, fill: c.ink };
    return line + textLine(numbers[k]!, { ...at, anchor: 'middle' });
  });
  return {
    height: TOP + side + bottom,
    plot: {
      marginLeft: left,
      marginRight: size.width - left - side,
      marginTop: TOP,
      marginBottom: bottom,
      x: axis(0),
      y: axis(1),
      marks: [
        Plot.link([0], {
          x1: low,
          y1: low,
          x2: high,
          y2: high,
          stroke: c.gold,
          strokeWidth: 1.8 * size.mark,
          strokeDasharray: '4,3',
        }),
        Plot.dot(rows, { x: 'first', y: 'second', r: radius, fill: c.blue }),
      ],
    },
    overlay: labels.join(''),
  };
}

/** Numbers and names in two columns. */
function namesPart({ size, colours: c }: Look, rows: readonly PanelRow[]): FigurePart {
  const half = Math.ceil(rows.length / 2);
  const column = (size.width - 2 * size.margin) / 2;
  const line = 1.35 * size.small;
  const digits = measured('000', size.small);
  const markup = rows.map(({ name, ...row }, k) => {
    const x = size.margin + (k < half ? 0 : column) + digits;
    const rank = row.rankTied ? ` (rank ${rankText(row)})` : '';
    const at = { y: line * (1.2 + (k % half)), size: size.small };
    return (
      textLine(String(k + 1), { ...at, x, fill: c.ink, anchor: 'end' }) +
      textLine(shortened(name, size.small, column - digits - 10 - measured(rank, size.small)) + rank, {
        ...at,
        x: x + 5,
        fill: c.muted,
      })
    );
  });
  return { height: line * (1 + half), markup: markup.join('') };
}
