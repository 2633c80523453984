/** Lanes of a block: 128 bytes of i32 and f32, or of i64 (assembly/exceedances.ts). */
const lanesOf = (wide: boolean): number => (wide ? 16 : 32);

/** Where cells of pairs of rows stand: block after block of lanes, in each the rows one after the other. */
export interface PairCells {
  /** Cells in all, those of no pair among them. */
  readonly length: number;
  /** Place of the cell of rows i and j. */
  at(i: number, j: number): number;
}

/** Lays out cells of `rows` rows by `width` lanes of four bytes, or of eight where `wide`. */
export function pairCells(rows: number, width: number, wide: boolean): PairCells {
  const lanes = lanesOf(wide);
  return {
    length: Math.ceil(width / lanes) * rows * lanes,
    at: (i, j) => (Math.floor(j / lanes) * rows + i) * lanes + (j % lanes),
  };
}
