import * as Plot from '@observablehq/plot';
import { drawFigure, type FigurePart } from '../../draw/frame.js';
import { type Look, lookOf } from '../../draw/look.js';
import { shortenedDistinctly } from '../../draw/text.js';
import { byRank, rankText } from '../../inference/model-ranks.js';
import { agreementPart } from '../agreement-figure.js';
import type { ModelDrawOptions, RankedModel } from '../analysis.js';
import { type CheckpointRow, checkpointRows, FOLLOWED, rankPlaces } from './checkpoint-rows.js';
import type { CheckpointResult } from './other-maps.js';

/**
 * Draws the same answers under other reward maps: ranks of the first models, and agreement of all
 * (analyses 7; figure 10 of a release).
 */
export function drawCheckpoints(results: readonly CheckpointResult[], options: ModelDrawOptions): string {
  const look = lookOf(options);
  const rows = checkpointRows(results);
  return drawFigure(look, {
    title: 'The same answers under other reward maps',
    parts: [
      ...(options.models.length === 0 ? [] : [ranksPart(look, rows, options.models)]),
      agreementPart(look, 'Agreement with the released order; bars: 95% anchor bootstrap', rows),
    ],
  });
}

/** Places of the maps from left to right, and the room for names beside them. */
function columnPlaces({ size }: Look, maps: number) {
  const { width, margin, text } = size;
  const room = (width - 2 * margin - 4.4 * text * (maps - 1)) / 2;
  const side = Math.min(13.2 * text, Math.max(9.8 * text, room));
  const step = (width - 2 * side - 2 * margin) / Math.max(1, maps - 1);
  return { side, step, at: (k: number) => margin + side + k * step };
}

/** Ranks of the first models from map to map; those that share a rank stand below one another, each with the sign for it. */
function ranksPart(look: Look, rows: readonly CheckpointRow[], models: readonly RankedModel[]): FigurePart {
  const followed = byRank(models).slice(0, FOLLOWED);
  const { size, colours: c } = look;
  const maps = ['released', ...rows.map(({ label }) => label)];
  const { side, step, at } = columnPlaces(look, maps.length);
  const radius = 0.7 * size.text;
  const labels = shortenedDistinctly(
    followed.map(({ name }) => name),
    size.text,
    side - radius - 4,
  );
  const released = rankPlaces(models);
  const lines = followed.map(({ modelId: id }, i) => ({
    text: labels[i]!,
    colour: [c.blue, c.gold, c.teal, c.red, c.grey][i % 5]!,
    dash: i < 5 ? undefined : '4,2',
    points: [released, ...rows.map(({ ranks }) => ranks)].flatMap((ranks, k) => {
      const own = ranks.get(id);
      return own === undefined ? [] : [{ x: at(k), place: own.place, text: rankText(own) }];
    }),
  }));
  const worst = Math.max(...lines.flatMap(({ points }) => points.map(({ place }) => place)));
  const dots = lines.flatMap(({ points, colour }) => points.map((point) => ({ ...point, colour })));
  const ends = (from: 0 | -1) => lines.map(({ points, text }) => ({ ...points.at(from)!, text }));
  const names = shortenedDistinctly(maps, size.small, 2 * step - 5).map((text, k) => ({
    x: at(k),
    text,
    high: k % 2 === 1,
  }));
  const beside = { x: 'x', y: 'place', text: 'text', fill: c.ink };
  const above = Math.round(1.3 * size.small);
  return {
    heading: followed.length === 1 ? 'Rank of the first' : `Ranks of the first ${followed.length}`,
    height: 2 * above + 8 + Math.round(1.6 * size.text) * worst,
    plot: {
      marginLeft: 0,
      marginRight: 0,
      marginTop: 2 * above + 6,
      marginBottom: 2,
      x: { axis: null, domain: [0, size.width] },
      y: { axis: null, domain: [worst + 0.5, 0.5] },
      color: { type: 'identity' },
      marks: [
        ...lines.map(({ points, colour, dash }) =>
          Plot.line(points, {
            x: 'x',
            y: 'place',
            stroke: colour,
            strokeWidth: 2 * size.mark,
            strokeDasharray: dash,
          }),
        ),
        Plot.dot(dots, { x: 'x', y: 'place', r: radius, fill: c.background, stroke: 'colour' }),
        Plot.text(dots, {
          x: 'x',
          y: 'place',
          text: 'text',
          fontSize: size.small,
          fill: c.ink,
        }),
        Plot.text(ends(0), { ...beside, dx: -radius - 3, textAnchor: 'end' }),
        Plot.text(ends(-1), { ...beside, dx: radius + 3, textAnchor: 'start' }),
        ...[true, false].map((high) =>
          Plot.text(
            names.filter((name) => name.high === high),
            {
              x: 'x',
              y: () => 0.5,
              dy: high ? -8 - above : -8,
              text: 'text',
              fontSize: size.small,
              fill: c.muted,
            },
          ),
        ),
      ],
    },
  };
}
