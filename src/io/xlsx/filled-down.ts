import type { Cell, SheetCells } from './sheet.js';

/** Most cells that ranges may cover below their first, with those that rows become longer by: ranges of a sound sheet do not overlap, and it has no more. */
const MOST_COVERED = 2 ** 25;

/**
 * Fills what cells merged over several rows show into each of these rows, in the column that they begin in: only the first of them holds it
 * (reading 1.7). The rows as they are where there are none. Throws a plain error for ranges that overlap many times.
 */
export function filledDown({ numbers, rows, merged }: Pick<SheetCells, 'numbers' | 'rows' | 'merged'>): {
  readonly rows: SheetCells['rows'];
  /** How many cells were filled. */
  readonly filled: number;
} {
  const tall = merged.filter(({ top, bottom }) => bottom > top);
  if (tall.length === 0) return { rows, filled: 0 };
  const at = new Map(numbers.map((number, index) => [number, index]));
  const made = new Map<number, Cell[]>();
  let [filled, covered] = [0, 0];
  for (const { top, bottom, left } of tall) {
    const first = at.get(top);
    const value = first === undefined ? null : (rows[first]![left] ?? null);
    if (first === undefined || value === null) continue;
    for (let index = first + 1; index < rows.length && numbers[index]! <= bottom; index += 1) {
      const row = made.get(index) ?? [...rows[index]!];
      covered += 1 + Math.max(0, left + 1 - row.length);
      if (covered > MOST_COVERED) throw new Error(`merged cells that cover more than ${MOST_COVERED}`);
      made.set(index, row);
      while (row.length <= left) row.push(null);
      if (row[left] !== null) continue;
      row[left] = value;
      filled += 1;
    }
  }
  return { rows: rows.map((row, index) => made.get(index) ?? row), filled };
}
