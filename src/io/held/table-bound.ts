import { fail } from '../../util/error.js';
import { mostUnpacked } from '../packing.js';

/** What the place of a table holds at most: nothing of a file that says it holds more is decoded (reading 1.16). */
export interface TableBound {
  readonly rows: number;
  /** Rows x columns. */
  readonly cells: number;
  /** Bytes that all packed parts together unpack to. */
  readonly bytes: number;
  /** What sets the bound, as an error names it. */
  readonly place: string;
}

/** A table of scores: a row for each cell of the largest matrix, in eight columns, or two for each in four. */
export const SCORE_TABLE: TableBound = { rows: 2 ** 25, cells: 2 ** 27, bytes: 2 ** 30, place: 'a table' };

/** Most values that are made one by one, each an object of its own to the engine. */
export const MOST_VALUES = 2 ** 25;

const FEWER = 'Give fewer rows or columns at once.';

/** Refuses a table that says it holds more than its place. Errors: BOUND_EXCEEDED with both. */
export function assertTable(file: string, rows: number, columns: number, bound: TableBound): void {
  if (rows <= bound.rows && rows * columns <= bound.cells) return;
  fail(
    'BOUND_EXCEEDED',
    { file },
    `${rows} rows of ${columns} columns; ${bound.place} holds at most ${bound.rows} rows and ${bound.cells} cells`,
    FEWER,
  );
}

/** Refuses more values, each an object of its own, than are held. Errors: BOUND_EXCEEDED. */
export function assertValues(file: string, count: number, what: string, most = MOST_VALUES): void {
  if (count > most) fail('BOUND_EXCEEDED', { file }, `${count} ${what}; at most ${most} are held`, FEWER);
}

type Kind = 'bytes' | 'values' | 'rows' | 'characters';

const WORDS: Readonly<Record<Kind, string>> = {
  bytes: 'bytes unpacked',
  values: 'values that stand alone',
  rows: 'rows',
  characters: 'characters of answers',
};

/** What may be made of a file, counted down as it is made. */
export interface Budget {
  /** The file, as errors name it. */
  readonly file: string;
  /** Takes what is about to be made. Errors: BOUND_EXCEEDED past the bound, which is named. */
  spend(kind: Kind, count: number): void;
}

/** Opens a budget; what it does not name is free. */
export function budgetOf(file: string, place: string, most: Readonly<Partial<Record<Kind, number>>>): Budget {
  const left = new Map(Object.entries(most) as [Kind, number][]);
  return {
    file,
    spend(kind, count) {
      const rest = (left.get(kind) ?? Number.POSITIVE_INFINITY) - count;
      left.set(kind, rest);
      if (rest >= 0) return;
      const bound = `more than ${most[kind]} ${WORDS[kind]}, the most that ${place} holds`;
      fail('BOUND_EXCEEDED', { file }, bound, FEWER);
    },
  };
}

/** Opens the budget of a table that is kept whole, out of a file of `size` bytes: few bytes unpack to no more than `mostUnpacked` of them. */
export function tableBudget(file: string, size: number, { place, bytes, cells }: TableBound): Budget {
  const most = mostUnpacked(size);
  const holder = most < bytes ? `${place} in ${size} packed bytes` : place;
  return budgetOf(file, holder, { bytes: Math.min(bytes, most), values: Math.min(cells, MOST_VALUES) });
}

/**
 * Opens the budget of a file of answers, which is gone through in pieces: packing and repeats expand it, but not without end. `size` is in
 * bytes of the file.
 */
export function answersBudget(file: string, size: number): Budget {
  const most = 2 ** 31 + 1024 * size;
  return budgetOf(file, `a file of ${size} bytes`, { bytes: most, characters: most, rows: 2 ** 24 + 64 * size });
}
