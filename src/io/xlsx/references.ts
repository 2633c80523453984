/** The column that a reference such as `AB12` names, from 0; -1 for none. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i += 1) {
    const letter = reference.charCodeAt(i) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** Cells that a sheet shows as one: numbers of rows from 1, of columns from 0. */
export interface MergedCells {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Reads a range such as `A2:B5`. Throws a plain error for anything else. */
export function mergedCells(range: string): MergedCells {
  const [, from, top, to, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? [];
  if (from === undefined || to === undefined) throw new Error(`merged cells ${JSON.stringify(range)}`);
  return { top: Number(top), bottom: Number(bottom), left: columnOf(from), right: columnOf(to) };
}
