import { assertFits } from '../core/cell-index.js';
import type { CellTable } from '../core/cell-table.js';
import { type MatrixOptions, type MatrixRead, matrixFromCells } from '../core/matrix-cells.js';
import { parseCsv } from '../io/csv.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { asNumber, asText, type ScoreTable } from './score-table.js';

/** Facts about tasks that stand beside a table, which a wide one has no room for. They go before the table's own columns. */
interface TaskLabels {
  readonly clusters?: ReadonlyMap<string, string>;
  readonly families?: ReadonlyMap<string, string>;
}

export interface TaskLabelFiles {
  /** CSV `task,cluster`. */
  readonly clusters?: string;
  /** CSV `task,family`. */
  readonly families?: string;
}

/**
 * Reads the labels in the files named, and gives the files as inputs of a document; `open` gives the bytes of a path. Errors:
 * SCHEMA_INVALID for another table, a task without a label or one with two; CSV_INVALID; those of `open`.
 */
export function readTaskLabels(
  { clusters, families }: TaskLabelFiles,
  open: (path: string) => Uint8Array,
): {
  readonly labels: TaskLabels;
  readonly inputs: readonly InputFile[];
} {
  const inputs: InputFile[] = [];
  const read = (role: 'clusters' | 'families', path: string, label: 'cluster' | 'family') => {
    const bytes = open(path);
    inputs.push(inputFile(role, bytes));
    return readLabels(decodeText(path, bytes), path, label);
  };
  const labels = {
    ...(clusters === undefined ? {} : { clusters: read('clusters', clusters, 'cluster') }),
    ...(families === undefined ? {} : { families: read('families', families, 'family') }),
  };
  return { labels, inputs };
}

/** Task to label from CSV text with the columns `task` and `label`. Errors: SCHEMA_INVALID, also for a task without a label or with two. */
function readLabels(text: string, file: string, label: 'cluster' | 'family'): Map<string, string> {
  const { header, rows, lines } = parseCsv(text, { file });
  const task = header.indexOf('task');
  const value = header.indexOf(label);
  if (task < 0 || value < 0)
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      `the columns task and ${label} expected, found ${header.join(',')}`,
      `Give a table task,${label}.`,
    );
  const labels = new Map<string, string>();
  rows.forEach((row, i) => {
    const line = lines[i]!;
    const [name, said] = [row[task]!, row[value]!];
    const known = labels.get(name);
    if (!name || !said)
      fail(
        'SCHEMA_INVALID',
        { file, line },
        `${name ? `task ${shown(name)} has no ${label}` : 'a row names no task'}`,
        `Give a task and its ${label} in every row; leave out a task of which nothing is said.`,
      );
    if (known !== undefined && known !== said)
      fail(
        'SCHEMA_INVALID',
        { file, line },
        `task ${shown(name)} has ${label} ${shown(said)}, earlier ${shown(known)}`,
        `Give every task one ${label}.`,
      );
    labels.set(name, said);
  });
  return labels;
}

/** Names of the column that numbers the attempts at a cell (decisions 4.1). */
const ATTEMPT_COLUMNS = ['attempt', 'epoch', 'trial', 'repeat'];

/** Columns of a matrix in long form, in the order we write them. */
export const MATRIX_COLUMNS = ['model', 'task', 'panel', 'family', 'cluster', 'value'] as const;

/** The panel and the family of tasks of which nothing else is said. */
const ALL = 'all';

export interface TableOptions extends MatrixOptions {
  readonly labels?: TaskLabels;
  /** Units in one point where neither the call nor the file says; 100 unless given. */
  readonly assumedScale?: number;
}

/**
 * Makes the matrix of a table. Long form: the columns model, task and value, and panel, family and cluster where the study has
 * them. Wide form: the model in the first column, one more column a task. Without panels there is one, without families
 * one, without clusters each task is its own. A column attempt, epoch, trial or repeat numbers the attempts at a cell; in wide form
 * where a model has several rows. Errors: SCHEMA_INVALID and those of `matrixFromCells`.
 */
export function matrixFromTable(table: ScoreTable, options: TableOptions = {}): MatrixRead {
  const { labels = {}, assumedScale = 100, ...rest } = options;
  const cells = isLong(table) ? longCells(table, labels) : wideCells(table, labels);
  assertLabels(cells, labels);
  const stated = options.scale ?? table.scale;
  const read = matrixFromCells(cells, { ...rest, scale: stated ?? assumedScale });
  const assumed = stated === undefined && options.quantize === undefined;
  return { ...read, warnings: [...read.warnings, ...(assumed ? smallPoints(read) : [])] };
}

/** Labels of which none is about this table were made for another. Errors: SCHEMA_INVALID. */
function assertLabels({ file, task }: CellTable, labels: TaskLabels): void {
  const tasks = new Set(Array.from(task));
  for (const [what, of] of Object.entries(labels) as [string, ReadonlyMap<string, string>][]) {
    if (tasks.size === 0 || [...of.keys()].some((name) => tasks.has(name))) continue;
    const named = of.size === 0 ? 'no task' : `${shown([...of.keys()][0])}, no task of ${file}`;
    fail(
      'SCHEMA_INVALID',
      { file },
      `the file of ${what} names ${named}`,
      `A task is written as in the matrix: ${shown([...tasks][0])}.`,
    );
  }
}

const SHAPES =
  'A score matrix is wide (the model in the first column, one more column a task) or long (model,task,value; panel, family and cluster where there are any: without them all tasks are one panel and one family, each a cluster of its own).';

/** Errors: SCHEMA_INVALID for a table that is neither. */
function isLong({ file, names }: ScoreTable): boolean {
  const missing = ['model', 'task', 'value'].filter((name) => !names.includes(name));
  if (missing.length === 0) return true;
  if (names.length < 2)
    fail(
      'SCHEMA_INVALID',
      { file },
      `at least two columns expected, found ${names.length === 1 ? `one, ${shown(names[0])}` : 'none'}`,
      /[;\t]/.test(names[0] ?? '') ? `Separate columns with commas. ${SHAPES}` : SHAPES,
    );
  if (!names.includes('task') && !names.includes('value')) return false;
  fail(
    'SCHEMA_INVALID',
    { file },
    `no column ${missing.map(shown).join(' and no column ')}; found ${names.slice(0, 8).map(shown).join(', ')}${names.length > 8 ? ', ...' : ''}`,
    SHAPES,
  );
}

/** The texts of a column; undefined where there is none. */
function textsOf(table: ScoreTable, name: string): string[] | undefined {
  const column = table.column(name);
  return column && Array.from(column, asText);
}

function longCells(table: ScoreTable, { families, clusters }: TaskLabels): CellTable {
  const texts = (name: string) => textsOf(table, name);
  const model = texts('model')!;
  const task = texts('task')!;
  const family = texts('family');
  const cluster = texts('cluster');
  const written = Array.from(table.column('value')!);
  const attempt = attemptColumn(table);
  return {
    model,
    task,
    panel: texts('panel') ?? task.map(() => ALL),
    family: task.map((name, row) => families?.get(name) ?? family?.[row] ?? ALL),
    cluster: task.map((name, row) => clusters?.get(name) ?? cluster?.[row] ?? name),
    value: written.map(asNumber),
    written: (row) => shown(written[row]),
    place: table.place,
    file: table.file,
    ...(attempt === undefined ? {} : { attempt: texts(attempt)! }),
  };
}

/** Finds the column that numbers the attempts. Errors: SCHEMA_INVALID where two columns could. */
function attemptColumn({ file, names }: ScoreTable): string | undefined {
  const found = names.filter((name) => ATTEMPT_COLUMNS.includes(name.toLowerCase()));
  if (found.length < 2) return found[0];
  return fail(
    'SCHEMA_INVALID',
    { file },
    `the columns ${found.map(shown).join(' and ')} could both number the attempts`,
    'Leave out the one that does not.',
  );
}

function wideCells(table: ScoreTable, { families, clusters }: TaskLabels): CellTable {
  const [first] = table.names as [string, ...string[]];
  const models = textsOf(table, first)!;
  const attempt = new Set(models).size < models.length ? attemptColumn(table) : undefined;
  const attempts = attempt === undefined ? undefined : textsOf(table, attempt)!;
  const tasks = table.names.filter((name) => name !== first && name !== attempt);
  assertFits(table.file, table.rows, tasks.length);
  const columns = tasks.map((name) => table.column(name)!);
  const flat = <T>(value: (m: number, t: number) => T): T[] => {
    const all = new Array<T>(models.length * tasks.length);
    for (let m = 0, at = 0; m < models.length; m += 1)
      for (let t = 0; t < tasks.length; t += 1, at += 1) all[at] = value(m, t);
    return all;
  };
  const name = (t: number) => tasks[t]!;
  const rowOf = (cell: number) => Math.floor(cell / tasks.length);
  return {
    model: flat((m) => models[m]!),
    task: flat((_, t) => name(t)),
    panel: flat(() => ALL),
    family: flat((_, t) => families?.get(name(t)) ?? ALL),
    cluster: flat((_, t) => clusters?.get(name(t)) ?? name(t)),
    value: flat((m, t) => asNumber(columns[t]![m])),
    written: (cell) => shown(columns[cell % tasks.length]?.[rowOf(cell)]),
    place: (cell) => table.place(rowOf(cell)),
    file: table.file,
    ...(attempts === undefined ? {} : { attempt: flat((m) => attempts[m]!) }),
  };
}

/** A whole matrix inside one point is more often one whose scale nobody named. */
function smallPoints({ matrix, attempts }: MatrixRead): string[] {
  const scale = attempts?.scale ?? matrix.scale;
  const largest = matrix.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / matrix.scale;
  if (scale === 1 || largest > 1) return [];
  return [
    `no score is above ${largest} points: values were read as ${scale} to the point, which nothing says; give --scale 1 where they are points (0 or 1 a task), --scale ${scale} where this is right`,
  ];
}
