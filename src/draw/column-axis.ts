import { type RowAxis, rowAxis } from './axis.js';
import { COLUMN } from './column-size.js';

/** Height of a row whose label is one line of text. */
export const ROW = 13;

/** Rows of a column figure, named at the left; a name that is wider than `width` is cut. */
export function columnRows(labels: readonly string[], width = 126): RowAxis {
  return rowAxis(labels, { size: COLUMN.text, margin: COLUMN.margin, width });
}

/** Labels `1 Name`, numbers padded so that names begin under each other as far as digits allow. */
export function rankedLabels(rows: readonly { readonly rank: number; readonly name: string }[]): string[] {
  return rows.map(({ rank, name }) => `${rank}  ${name}`);
}
