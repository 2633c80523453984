import { isArrow } from '../io/arrow.js';
import { parseCsv } from '../io/csv.js';
import { FlavourError, fail, shown } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import type { ScoreMatrix } from './matrix.js';
import { matrixFromArrow } from './matrix-arrow.js';
import type { MatrixRead } from './matrix-cells.js';
import type { TableSource } from './matrix-csv.js';
import { matrixFromTable } from './matrix-table.js';
import { cellNumber, readScoreTable } from './score-table.js';

/** A matrix from the bytes of a CSV, Arrow IPC or Parquet file, long or wide, told apart by their first bytes. */
export async function readMatrix(bytes: Buffer, source: TableSource): Promise<MatrixRead> {
  if (isArrow(bytes)) return matrixFromArrow(bytes, source);
  const { file, ...options } = source;
  return matrixFromTable(await readScoreTable(bytes, file), options);
}

/**
 * The matrix with the value of a random answer added to each task, from CSV text `task,value` in the unit of the matrix.
 * Tasks the matrix does not have are passed over. Errors: CELL_MISSING, CELL_DUPLICATE, CELL_NOT_INTEGER, SCHEMA_INVALID.
 */
export function withChance(
  matrix: ScoreMatrix,
  text: string,
  source: { readonly file: string; readonly quantize?: number },
): ScoreMatrix {
  const { file, quantize } = source;
  const { header, rows, lines } = parseCsv(text, { file });
  const task = header.indexOf('task');
  const value = header.indexOf('value');
  if (task < 0 || value < 0)
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      `has the columns ${header.join(',')}`,
      'Chance values come as task,value.',
    );
  const index = new Map(matrix.tasks.map((name, t) => [name, t]));
  const chance = new Float64Array(index.size).fill(Number.NaN);
  rows.forEach((row, r) => {
    const t = index.get(row[task]!);
    if (t === undefined) return;
    const where = { file, line: lines[r]! };
    const name = `${file}, line ${where.line}: task ${shown(row[task])}`;
    if (!Number.isNaN(chance[t])) throw new FlavourError('CELL_DUPLICATE', `${name} stands twice`, { where });
    const number = cellNumber(row[value]!) ?? Number.NaN;
    const integer = quantize === undefined ? number : roundHalfEven(number * quantize);
    if (!Number.isSafeInteger(integer))
      throw new FlavourError('CELL_NOT_INTEGER', `${name}: chance is ${shown(row[value])}`, {
        hint: 'Chance is an integer in the unit of the matrix.',
        where,
      });
    chance[t] = integer + 0;
  });
  const missing = chance.findIndex(Number.isNaN);
  if (missing >= 0)
    fail(
      'CELL_MISSING',
      { file },
      `has no chance for task ${shown(matrix.tasks[missing])}`,
      'Give a chance value for every task, or none at all.',
    );
  return { ...matrix, chance };
}
