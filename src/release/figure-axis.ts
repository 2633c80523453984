import type * as Plot from '@observablehq/plot';
import { COLUMN, fitted, measured } from './figure-text.js';

/** Height of a row whose label is one line of text. */
export const ROW = 13;

/** Labels of rows in an order of their own: a band for each, whatever the names are. */
export interface RowAxis {
  readonly marginLeft: number;
  readonly y: Plot.ScaleOptions;
  /** Row numbers, the domain of the scale. */
  readonly rows: readonly number[];
}

/** Rows named at the left; a name that is wider than `width` is cut. */
export function rowAxis(labels: readonly string[], width = 126): RowAxis {
  const shown = labels.map((label) => fitted(label, COLUMN.text, width));
  const rows = labels.map((_, i) => i);
  return {
    marginLeft: Math.ceil(Math.max(...shown.map((label) => measured(label, COLUMN.text)))) + 12,
    rows,
    y: {
      type: 'band',
      domain: rows,
      label: null,
      tickSize: 0,
      padding: 0,
      tickFormat: (row: number) => shown[row] as string,
    },
  };
}

/** Labels `1 Name`, numbers padded so that names begin under each other as far as digits allow. */
export function rankedLabels(
  rows: readonly { readonly rank: number; readonly name: string }[],
): string[] {
  return rows.map(({ rank, name }) => `${rank}  ${name}`);
}
