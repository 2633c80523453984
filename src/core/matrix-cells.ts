import { type ErrorPlace, fail, placeText, shown } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import { isWellFormed } from '../util/text.js';
import { incomplete, type MissingCell, NAMED, type ScoreMatrix } from './matrix.js';

/** One cell a row, as a table file holds it. A value that the source has not written is null. */
export interface CellTable {
  /** What the cells came from, where none can be named. */
  readonly file: string;
  readonly model: ArrayLike<string>;
  readonly task: ArrayLike<string>;
  readonly panel: ArrayLike<string>;
  readonly family: ArrayLike<string>;
  readonly cluster: ArrayLike<string>;
  readonly value: ArrayLike<number | null>;
  /** The value as written, for errors. */
  written(row: number): string;
  /** File and line (or another place in the file) of a row. */
  place(row: number): ErrorPlace;
}

export interface MatrixOptions {
  /** Integer units in one point; 100 unless given. */
  readonly scale?: number;
  /** Read values as points and round them half to even to 1 / quantize. */
  readonly quantize?: number;
  /** Leave out the tasks that some model has no value for; without it they are an error. */
  readonly commonTasks?: boolean;
  /** Called with every missing cell before the error is thrown. */
  readonly withheld?: (missing: readonly MissingCell[]) => void;
}

export interface Quantization {
  readonly scale: number;
  /** Largest absolute change of a value, in points. */
  readonly largestError: number;
}

/** How far values read as real points were moved. */
export function roundedWords({ scale, largestError }: Quantization): string {
  return largestError === 0
    ? `Every value is a whole number of 1/${scale} points: none was rounded.`
    : `Values were rounded to 1/${scale} points, the largest change is ${largestError.toPrecision(3)}.`;
}

export interface MatrixRead {
  readonly matrix: ScoreMatrix;
  readonly quantization?: Quantization;
  /** Tasks left out because some model has no value for them. */
  readonly dropped: number;
  /** What about the values looks wrong. */
  readonly warnings: readonly string[];
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

interface TaskFacts {
  readonly index: number;
  readonly panel: string;
  readonly family: string;
  readonly cluster: string;
}

/**
 * Makes a complete matrix (models x tasks) from its cells; models and tasks in order of first appearance. Every error names the cell: INCOMPLETE
 * (exit 3), CELL_DUPLICATE, CELL_NOT_INTEGER, CLUSTER_MISSING, SCHEMA_INVALID (a task described in two ways), BOUND_EXCEEDED.
 */
export function matrixFromCells(cells: CellTable, options: MatrixOptions = {}): MatrixRead {
  const scale = checkedScale(options.quantize ?? options.scale ?? 100);
  const { models, tasks, rowOf } = indexed(cells);
  const taskNames = [...tasks.keys()];
  const missing = missingCells(cells, rowOf, models, taskNames);
  const lacking = new Set(missing.map(({ task }) => task));
  if (missing.length > 0 && !options.commonTasks) {
    options.withheld?.(missing);
    throw incomplete(missing, rowOf.length, {
      file: cells.file,
      hint: 'A matrix is complete: one value for every model and task. `rank-audit --common-tasks` leaves out the tasks that some model lacks.',
    });
  }
  const kept = [...tasks].filter(([name]) => !lacking.has(name));
  if (kept.length === 0)
    fail(
      'SCHEMA_INVALID',
      { file: cells.file },
      'there is no task that every model has',
      'Give scores of the same tasks for every model.',
    );
  const values = new Float64Array(models.length * kept.length);
  let largestError = 0;
  models.forEach((_, m) => {
    kept.forEach(([, { index }], t) => {
      const row = rowOf[m * tasks.size + index]! - 1;
      const { integer, error } = cellValue(cells, row, options.quantize);
      values[m * kept.length + t] = integer;
      largestError = Math.max(largestError, error);
    });
  });
  const matrix: ScoreMatrix = {
    models,
    tasks: kept.map(([name]) => name),
    panels: kept.map(([, { panel }]) => panel),
    families: kept.map(([, { family }]) => family),
    clusters: kept.map(([, { cluster }]) => cluster),
    values,
    scale,
  };
  return {
    matrix,
    dropped: lacking.size,
    warnings: [],
    ...(options.quantize === undefined ? {} : { quantization: { scale, largestError } }),
  };
}

/** Models and tasks by first appearance, and for each cell of the matrix the number of its row plus one, or 0. */
function indexed(cells: CellTable) {
  const rows = cells.value.length;
  if (rows === 0) {
    fail('SCHEMA_INVALID', { file: cells.file }, 'the table holds no cell', 'Give one row a model and task.');
  }
  const models = new Map<string, number>();
  const tasks = new Map<string, TaskFacts>();
  const modelOf = new Int32Array(rows);
  const taskOf = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const model = cells.model[row]!;
    if (!models.has(model)) models.set(model, models.size);
    modelOf[row] = models.get(model)!;
    taskOf[row] = taskIndex(cells, row, tasks);
  }
  assertWritable(cells, 'model', models.keys());
  assertWritable(cells, 'task', tasks.keys());
  assertFits(cells.file, models.size, tasks.size);
  const rowOf = new Int32Array(models.size * tasks.size);
  for (let row = 0; row < rows; row += 1) {
    const at = modelOf[row]! * tasks.size + taskOf[row]!;
    const before = rowOf[at]!;
    if (before > 0)
      fail(
        'CELL_DUPLICATE',
        cells.place(row),
        `${cellName(cells, row)} stands a second time, first in ${placeText(cells.place(before - 1))}`,
        'Keep one value a model and task; a second run of a model needs a name (for lm-evaluation-harness a folder) of its own.',
      );
    rowOf[at] = row + 1;
  }
  return { models: [...models.keys()], tasks, rowOf };
}

function missingCells(
  cells: CellTable,
  rowOf: Int32Array,
  models: readonly string[],
  tasks: readonly string[],
): MissingCell[] {
  const missing: MissingCell[] = [];
  rowOf.forEach((row, at) => {
    if (row > 0 && cells.value[row - 1] !== null) return;
    missing.push({
      model: models[Math.floor(at / tasks.length)]!,
      task: tasks[at % tasks.length]!,
      reason: row > 0 ? 'empty' : 'absent',
      ...(row > 0 && missing.length < NAMED ? { place: placeText(cells.place(row - 1)) } : {}),
    });
  });
  return missing;
}

/** A scale as given, checked. Errors: USAGE. */
function checkedScale(scale: number): number {
  if (!Number.isSafeInteger(scale) || scale < 1 || scale > 1e9) {
    fail(
      'USAGE',
      null,
      `the scale is ${shown(scale)}`,
      'A scale is a whole number of units in one point, from 1 to 10^9.',
    );
  }
  return scale;
}

/** Names the cell of a row by its model and its task. */
function cellName(cells: CellTable, row: number): string {
  return `model ${shown(cells.model[row])}, task ${shown(cells.task[row])}`;
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

function taskIndex(cells: CellTable, row: number, tasks: Map<string, TaskFacts>): number {
  const task = cells.task[row]!;
  const panel = cells.panel[row]!;
  const family = cells.family[row]!;
  const cluster = cells.cluster[row]!;
  const known = tasks.get(task);
  if (known) {
    for (const [name, first, now] of [
      ['panel', known.panel, panel],
      ['family', known.family, family],
      ['cluster', known.cluster, cluster],
    ] as const)
      if (first !== now)
        fail(
          'SCHEMA_INVALID',
          cells.place(row),
          `${cellName(cells, row)} has ${name} ${shown(now)}, earlier rows of the task ${shown(first)}`,
          'Describe a task the same way in every row.',
        );
    return known.index;
  }
  if (!cells.model[row] || !task)
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
  tasks.set(task, { index: tasks.size, panel, family, cluster });
  return tasks.size - 1;
}

function cellValue(cells: CellTable, row: number, quantize: number | undefined): { integer: number; error: number } {
  const value = cells.value[row]!;
  if (quantize !== undefined && Number.isFinite(value)) {
    const integer = roundHalfEven(value * quantize);
    if (Number.isSafeInteger(integer)) return { integer: integer + 0, error: Math.abs(integer / quantize - value) };
  }
  if (quantize !== undefined || !Number.isSafeInteger(value))
    fail(
      'CELL_NOT_INTEGER',
      cells.place(row),
      `${cellName(cells, row)} is ${cells.written(row)}; ${quantize === undefined ? 'an integer' : 'a number'} is expected`,
      quantize === undefined
        ? 'Give integers with --scale, or real points with --quantize SCALE.'
        : 'Give numbers, and a --quantize at which none passes 2^53; leave a missing value empty.',
    );
  return { integer: value + 0, error: 0 };
}
