import { shortenedDistinctly } from '../draw/text.js';
import type { ModelResult } from '../inference/result.js';
import { between, type PageRoom } from './page-room.js';

/** Widths of what a table of models draws, pixels. */
export interface BoardColumns {
  readonly names: number;
  readonly axis: number;
  readonly family: number;
}

/** What the drawn columns have at their ends, and cells about them. */
const ABOUT = 48;
const LEAST = { axis: 220, family: 64 };

/** Parts the room of a page among the names, the intervals and the families of a table of models; `others` is what else stands in a row, in letters. */
export function boardColumns({ width, letter, narrow }: PageRoom, families: number, others: number): BoardColumns {
  if (narrow) return { names: 88, axis: 112, family: 64 };
  const beside = width - ABOUT - letter * others - families * (ABOUT + 4.2 * letter);
  const wished = letter * Math.min(Math.max(15, (width / letter) * 0.13), 26);
  // Names give way to what is drawn, but not all of theirs.
  const names = Math.max(Math.min(wished, Math.round(beside - LEAST.axis - families * LEAST.family)), 9 * letter);
  const left = beside - names;
  const axis = between(LEAST.axis, families > 0 ? left * 0.5 : left, 900);
  return { names, axis, family: families > 0 ? between(LEAST.family, (left - axis) / families, 280) : 0 };
}

/** What a table shows for the names of models, where they have so many pixels: whole, or cut so that they stay apart. */
export function shownNames(models: readonly ModelResult[], letter: number, width: number): ReadonlyMap<number, string> {
  const texts = shortenedDistinctly(
    models.map(({ name }) => name),
    letter * 0.92,
    width,
  );
  return new Map(models.map(({ index }, k) => [index, texts[k]!]));
}
