import * as Plot from '@observablehq/plot';
import { fittedApart, measured } from './text.js';

/** Space between the name of a row and the plot, in SVG units. */
const GAP = 9;

/** Labels of rows in an order of their own: a band for each, whatever the names are. */
export interface RowAxis {
  readonly marginLeft: number;
  readonly y: Plot.ScaleOptions;
  /** Row numbers, the domain of the scale. */
  readonly rows: readonly number[];
}

export interface RowAxisOptions {
  /** Font size of the names; 12 unless given. */
  readonly size?: number;
  /** Space at the left of the names; 20 unless given. */
  readonly margin?: number;
  /** Most that a name may take; a wider one is cut. */
  readonly width?: number;
}

/** Rows named at the left; names that would be cut alike are cut where they differ. */
export function rowAxis(names: readonly string[], options: RowAxisOptions = {}): RowAxis {
  const { size = 12, margin = 20, width = 250 } = options;
  const shown = fittedApart(names, size, width);
  const rows = names.map((_, i) => i);
  return {
    marginLeft: Math.ceil(margin + Math.max(0, ...shown.map((n) => measured(n, size))) + GAP),
    rows,
    y: {
      type: 'band',
      domain: rows,
      label: null,
      padding: 0,
      tickFormat: (row: number) => shown[row]!,
    },
  };
}

/** Up to here every rank is written. */
const ALL_TICKS = 12;
const MOST_TICKS = 9;

/** The smallest of 1, 5, 10, 20, 50, 100, ... that gives few ticks. */
function stepFor(n: number): number {
  if (n <= ALL_TICKS) return 1;
  for (let power = 1; ; power *= 10) {
    for (const first of power === 1 ? [5] : [1, 2, 5]) {
      if (n / (first * power) <= MOST_TICKS) return first * power;
    }
  }
}

/** Share of an axis that keeps the last rank clear of the one before it. */
const CLEAR = 0.09;

/** Ranks to write on an axis: the first, the last, and round ones between that have room. */
export function rankTicks(n: number): number[] {
  const step = stepFor(n);
  const ranks = Array.from({ length: Math.floor(n / step) }, (_, i) => (i + 1) * step);
  const between = ranks.filter((rank) => rank > 1 && rank < n && n - rank >= CLEAR * n);
  return n === 1 ? [1] : [1, ...between, n];
}

export interface LabelledScale {
  readonly domain: readonly [number, number];
  /** Where the middle of a text stands that belongs to a value: there, or as near as the figure has room. */
  middle(value: number, text: string): number;
}

export interface LabelledScaleOptions {
  readonly values: readonly number[];
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly width: number;
  /** Font size of the texts. */
  readonly size: number;
}

/** A horizontal scale of at least one unit that holds zero and all values, its ends round, for texts centred over values. */
export function labelledScale(options: LabelledScaleOptions): LabelledScale {
  const { values, marginLeft, marginRight, width, size } = options;
  const least = Math.min(0, ...values);
  const scale = Plot.scale({
    x: {
      type: 'linear',
      domain: [least, Math.max(least + 1, ...values)],
      range: [marginLeft, width - marginRight],
      nice: true,
    },
  });
  const [low, high] = scale.domain as [number, number];
  const reach = (width - marginRight - marginLeft) / (high - low);
  return {
    domain: [low, high],
    middle(value, text) {
      const half = measured(text, size) / 2 + 4;
      const pixel = marginLeft + (value - low) * reach;
      const inside = Math.min(width - half, Math.max(marginLeft + half, pixel));
      return low + (inside - marginLeft) / reach;
    },
  };
}
