import * as Plot from '@observablehq/plot';
import type { Look } from './look.js';
import { measured, shortenedDistinctly, widest } from './text.js';

/** Space between the name of a row and the plot, in SVG units. */
const NAME_GAP = 9;

/** Height that the numbers under a plot take, with the title of the axis or without it. */
export function axisHeight({ size }: Look, titled: boolean): number {
  return Math.round(titled ? 2.2 * size.text + 11.5 : 2 * size.text + 3);
}

export interface RowPlotOptions {
  readonly names: readonly string[];
  /** Height of a row; that of one line of text unless given. */
  readonly rowHeight?: number;
  /** Space at the right of the plot. */
  readonly right: number;
  /** Whether the horizontal axis has a title; yes unless given. */
  readonly titled?: boolean;
}

/** Height and margins of a plot of named rows. */
export interface RowPlot {
  readonly height: number;
  readonly margins: {
    readonly marginLeft: number;
    readonly marginRight: number;
    readonly marginTop: number;
    readonly marginBottom: number;
  };
  /** As the rows are named, cut where they are too long. */
  readonly names: readonly string[];
  /** A band for each row, whatever the names are: marks place themselves by row number from 0. */
  readonly y: Plot.ScaleOptions;
}

/** Lays out rows named at the left; names that would be cut alike are cut where they differ. */
export function rowPlot(look: Look, options: RowPlotOptions): RowPlot {
  const { size } = look;
  const { names, rowHeight = size.row, right, titled = true } = options;
  const shown = shortenedDistinctly(names, size.text, size.names);
  const marginTop = Math.round(size.text / 2);
  const marginBottom = axisHeight(look, titled);
  return {
    names: shown,
    height: marginTop + rowHeight * names.length + marginBottom,
    margins: {
      marginLeft: Math.ceil(size.margin + widest(shown, size.text) + NAME_GAP),
      marginRight: right,
      marginTop,
      marginBottom,
    },
    y: {
      type: 'band',
      domain: names.map((_, i) => i),
      label: null,
      padding: 0,
      tickFormat: (row: number) => shown[row]!,
    },
  };
}

export interface RankedName {
  readonly rank: number;
  /** Whether other models have the same rank; null or absent where that is not known. */
  readonly rankTied?: boolean | null;
  readonly name: string;
}

/** Labels `1  Name`, and `2=  Name` where a rank is shared, of models by rank. */
export function rankedNames(rows: readonly RankedName[]): string[] {
  return rows.map(({ rank, rankTied, name }) => `${rank}${rankTied ? '=' : ''}  ${name}`);
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

/** Space that keeps the numbers of neighbouring ranks apart, in parts of a letter. */
const APART = 0.7;

/**
 * Chooses the ranks to write on the axis of a plot: all where there is room, else the first, the last, and round ones between. A rank that is shared has
 * a sign for it where `shared` says so.
 */
export function rankTicks({ size }: Look, n: number, { margins }: Pick<RowPlot, 'margins'>, shared = false): number[] {
  const each = (size.width - margins.marginLeft - margins.marginRight) / n;
  const fits = measured(`${n}${shared ? '=' : ''}`, size.text) + APART * size.text <= each;
  const step = fits ? 1 : stepFor(n);
  const ranks = Array.from({ length: Math.floor(n / step) }, (_, i) => (i + 1) * step);
  const between = ranks.filter((rank) => rank > 1 && rank < n && (step === 1 || n - rank >= CLEAR * n));
  return n === 1 ? [1] : [1, ...between, n];
}

/** Up to here every rank has a line of its own. */
const MOST_LINES = 60;

/** A horizontal axis of ranks, and the lines behind its marks. */
export interface RankAxis {
  readonly x: Plot.ScaleOptions;
  readonly lines: Plot.Markish;
}

/** Makes an axis of ranks 1 to `last`, the best at the left: a line for every rank that has room, numbers where they have. */
export function rankAxis(look: Look, last: number, plot: Pick<RowPlot, 'margins'>): RankAxis {
  const { colours, size } = look;
  const written = rankTicks(look, last, plot);
  const ranks = last <= MOST_LINES ? Array.from({ length: last }, (_, i) => i + 1) : written;
  return {
    x: { label: 'rank (1 is best)', domain: [0.5, last + 0.5], ticks: written, tickFormat: 'd' },
    lines: Plot.ruleX(ranks, {
      stroke: colours.grid,
      strokeWidth: (rank: number) => (written.includes(rank) ? 1.4 : 0.6) * size.mark,
    }),
  };
}

/** Chooses the values of a logarithmic axis of so many units whose numbers have room, from the largest down. */
export function logTicks({ size }: Look, values: readonly number[], units: number): number[] {
  const logs = values.map(Math.log);
  const span = Math.max(...logs) - Math.min(...logs) || 1;
  const kept: { value: number; at: number }[] = [];
  for (const value of [...values].sort((a, b) => b - a)) {
    const at = (Math.log(value) / span) * units;
    const last = kept.at(-1);
    if (last === undefined || last.at - at > measured(String(value), size.text) + 8) kept.push({ value, at });
  }
  return kept.map(({ value }) => value);
}

export interface LabelledScale {
  readonly domain: readonly [number, number];
  /** Returns where the middle of a text stands that belongs to a value: there, or as near as the figure has room. */
  middle(value: number, text: string): number;
}

/** Makes a horizontal scale of at least one unit that holds zero and all values, its ends round, for texts centred over values. */
export function labelledScale(
  { size: { width, text: fontSize } }: Look,
  { marginLeft, marginRight }: RowPlot['margins'],
  values: readonly number[],
): LabelledScale {
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
      const half = measured(text, fontSize) / 2 + 4;
      const pixel = marginLeft + (value - low) * reach;
      const inside = Math.min(width - half, Math.max(marginLeft + half, pixel));
      return low + (inside - marginLeft) / reach;
    },
  };
}

/** Numbers at the right of some rows, right-aligned: the space they take, and the mark that writes them. */
export interface RightValues {
  readonly room: number;
  /** `dy` moves them against the middle of their rows. */
  mark<R extends { readonly at: number }>(rows: readonly R[], text: (row: R) => string, dy?: number): Plot.Markish;
}

/** Makes room for numbers at the right of a plot, as wide as the widest of `texts`. */
export function rightValues({ size, colours }: Look, texts: readonly string[]): RightValues {
  const dx = size.gap + widest(texts, size.text);
  return {
    room: Math.ceil(dx + size.margin),
    mark: (rows, text, dy = 0) =>
      Plot.text(rows, { y: 'at', frameAnchor: 'right', textAnchor: 'end', dx, dy, text, fill: colours.ink }),
  };
}
