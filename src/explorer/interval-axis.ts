import { type ScaleLinear, scaleLinear } from 'd3-scale';
import type { ScoreMatrix } from '../core/matrix.js';
import type { ModelResult } from '../inference/result.js';
import { fixed, placesFor } from '../util/format.js';

/** A horizontal axis over values, in pixels from its left end. */
export interface Axis {
  readonly width: number;
  at(value: number): number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

/** Makes an axis over values, with round ends; what lies past them stands at them. A range of one value gets some room about it. */
export function axisOver(values: readonly number[], width: number, most = 5): Axis {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((greatest, value) => Math.max(greatest, value), Number.NEGATIVE_INFINITY);
  const room = low === high ? Math.abs(low) / 10 || 1 : 0;
  const scale = scaleLinear([low - room, high + room], [0, width])
    .nice(most)
    .clamp(true);
  let ticks = ticksOf(scale, most);
  for (let fewer = most - 1; fewer > 0 && collide(ticks); fewer -= 1) ticks = ticksOf(scale, fewer);
  // One number is no scale: its ends are, which are round, where there is room for both.
  const ends = ticksAt(scale, scale.domain());
  if (ticks.length < 2 && !collide(ends)) ticks = ends;
  return { width, at: (value) => scale(value), ticks };
}

/** Round numbers on an axis, about as many as are asked for. */
function ticksOf(scale: ScaleLinear<number, number>, most: number): Axis['ticks'] {
  return ticksAt(scale, scale.ticks(most));
}

function ticksAt(scale: ScaleLinear<number, number>, marks: readonly number[]): Axis['ticks'] {
  const places = Math.min(placesFor(marks), placesNeeded(marks));
  return marks.map((value) => ({ at: scale(value), text: fixed(value, places) }));
}

/** Pixels that a digit takes at most, and those between two numbers. */
const DIGIT = 8;
const BETWEEN = 6;

/** Tells whether two numbers of an axis run into one another. */
const collide = (ticks: Axis['ticks']): boolean =>
  ticks.some(({ at, text }, k) => {
    const before = ticks[k - 1];
    return before !== undefined && at - before.at < ((text.length + before.text.length) / 2) * DIGIT + BETWEEN;
  });

/** Decimal places that tell round numbers apart. */
function placesNeeded(values: readonly number[]): number {
  for (let places = 0; places < 12; places += 1)
    if (values.every((value) => Math.abs(value - Number(value.toFixed(places))) < 1e-12)) return places;
  return 12;
}

/** Least and greatest score that there can be. */
export type ScoreBounds = readonly [number, number];

/** Finds the bounds of scores that are all 0 or 1; null for others, whose bounds no table tells. */
export function boundsOf(matrix: ScoreMatrix | null): ScoreBounds | null {
  return matrix?.values.every((value) => value === 0 || value === matrix.scale) ? [0, 1] : null;
}

/** Tells whether an interval of some model ends past all scores that there can be. */
export const passes = (models: readonly ModelResult[], bounds: ScoreBounds | null): boolean =>
  bounds !== null &&
  models.some(({ pointwise, simultaneous }) =>
    [pointwise, simultaneous].some(([low, high]) => low < bounds[0] || high > bounds[1]),
  );

/** An axis that holds every score, interval and chance value of some models, but nothing past what a score can be. */
export function scoreAxis(models: readonly ModelResult[], bounds: ScoreBounds | null, width: number): Axis {
  const [least, greatest] = bounds ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const values = models.flatMap(({ score, pointwise, simultaneous, chance }) => [
    score,
    ...pointwise,
    ...simultaneous,
    ...(chance ? [chance.score] : []),
  ]);
  return axisOver(
    values.map((value) => Math.min(Math.max(value, least), greatest)),
    width,
    ticksFor(width),
  );
}

/** Numbers for which an axis has room, one in so many pixels. */
const ticksFor = (width: number): number => Math.min(Math.max(Math.floor(width / 44), 2), 12);
