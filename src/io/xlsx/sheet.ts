import { columnOf, type MergedCells, mergedCells } from './references.js';
import { type DateKind, type DaySystem, dateText } from './shown-dates.js';
import { readXml } from './xml.js';

/** A cell as a sheet holds it: a text, a number, a truth value; a number that is shown as a date, and an error of a formula, is a text; null where nothing is. */
export type Cell = string | number | boolean | null;

/** Most columns and rows of a sheet, by the format. */
const MOST = { columns: 16_384, rows: 1_048_576 };

/** Rows of cells; a row ends with its last cell that holds something. */
export interface SheetCells {
  /** Numbers of the rows in the sheet, 1-based. */
  readonly numbers: readonly number[];
  readonly rows: readonly (readonly Cell[])[];
  readonly columns: number;
  /** Cells that are shown as one. */
  readonly merged: readonly MergedCells[];
  /** Rows and columns that hold something and are not shown, by a filter or by hand. */
  readonly hidden: number;
  /** The row of the first formula without a stored value, as a program writes it that does not calculate. */
  readonly uncalculated?: number;
}

/** What cells of a sheet refer to. */
export interface SheetContext {
  readonly shared: readonly string[];
  /** Formats that show a day or a time. */
  readonly dates: ReadonlyMap<number, DateKind>;
  readonly system: DaySystem;
}

/** Reads the texts that cells share. A phonetic reading beside a text is no part of it. */
export function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let text = '';
  let inText = false;
  let beside = 0;
  readXml(xml, {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') beside += 1;
      inText = name === 't' && beside === 0;
    },
    text: (part) => {
      if (inText) text += part;
    },
    close: (name) => {
      if (name === 't') inText = false;
      else if (name === 'rPh') beside -= 1;
      else if (name === 'si') texts.push(text);
    },
  });
  return texts;
}

function cellValue(kind: string, written: string, style: string, { shared, dates, system }: SheetContext): Cell {
  switch (kind) {
    case 'd':
      return written === '' ? null : written.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?Z?$/, '');
    case 's': {
      const text = shared[Number(written)];
      if (text === undefined) throw new Error(`a cell with text ${written} of ${shared.length}`);
      return text;
    }
    case 'b':
      return written === '' ? null : written === '1' || written === 'true';
    case 'n': {
      if (written === '') return null;
      const number = Number(written);
      if (!Number.isFinite(number)) throw new Error(`a cell with the number ${written}`);
      const date = dates.size === 0 ? undefined : dates.get(Number(style));
      return (date && dateText(number, date, system)) ?? number;
    }
    default:
      return written === '' ? null : written;
  }
}

/**
 * Reads the cells of a sheet: of a formula the value that was stored with it. Cells that the sheet passes over are null. Throws a plain error
 * for a reference outside a sheet, rows out of order, or more than `most` cells from the first column to the last of each row.
 */
export function sheetCells(xml: string, context: SheetContext, most: number): SheetCells {
  const numbers: number[] = [];
  const rows: Cell[][] = [];
  const merged: MergedCells[] = [];
  let row: Cell[] = [];
  let number = 0;
  let cells = 0;
  let columns = 0;
  let column = -1;
  let kind = 'n';
  let style = '';
  let written = '';
  let inValue = false;
  let beside = 0;
  let isHidden = false;
  let hidden = 0;
  let isFormula = false;
  let uncalculated: number | undefined;
  const hides = (attribute: (name: string) => string | undefined) => ['1', 'true'].includes(attribute('hidden') ?? '');
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'row') {
        isHidden = hides(attribute);
        const said = Number(attribute('r') ?? number + 1);
        if (!Number.isInteger(said) || said <= number || said > MOST.rows)
          throw new Error(`row ${said} after ${number}`);
        number = said;
        row = [];
        column = -1;
      } else if (name === 'c') {
        const reference = attribute('r');
        const next = reference === undefined ? column + 1 : columnOf(reference);
        if (next <= column || next >= MOST.columns) throw new Error(`cell ${reference ?? next} in row ${number}`);
        column = next;
        kind = attribute('t') ?? 'n';
        style = attribute('s') ?? '';
        written = '';
        isFormula = false;
      } else if (name === 'f') isFormula = true;
      else if (name === 'col') hidden += Number(hides(attribute));
      else if (name === 'mergeCell') {
        merged.push(mergedCells(attribute('ref') ?? ''));
        if (merged.length > most) throw new Error(`more than ${most} merged cells`);
      } else if (name === 'rPh') beside += 1;
      else inValue = name === 'v' || (name === 't' && beside === 0);
    },
    text: (part) => {
      if (inValue) written += part;
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'rPh') beside -= 1;
      else if (name === 'c') {
        // A formula whose result is an empty text says by its kind that it was calculated.
        if (isFormula && written === '' && kind !== 'str') uncalculated ??= number;
        const value = cellValue(kind, written, style, context);
        if (value === null) return;
        cells += column + 1 - row.length;
        if (cells > most) throw new Error(`more than ${most} cells`);
        while (row.length < column) row.push(null);
        row.push(value);
      } else if (name === 'row' && row.length > 0) {
        if (isHidden) hidden += 1;
        numbers.push(number);
        rows.push(row);
        columns = Math.max(columns, row.length);
      }
    },
  });
  return { numbers, rows, columns, merged, hidden, ...(uncalculated === undefined ? {} : { uncalculated }) };
}
