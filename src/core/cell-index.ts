import { assertName, MOST_CHARACTERS } from '../io/held/name-bound.js';
import { fail, placeText, shown } from '../util/error.js';
import { isWellFormed } from '../util/text.js';
import { type CellTable, cellName, type NameColumn, nameOf } from './cell-table.js';
import { keptModels, type ModelChoice } from './model-choice.js';
import { keptTasks, type TaskChoice } from './task-choice.js';
import { type TaskFacts, taskList } from './task-facts.js';

/** Where the values of each cell stand in a table. Cells are numbered model by model. */
export interface CellIndex {
  /** Kept models, by first appearance. */
  readonly models: readonly string[];
  readonly leftOut: readonly string[];
  /** Tasks that a choice left out. */
  readonly tasksOut: readonly string[];
  /** Kept tasks, by first appearance. */
  readonly tasks: readonly TaskFacts[];
  /** models x tasks: first row of the cell plus one, 0 where there is none. */
  readonly firstRow: Int32Array;
  /** models x tasks + 1: where the rows of a cell begin in `rows`. */
  readonly starts: Int32Array;
  /** Rows that hold a value, by cell, inside a cell in order of attempts. */
  readonly rows: Int32Array;
}

/** Most cells of one matrix: what is read of them stays under 3 GB. */
const MOST_CELLS = 2 ** 24;

/** Errors: BOUND_EXCEEDED for more cells than one matrix may have. */
export function assertFits(file: string, models: number, tasks: number): void {
  if (models * tasks <= MOST_CELLS) return;
  fail(
    'BOUND_EXCEEDED',
    { file },
    `${models} models and ${tasks} tasks are ${models * tasks} cells; at most ${MOST_CELLS} make a matrix`,
    'Give fewer models or tasks at once.',
  );
}

/**
 * Finds models and tasks by first appearance, and the rows of each cell; rows of models and tasks that a choice leaves out count for nothing.
 * Errors: SCHEMA_INVALID, CLUSTER_MISSING, CELL_DUPLICATE, BOUND_EXCEEDED; those of `keptModels` and `keptTasks`.
 */
export function indexCells(cells: CellTable, choice: ModelChoice & TaskChoice): CellIndex {
  const total = cells.value.length;
  if (total === 0)
    fail('SCHEMA_INVALID', { file: cells.file }, 'the table holds no cell', 'Give one row a model and task.');
  const found = firstSeen(cells.model, total);
  assertWritable(cells, 'model', found);
  const all = found.map((code) => cells.model.values[code]!);
  const kept = keptModels(all, choice);
  const number = new Int32Array(cells.model.values.length).fill(-1);
  found
    .filter((_, m) => kept[m])
    .forEach((code, m) => {
      number[code] = m;
    });
  const models = all.filter((_, m) => kept[m]);
  const tasks = taskList(cells);
  const cellOf = new Int32Array(total);
  const taskOf = new Int32Array(total);
  const { codes } = cells.model;
  for (let row = 0; row < total; row += 1) {
    const m = number[codes[row]!]!;
    cellOf[row] = m;
    if (m >= 0) taskOf[row] = tasks.at(row);
  }
  assertWritable(cells, 'task', tasks.found);
  const asked = keptTasks(tasks.facts, choice);
  const columns = tasks.facts.filter((_, t) => asked[t]);
  const column = new Int32Array(asked.length).fill(-1);
  let T = 0;
  asked.forEach((keep, t) => {
    if (keep) column[t] = T++;
  });
  assertFits(cells.file, models.length, T);
  for (let row = 0; row < total; row += 1) {
    const t = column[taskOf[row]!]!;
    if (cellOf[row]! >= 0) cellOf[row] = t < 0 ? -1 : cellOf[row]! * T + t;
  }
  return {
    models,
    leftOut: all.filter((_, m) => !kept[m]),
    tasksOut: tasks.facts.flatMap(({ name }, t) => (asked[t] ? [] : [name])),
    tasks: columns,
    ...rowsByCell(cells, cellOf, models.length * T),
  };
}

/** The codes of a column by first appearance. */
function firstSeen({ values, codes }: NameColumn, total: number): number[] {
  const met = new Uint8Array(values.length);
  const order: number[] = [];
  for (let row = 0; row < total && order.length < values.length; row += 1) {
    const code = codes[row]!;
    if (met[code] === 1) continue;
    met[code] = 1;
    order.push(code);
  }
  return order;
}

/** Sorts the rows with a value by cell and attempt. Errors: CELL_DUPLICATE, SCHEMA_INVALID for a row without an attempt. */
function rowsByCell(cells: CellTable, cellOf: Int32Array, count: number) {
  const attempt = attemptNumbers(cells, cellOf);
  const firstRow = new Int32Array(count);
  const starts = new Int32Array(count + 1);
  const taken = new Map<number, number>();
  const { value } = cells;
  for (let row = 0; row < cellOf.length; row += 1) {
    const cell = cellOf[row]!;
    if (cell < 0) continue;
    const before = attempt === undefined ? firstRow[cell]! - 1 : taken.get(cell + count * attempt[row]!);
    if (before !== undefined && before >= 0) failDuplicate(cells, row, before);
    if (attempt !== undefined) taken.set(cell + count * attempt[row]!, row);
    if (firstRow[cell] === 0) firstRow[cell] = row + 1;
    if (!Number.isNaN(value[row])) starts[cell + 1]! += 1;
  }
  for (let cell = 0; cell < count; cell += 1) starts[cell + 1]! += starts[cell]!;
  const rows = new Int32Array(starts[count]!);
  const next = starts.slice(0, count);
  for (let row = 0; row < cellOf.length; row += 1) {
    const cell = cellOf[row]!;
    if (cell < 0 || Number.isNaN(value[row])) continue;
    rows[next[cell]!] = row;
    next[cell]! += 1;
  }
  if (attempt !== undefined)
    for (let cell = 0; cell < count; cell += 1)
      rows.subarray(starts[cell]!, starts[cell + 1]!).sort((a, b) => attempt[a]! - attempt[b]!);
  return { firstRow, starts, rows };
}

function failDuplicate(cells: CellTable, row: number, before: number): never {
  const { attempt, repeated } = cells;
  const as = attempt === undefined ? '' : ` as attempt ${shown(nameOf(attempt, row))}`;
  fail(
    'CELL_DUPLICATE',
    cells.place(row),
    `${cellName(cells, row)} stands a second time${as}, first in ${placeText(cells.place(before))}`,
    repeated?.(before, row) ??
      (attempt === undefined
        ? 'Keep one value a model and task, or number the attempts in a column `attempt`; a second run of a model needs a name (for lm-evaluation-harness a folder) of its own.'
        : 'Give each attempt at a cell one row; a second run of a model needs a name of its own.'),
  );
}

const WHOLE = /^\d{1,15}$/;

/** Numbers the attempts by row: by number where all are whole numbers, else by first appearance. Undefined where the table names none. */
function attemptNumbers(cells: CellTable, cellOf: Int32Array): Int32Array | undefined {
  const { attempt } = cells;
  if (attempt === undefined) return undefined;
  const labels = new Set<number>();
  cellOf.forEach((cell, row) => {
    if (cell < 0) return;
    const code = attempt.codes[row]!;
    if (!labels.has(code) && !attempt.values[code])
      fail(
        'SCHEMA_INVALID',
        cells.place(row),
        `${cellName(cells, row)} has no attempt`,
        'Number the attempts in every row, or leave the column out.',
      );
    labels.add(code);
  });
  const name = (code: number) => attempt.values[code]!;
  const ordered = [...labels].every((code) => WHOLE.test(name(code)))
    ? [...labels].sort((a, b) => Number(name(a)) - Number(name(b)))
    : [...labels];
  const numbers = new Map(ordered.map((code, i) => [code, i]));
  return cellOf.map((cell, row) => (cell < 0 ? -1 : numbers.get(attempt.codes[row]!)!));
}

/** Ids stand in documents, so each must have a UTF-8 form, and a length that can be shown. */
function assertWritable(cells: CellTable, key: 'model' | 'task', found: readonly number[]): void {
  const { values, codes } = cells[key];
  for (const code of found) {
    const fits = values[code]!.length <= MOST_CHARACTERS;
    if (fits && isWellFormed(values[code]!)) continue;
    const row = Array.prototype.indexOf.call(codes, code);
    assertName(`a ${key}`, values[code]!, cells.place(row));
    const what = `holds half of a surrogate pair in its ${key} id`;
    fail('SCHEMA_INVALID', cells.place(row), `${cellName(cells, row)} ${what}`, 'Write the id without it.');
  }
}
