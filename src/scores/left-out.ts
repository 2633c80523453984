import { fail, shown } from '../util/error.js';
import { aloneHint, besideNumber } from './beside-numbers.js';
import { isSummary, quoted } from './column-names.js';
import { isFactName } from './fact-names.js';
import type { OpenTable } from './open-table.js';
import { asText } from './score-table.js';
import { isWord, type ValueColumn, verdictsIn } from './values.js';
import { verdictOf } from './verdicts.js';

/**
 * Refuses to leave out columns of texts that are scores all the same (reading 1.12): a task would be missing without a word. Errors:
 * CELL_NOT_INTEGER, with the cell.
 */
export function assertNoScores(open: OpenTable, columns: readonly ValueColumn[], leftOut: readonly string[]): void {
  assertVerdicts(open, columns, leftOut);
  assertNumbers(open, leftOut);
}

/** Refuses a column that holds verdicts of others beside a word that is none. */
function assertVerdicts(
  { table, codes }: OpenTable,
  columns: readonly ValueColumn[],
  leftOut: readonly string[],
): void {
  const known = verdictsIn(columns);
  if (known.size === 0) return;
  for (const name of leftOut) {
    const { values: cells, codes: rows } = codes(name);
    const texts = cells.map(asText);
    if (!texts.some((text) => known.has(text.trim()))) continue;
    const odd = texts.map((text) => isWord(text) && verdictOf(text) === undefined);
    const row = Array.prototype.findIndex.call(rows, (code: number) => odd[code]!);
    if (row < 0) continue;
    fail(
      'CELL_NOT_INTEGER',
      table.place(row),
      `column ${shown(name)} is ${shown(texts[rows[row]!])} where other cells hold verdicts such as ${shown([...known.keys()][0])}`,
      'Write what it is: NA where there is no verdict, or 0. Or leave the column out with --drop.',
    );
  }
}

/** Refuses a column whose texts are, for the most part, numbers with something beside them. One that is called as a fact or a summary is none. */
function assertNumbers({ table, codes }: OpenTable, leftOut: readonly string[]): void {
  for (const name of leftOut) {
    if (isSummary(name) || isFactName(name)) continue;
    const { values, codes: rows } = codes(name);
    const numbers = values.map((value) => besideNumber(asText(value)));
    const found = numbers.filter((number) => number !== undefined).length;
    if (found === 0 || 2 * found < values.length) continue;
    const row = Array.prototype.findIndex.call(rows, (code: number) => numbers[code] !== undefined);
    const code = rows[row]!;
    fail(
      'CELL_NOT_INTEGER',
      table.place(row),
      `column ${shown(name)} is ${shown(asText(values[code]))}; a number, true or false, a percentage or nothing is expected`,
      `${aloneHint(numbers[code]!)} Or leave the column out with --drop ${quoted(name)}.`,
    );
  }
}
