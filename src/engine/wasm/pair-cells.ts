/** Bytes of a block of lanes (assembly/exceedances.ts). */
const BLOCK_BYTES = 128;

/** Where cells of pairs of rows stand: block after block of lanes, in each the rows one after the other. */
export interface PairCells {
  /** Cells in all, those of no pair among them. */
  readonly length: number;
  /** Place of the cell of rows i and j; those of j + 1, j + 2, ... follow up to `end(j)`. */
  at(i: number, j: number): number;
  /** First lane of the block behind that of lane j. */
  end(j: number): number;
}

/** Lays out cells of `rows` rows by `width` lanes, by the bytes of a sum: i64, i32 and f32, or i16. */
export function pairCells(rows: number, width: number, cellBytes: 8 | 4 | 2): PairCells {
  const lanes = BLOCK_BYTES / cellBytes;
  const shift = 31 - Math.clz32(lanes);
  return {
    length: Math.ceil(width / lanes) * rows * lanes,
    at: (i, j) => (((j >> shift) * rows + i) << shift) + (j & (lanes - 1)),
    end: (j) => (j | (lanes - 1)) + 1,
  };
}
