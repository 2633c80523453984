import { fail, shown } from '../util/error.js';
import { aloneHint, besideNumber } from './beside-numbers.js';
import { dropOption } from './fact-names.js';
import { asText, type ScoreTable } from './score-table.js';
import { verdictOf } from './verdicts.js';

/** What the cells of a column are, as numbers and as words. */
export interface ValueColumn {
  readonly name: string;
  /** By row; NaN where there is no value. */
  readonly values: Float64Array;
  /** How many cells are numbers, numbers with a percent sign, truth values, missing and anything else. */
  readonly counts: Readonly<Record<CellKind, number>>;
  /** First row that is of a kind; -1 where none is. */
  readonly first: Readonly<Record<CellKind, number>>;
  readonly least: number;
  readonly greatest: number;
  /** What verdicts in words or signs were read as, as they stand; none where the column has none. */
  readonly verdicts: ReadonlyMap<string, number>;
}

type CellKind = 'number' | 'percent' | 'truth' | 'missing' | 'text';

/** What stands where no value is, in small letters (reading 1.13). */
const MISSING: ReadonlySet<string> = new Set(['', 'na', 'n/a', '#n/a', '<na>', 'nan', 'null', 'none', '-', '–', '—']);
const TRUTH: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['yes', 1],
  ['false', 0],
  ['no', 0],
]);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

type Cell = readonly [kind: CellKind, value: number];
const NONE: Cell = ['missing', Number.NaN];
const TEXT: Cell = ['text', Number.NaN];

function textCell(text: string): Cell {
  const trimmed = text.trim();
  const small = trimmed.toLowerCase();
  if (MISSING.has(small)) return NONE;
  const truth = TRUTH.get(small);
  if (truth !== undefined) return ['truth', truth];
  const percent = trimmed.endsWith('%');
  const number = (percent ? trimmed.slice(0, -1).trimEnd() : trimmed).replace(/^\u2212/, '-');
  if (!NUMBER.test(number)) return TEXT;
  const value = Number(percent ? (/e/i.test(number) ? Number(number) / 100 : `${number}e-2`) : number);
  return Number.isFinite(value) ? [percent ? 'percent' : 'number', value] : TEXT;
}

/** Tells whether a text is neither a value nor a gap. */
export const isWord = (text: string): boolean => textCell(text)[0] === 'text';

function cellOf(value: unknown): Cell {
  if (typeof value === 'number') return Number.isFinite(value) ? ['number', value] : Number.isNaN(value) ? NONE : TEXT;
  if (value === null || value === undefined) return NONE;
  if (typeof value === 'string') return textCell(value);
  if (typeof value === 'boolean') return ['truth', Number(value)];
  return typeof value === 'bigint' ? ['number', Number(value)] : TEXT;
}

/** The cells of different values of a column. Verdicts are read where no other word stands beside them: `right` may also have a left. */
function cellsOf(values: ArrayLike<unknown>): {
  readonly cells: readonly Cell[];
  readonly verdicts: Map<string, number>;
} {
  const cells = Array.from(values, cellOf);
  const verdicts = new Map<string, number>();
  for (const [i, [kind]] of cells.entries()) {
    if (kind !== 'text') continue;
    const text = String(values[i]).trim();
    const verdict = verdictOf(text);
    if (verdict === undefined) return { cells, verdicts: new Map() };
    verdicts.set(text, verdict);
  }
  if (verdicts.size === 0) return { cells, verdicts };
  return {
    cells: cells.map((cell, i) => (cell[0] === 'text' ? ['truth', verdictOf(String(values[i]))!] : cell)),
    verdicts,
  };
}

/** Reads the cells of a column as values (reading 1.13): a word and a date are texts, which the caller refuses or passes over. */
export function valueColumn(table: ScoreTable, name: string): ValueColumn {
  const column = table.column(name)!;
  const values = new Float64Array(table.rows);
  const counts = { number: 0, percent: 0, truth: 0, missing: 0, text: 0 };
  const first = { number: -1, percent: -1, truth: -1, missing: -1, text: -1 };
  let verdicts: ReadonlyMap<string, number> = new Map();
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  const enter = (row: number, kind: CellKind, value: number) => {
    if (counts[kind] === 0) first[kind] = row;
    counts[kind] += 1;
    values[row] = value;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  };
  if (table.rows > 0 && typeof firstThere(column) === 'string') {
    const { values: texts, codes } = table.coded(name)!;
    const { cells, verdicts: words } = cellsOf(texts);
    verdicts = words;
    const numbers = Float64Array.from(cells, ([, value]) => value);
    const times = new Uint32Array(cells.length);
    for (let row = 0; row < values.length; row += 1) {
      const code = codes[row]!;
      // Rows whose value is a new one say where its kind first stands; of the others only the number is taken.
      if (times[code] === 0) enter(row, cells[code]![0], numbers[code]!);
      else values[row] = numbers[code]!;
      times[code]! += 1;
    }
    cells.forEach(([kind], code) => {
      if (times[code]! > 1) counts[kind] += times[code]! - 1;
    });
  } else
    for (let row = 0; row < values.length; row += 1) {
      const value = column[row];
      if (typeof value === 'number' && Number.isFinite(value)) {
        // As `enter` does, which is slow for a million rows.
        if (counts.number === 0) first.number = row;
        counts.number += 1;
        values[row] = value;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      } else enter(row, ...cellOf(value));
    }
  return { name, values: counts.number > 0 ? shortest(values) : values, counts, first, least, greatest, verdicts };
}

function firstThere(column: ArrayLike<unknown>): unknown {
  for (let row = 0; row < column.length; row += 1)
    if (column[row] !== null && column[row] !== undefined) return column[row];
  return undefined;
}

/** Numbers that came through 32 bits, as the shortest decimals that give the same 32 bits; others as they are. */
function shortest(values: Float64Array): Float64Array {
  let long = false;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    if (Math.fround(value) !== value) return values;
    long ||= Math.round(value * 1e9) / 1e9 !== value;
  }
  return long ? values.map(shortest32) : values;
}

function shortest32(value: number): number {
  for (let power = 1; power <= 1e9; power *= 10) {
    const near = Math.round(value * power) / power;
    if (Math.fround(near) === value) return near;
  }
  return value;
}

/** Tells whether a column holds values: some, and no text. */
export const isNumeric = ({ counts }: ValueColumn): boolean =>
  counts.text === 0 && counts.number + counts.percent + counts.truth > 0;

/** Tells whether a column holds nothing but texts and gaps, and some text. */
export const isText = ({ counts }: ValueColumn): boolean =>
  counts.text > 0 && counts.number + counts.percent + counts.truth === 0;

/**
 * Refuses columns of values in which a cell is none, or whose cells cannot all be meant alike: numbers with and without a percent sign,
 * truth values beside numbers past 1 (reading 1.13). Errors: CELL_NOT_INTEGER, SCHEMA_INVALID.
 */
export function assertValues(table: ScoreTable, columns: readonly ValueColumn[], drop: string): void {
  for (const { name, counts, first, greatest, least } of columns) {
    const cell = (kind: CellKind) => `column ${shown(name)} is ${shown(table.column(name)![first[kind]])}`;
    const where = (kind: CellKind) => table.place(first[kind]);
    const number = counts.text > 0 ? besideNumber(asText(table.column(name)![first.text])) : undefined;
    if (counts.text > 0)
      fail(
        'CELL_NOT_INTEGER',
        where('text'),
        `${cell('text')}; a number, true or false, a percentage or nothing is expected`,
        outOfRange(table.column(name)![first.text])
          ? `It is past every number that is held (1.8e308). ${drop}`
          : /\d,\d/.test(String(table.column(name)![first.text]))
            ? `Write decimal points: this column has commas beside points, or commas that may separate thousands. ${drop}`
            : number !== undefined
              ? `${aloneHint(number)} ${drop}`
              : `A missing value is empty, NA, N/A, NaN, null, None or -. ${drop}`,
      );
    if (counts.percent > 0 && counts.number > 0)
      fail(
        'SCHEMA_INVALID',
        where('number'),
        `${cell('number')} without a percent sign, ${table.place(first.percent).line ? `line ${table.place(first.percent).line}` : `row ${first.percent + 1}`} is ${shown(table.column(name)![first.percent])}`,
        'Write all values of a column with the sign or none: 50% is 0.5.',
      );
    if (counts.truth > 0 && (greatest > 1 || least < 0))
      fail(
        'SCHEMA_INVALID',
        where('truth'),
        `${cell('truth')} in a column that reaches from ${least} to ${greatest}`,
        'True is 1 and false is 0: other values beside them lie between.',
      );
  }
  const signed = columns.find(({ counts }) => counts.percent > 0);
  const bare = columns.find(({ counts, greatest }) => counts.percent === 0 && greatest > 1);
  if (signed && bare)
    fail(
      'SCHEMA_INVALID',
      { file: table.file },
      `column ${shown(signed.name)} has percent signs, column ${shown(bare.name)} reaches to ${bare.greatest} without: 50% is 0.5`,
      `Write all columns with the sign, or as fractions, or none with it; if one of them is no task, ${dropOption([signed.name])} or ${dropOption([bare.name])}.`,
    );
}

/** Tells whether a cell is written as a number that no double holds, or as an infinite one. */
const outOfRange = (cell: unknown): boolean =>
  typeof cell === 'number' ||
  (typeof cell === 'string' && (NUMBER.test(cell.trim()) || /^[+-]?inf(?:inity)?$/i.test(cell.trim())));

/** What verdicts of all columns were read as. */
export const verdictsIn = (columns: readonly ValueColumn[]): ReadonlyMap<string, number> =>
  new Map(columns.flatMap(({ verdicts }) => [...verdicts]));

/** How many of the kinds a table has, for one sentence about its values. */
export const hasPercent = (columns: readonly ValueColumn[]): boolean =>
  columns.some(({ counts }) => counts.percent > 0);
