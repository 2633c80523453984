import type { ScoreMatrix } from '../core/matrix.js';
import { decimalScale, MOST_SCALE } from '../core/scale.js';
import { parseCsv } from '../io/csv.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import { wholeProblem } from '../util/whole.js';
import { asText, fieldNumber, type ScoreTable } from './score-table.js';

interface ChanceOptions {
  readonly file: string;
  /** The scale that the call or the file states: values are such units. Unless given they are points. */
  readonly scale?: number;
  /** Values are points, to be rounded to 1 / quantize. */
  readonly quantize?: number;
  /** Attempts of which a cell of the matrix is the sum. */
  readonly attempts?: number;
}

/**
 * Adds to a matrix the value of a random answer to each task, from CSV text `task,value` in the unit of the table that the matrix came
 * from; points whose decimals are finer than the scale of the matrix make that finer (reading 1.13). Tasks the matrix does not have are
 * passed over. Errors: CELL_MISSING, CELL_DUPLICATE, CELL_NOT_INTEGER, SCHEMA_INVALID, BOUND_EXCEEDED.
 */
export function withChance(matrix: ScoreMatrix, text: string, options: ChanceOptions): ScoreMatrix {
  const { file } = options;
  const { header, rows, lines } = parseCsv(text, { file });
  const task = header.indexOf('task');
  const value = header.indexOf('value');
  if (task < 0 || value < 0)
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      `the columns task and value expected, found ${header.join(',')}`,
      'Give chance values as task,value.',
    );
  const index = new Map(matrix.tasks.map((name, t) => [name, t]));
  const chance = new Float64Array(index.size).fill(Number.NaN);
  rows.forEach((row, r) => {
    const t = index.get(row[task]!);
    if (t === undefined) return;
    const place = { file, line: lines[r]! };
    if (!Number.isNaN(chance[t]))
      fail('CELL_DUPLICATE', place, `task ${shown(row[task])} stands twice`, 'Give one chance value a task.');
    const number = fieldNumber(row[value]!) ?? Number.NaN;
    assertChance(number, place, { ...options, task: row[task]!, written: row[value]! });
    chance[t] = number;
  });
  const missing = chance.findIndex(Number.isNaN);
  if (missing >= 0)
    fail(
      'CELL_MISSING',
      { file },
      `no chance value for task ${shown(matrix.tasks[missing])}`,
      'Give a chance value for every task, or none at all.',
    );
  return added(matrix, chance, options);
}

/**
 * Adds the chance values that a table in long form has in a column `chance`, that of the last row of each task; `task` is the column that
 * names it. Errors: CELL_NOT_INTEGER, BOUND_EXCEEDED.
 */
export function withChanceColumn(
  matrix: ScoreMatrix,
  table: ScoreTable,
  { task: column, ...options }: ChanceOptions & { readonly task: string },
): ScoreMatrix {
  const chance = table.column('chance');
  const coded = table.coded(column);
  if (!chance || !coded) return matrix;
  const index = new Map(matrix.tasks.map((name, t) => [name, t]));
  const places = coded.values.map((name) => index.get(asText(name)));
  const perTask = new Float64Array(index.size).fill(Number.NaN);
  for (let row = 0; row < table.rows; row += 1) {
    const t = places[coded.codes[row]!];
    if (t === undefined) continue;
    const value = chance[row];
    perTask[t] = (typeof value === 'string' ? fieldNumber(value) : value === null ? null : Number(value)) ?? Number.NaN;
    assertChance(perTask[t]!, table.place(row), { ...options, task: matrix.tasks[t]!, written: value });
  }
  return added(matrix, perTask, options);
}

const inUnits = ({ scale, quantize }: ChanceOptions) => scale !== undefined && quantize === undefined;

function assertChance(
  value: number,
  place: ErrorPlace,
  { task, written, ...options }: ChanceOptions & { readonly task: string; readonly written: unknown },
): void {
  const whole = inUnits(options);
  if (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) return;
  fail(
    'CELL_NOT_INTEGER',
    place,
    Number.isInteger(value)
      ? `task ${shown(task)}: ${shown(written)} ${wholeProblem(value)}`
      : `task ${shown(task)}: ${whole ? 'an integer' : 'a number'} expected, found ${shown(written)}`,
    'Chance is in the unit of the matrix: units where --scale or the file states a scale, else points.',
  );
}

function added(matrix: ScoreMatrix, chance: Float64Array, options: ChanceOptions): ScoreMatrix {
  const { file, quantize, attempts = 1 } = options;
  const units = inUnits(options);
  const unit = matrix.scale / attempts;
  const finer = units || quantize !== undefined ? 1 : Math.max(1, decimalScale(chance, attempts).scale / unit);
  if (unit * finer * attempts > MOST_SCALE)
    fail('BOUND_EXCEEDED', { file }, 'its decimals make a scale past 10^9', 'Give chance values with fewer decimals.');
  return {
    ...matrix,
    values: finer === 1 ? matrix.values : matrix.values.map((value) => value * finer),
    scale: matrix.scale * finer,
    chance: chance.map((value) => (units ? value : roundHalfEven(value * unit * finer)) * attempts + 0),
  };
}
