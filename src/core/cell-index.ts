import { fail, placeText, shown } from '../util/error.js';
import { isWellFormed } from '../util/text.js';
import { type CellTable, cellName } from './cell-table.js';
import { keptModels, type ModelChoice } from './model-choice.js';

/** What a table says of a task. */
interface TaskFacts {
  readonly name: string;
  readonly panel: string;
  readonly family: string;
  readonly cluster: string;
}

/** Where the values of each cell stand in a table. Cells are numbered model by model. */
export interface CellIndex {
  /** Kept models, by first appearance. */
  readonly models: readonly string[];
  readonly leftOut: readonly string[];
  /** By first appearance. */
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
 * Finds models and tasks by first appearance, and the rows of each cell; rows of models that a choice leaves out count for nothing.
 * Errors: SCHEMA_INVALID, CLUSTER_MISSING, CELL_DUPLICATE, BOUND_EXCEEDED; those of `keptModels`.
 */
export function indexCells(cells: CellTable, choice: ModelChoice): CellIndex {
  const total = cells.value.length;
  if (total === 0)
    fail('SCHEMA_INVALID', { file: cells.file }, 'the table holds no cell', 'Give one row a model and task.');
  const numbers = new Map<string, number>();
  for (let row = 0; row < total; row += 1) {
    const model = cells.model[row]!;
    if (!numbers.has(model)) numbers.set(model, numbers.size);
  }
  assertWritable(cells, 'model', numbers.keys());
  const all = [...numbers.keys()];
  const kept = keptModels(all, choice);
  const models = all.filter((_, m) => kept[m]);
  const modelNumber = new Map(models.map((model, m) => [model, m]));
  const tasks = new Map<string, TaskFacts & { readonly index: number }>();
  const modelOf = new Int32Array(total).fill(-1);
  const taskOf = new Int32Array(total);
  for (let row = 0; row < total; row += 1) {
    const m = modelNumber.get(cells.model[row]!);
    if (m === undefined) continue;
    modelOf[row] = m;
    taskOf[row] = taskIndex(cells, row, tasks);
  }
  assertWritable(cells, 'task', tasks.keys());
  assertFits(cells.file, models.length, tasks.size);
  const cellOf = modelOf.map((m, row) => (m < 0 ? -1 : m * tasks.size + taskOf[row]!));
  return {
    models,
    leftOut: all.filter((_, m) => !kept[m]),
    tasks: [...tasks.values()],
    ...rowsByCell(cells, cellOf, models.length * tasks.size),
  };
}

/** Sorts the rows with a value by cell and attempt. Errors: CELL_DUPLICATE, SCHEMA_INVALID for a row without an attempt. */
function rowsByCell(cells: CellTable, cellOf: Int32Array, count: number) {
  const attempt = attemptNumbers(cells, cellOf);
  const firstRow = new Int32Array(count);
  const starts = new Int32Array(count + 1);
  const taken = new Map<number, number>();
  cellOf.forEach((cell, row) => {
    if (cell < 0) return;
    const before = attempt === undefined ? firstRow[cell]! - 1 : taken.get(cell + count * attempt.of[row]!);
    if (before !== undefined && before >= 0)
      fail(
        'CELL_DUPLICATE',
        cells.place(row),
        `${cellName(cells, row)} stands a second time${attempt === undefined ? '' : ` as attempt ${shown(cells.attempt![row])}`}, first in ${placeText(cells.place(before))}`,
        attempt === undefined
          ? 'Keep one value a model and task, or number the attempts in a column `attempt`; a second run of a model needs a name (for lm-evaluation-harness a folder) of its own.'
          : 'Give each attempt at a cell one row; a second run of a model needs a name of its own.',
      );
    if (attempt !== undefined) taken.set(cell + count * attempt.of[row]!, row);
    if (firstRow[cell] === 0) firstRow[cell] = row + 1;
    if (cells.value[row] !== null) starts[cell + 1]! += 1;
  });
  for (let cell = 0; cell < count; cell += 1) starts[cell + 1]! += starts[cell]!;
  const rows = new Int32Array(starts[count]!);
  const next = starts.slice(0, count);
  cellOf.forEach((cell, row) => {
    if (cell < 0 || cells.value[row] === null) return;
    rows[next[cell]!] = row;
    next[cell]! += 1;
  });
  if (attempt !== undefined)
    for (let cell = 0; cell < count; cell += 1)
      rows.subarray(starts[cell]!, starts[cell + 1]!).sort((a, b) => attempt.of[a]! - attempt.of[b]!);
  return { firstRow, starts, rows };
}

const WHOLE = /^\d{1,15}$/;

/** Numbers the attempts: by number where all are whole numbers, else by first appearance. Undefined where the table names none. */
function attemptNumbers(cells: CellTable, cellOf: Int32Array): { readonly of: Int32Array } | undefined {
  const { attempt } = cells;
  if (attempt === undefined) return undefined;
  const labels = new Set<string>();
  cellOf.forEach((cell, row) => {
    if (cell < 0) return;
    if (!attempt[row])
      fail(
        'SCHEMA_INVALID',
        cells.place(row),
        `${cellName(cells, row)} has no attempt`,
        'Number the attempts in every row, or leave the column out.',
      );
    labels.add(attempt[row]!);
  });
  const ordered = [...labels].every((label) => WHOLE.test(label))
    ? [...labels].sort((a, b) => Number(a) - Number(b))
    : [...labels];
  const numbers = new Map(ordered.map((label, i) => [label, i]));
  return { of: cellOf.map((cell, row) => (cell < 0 ? -1 : numbers.get(attempt[row]!)!)) };
}

/** Ids stand in documents, so each must have a UTF-8 form. */
function assertWritable(cells: CellTable, key: 'model' | 'task', ids: Iterable<string>): void {
  for (const id of ids) {
    if (isWellFormed(id)) continue;
    const row = Array.prototype.indexOf.call(cells[key], id);
    const what = `holds half of a surrogate pair in its ${key} id`;
    fail('SCHEMA_INVALID', cells.place(row), `${cellName(cells, row)} ${what}`, 'Write the id without it.');
  }
}

function taskIndex(cells: CellTable, row: number, tasks: Map<string, TaskFacts & { readonly index: number }>): number {
  const name = cells.task[row]!;
  const panel = cells.panel[row]!;
  const family = cells.family[row]!;
  const cluster = cells.cluster[row]!;
  const known = tasks.get(name);
  if (known) {
    for (const [what, first, now] of [
      ['panel', known.panel, panel],
      ['family', known.family, family],
      ['cluster', known.cluster, cluster],
    ] as const)
      if (first !== now)
        fail(
          'SCHEMA_INVALID',
          cells.place(row),
          `${cellName(cells, row)} has ${what} ${shown(now)}, earlier rows of the task ${shown(first)}`,
          'Describe a task the same way in every row.',
        );
    return known.index;
  }
  if (!cells.model[row] || !name)
    fail('SCHEMA_INVALID', cells.place(row), `${cellName(cells, row)} has no name`, 'Name every model and task.');
  if (!cluster)
    fail(
      'CLUSTER_MISSING',
      cells.place(row),
      `${cellName(cells, row)} has no cluster`,
      'Give every task a cluster, or leave the column out: each task is then a cluster of its own.',
    );
  if (!family)
    fail(
      'SCHEMA_INVALID',
      cells.place(row),
      `${cellName(cells, row)} has no family`,
      'Give every task a family, or leave the column out: all tasks are then one family.',
    );
  tasks.set(name, { index: tasks.size, name, panel, family, cluster });
  return tasks.size - 1;
}
