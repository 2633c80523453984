import { columnsOf } from './table-text.js';

/** Bars of one table: they stand on one axis. */
export interface IntervalBars {
  /** Draws ranges over one another, later ones on top, and a dot. */
  bar(ranges: readonly BarRange[], dot: number): string;
  /** The axis under the bars: its line, and the values at its ends. */
  readonly axis: readonly [line: string, labels: string];
}

export interface BarRange {
  readonly range: readonly [number, number];
  readonly mark: '─' | '━';
}

export interface BarOptions {
  readonly low: number;
  readonly high: number;
  /** Places that a bar takes. */
  readonly width: number;
  readonly label: (value: number) => string;
}

/** Makes bars of text between two values. */
export function intervalBars({ low, high, width, label }: BarOptions): IntervalBars {
  const span = high - low || 1;
  const place = (value: number) => Math.max(0, Math.min(width - 1, Math.round(((value - low) / span) * (width - 1))));
  const ends = [label(low), label(high)] as const;
  const gap = width - columnsOf(ends[0]) - columnsOf(ends[1]);
  const labels = low === high || gap < 1 ? ends[0] : `${ends[0]}${' '.repeat(gap)}${ends[1]}`;
  return {
    bar(ranges, dot) {
      const cells = new Array<string>(width).fill(' ');
      for (const { range, mark } of ranges) cells.fill(mark, place(range[0]), place(range[1]) + 1);
      cells[place(dot)] = '●';
      return cells.join('');
    },
    axis: [`├${'─'.repeat(width - 2)}┤`, labels],
  };
}
