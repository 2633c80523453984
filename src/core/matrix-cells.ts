import { FlavourError, shown } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import type { ScoreMatrix } from './matrix.js';

/** One cell a row, as a table file holds it. A value that the source has not written is null. */
export interface CellTable {
  readonly file: string;
  readonly model: ArrayLike<string>;
  readonly task: ArrayLike<string>;
  readonly panel: ArrayLike<string>;
  readonly family: ArrayLike<string>;
  readonly cluster: ArrayLike<string>;
  readonly value: ArrayLike<number | null>;
  /** The value as written, for errors. */
  written(row: number): string;
  /** 1-based line of a row in a text file. */
  line?(row: number): number;
}

export interface MatrixOptions {
  /** Integer units in one point; 100 unless given. */
  readonly scale?: number;
  /** Read values as points and round them half to even to 1 / quantize. */
  readonly quantize?: number;
}

export interface Quantization {
  readonly scale: number;
  /** Largest absolute change of a value, in points. */
  readonly largestError: number;
}

export interface MatrixRead {
  readonly matrix: ScoreMatrix;
  readonly quantization?: Quantization;
}

interface TaskFacts {
  readonly index: number;
  readonly panel: string;
  readonly family: string;
  readonly cluster: string;
}

/**
 * A complete matrix from its cells; models and tasks in order of first appearance. Every error names the cell:
 * CELL_MISSING, CELL_DUPLICATE, CELL_NOT_INTEGER, CLUSTER_MISSING, SCHEMA_INVALID (a task described in two ways).
 */
export function matrixFromCells(cells: CellTable, options: MatrixOptions = {}): MatrixRead {
  const scale = checkedScale(options.quantize ?? options.scale ?? 100);
  const rows = cells.value.length;
  const models = new Map<string, number>();
  const tasks = new Map<string, TaskFacts>();
  const modelOf = new Int32Array(rows);
  const taskOf = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const model = cells.model[row] as string;
    if (!models.has(model)) models.set(model, models.size);
    modelOf[row] = models.get(model) as number;
    taskOf[row] = taskIndex(cells, row, tasks);
  }
  if (rows === 0) {
    throw new FlavourError('SCHEMA_INVALID', `${cells.file} holds no cell`, {
      hint: 'One row a model and task is expected.',
      where: { file: cells.file },
    });
  }
  const values = new Float64Array(models.size * tasks.size);
  const filled = new Uint8Array(values.length);
  let largestError = 0;
  for (let row = 0; row < rows; row += 1) {
    const at = (modelOf[row] as number) * tasks.size + (taskOf[row] as number);
    if (filled[at]) throw cellError('CELL_DUPLICATE', cells, row, 'stands twice', 'Keep one row.');
    filled[at] = 1;
    const { integer, error } = cellValue(cells, row, options.quantize);
    values[at] = integer;
    largestError = Math.max(largestError, error);
  }
  const names = [...tasks.keys()];
  const modelNames = [...models.keys()];
  assertComplete(filled, modelNames, names, cells.file);
  const facts = [...tasks.values()];
  const matrix: ScoreMatrix = {
    models: modelNames,
    tasks: names,
    panels: facts.map((fact) => fact.panel),
    families: facts.map((fact) => fact.family),
    clusters: facts.map((fact) => fact.cluster),
    values,
    scale,
  };
  return options.quantize === undefined
    ? { matrix }
    : { matrix, quantization: { scale, largestError } };
}

/** A scale as given, checked. Errors: USAGE. */
export function checkedScale(scale: number): number {
  if (!Number.isSafeInteger(scale) || scale < 1 || scale > 1e9) {
    throw new FlavourError('USAGE', `the scale is ${shown(scale)}`, {
      hint: 'A scale is a whole number of units in one point, from 1 to 10^9.',
    });
  }
  return scale;
}

function place(cells: CellTable, row: number): string {
  const line = cells.line?.(row);
  return line === undefined ? `${cells.file}, row ${row + 1}` : `${cells.file}, line ${line}`;
}

function cellError(
  code: string,
  cells: CellTable,
  row: number,
  what: string,
  hint: string,
): FlavourError {
  const line = cells.line?.(row);
  const cell = `model ${shown(cells.model[row])}, task ${shown(cells.task[row])}`;
  return new FlavourError(code, `${place(cells, row)}: ${cell} ${what}`, {
    hint,
    where: { file: cells.file, ...(line === undefined ? {} : { line }) },
  });
}

function taskIndex(cells: CellTable, row: number, tasks: Map<string, TaskFacts>): number {
  const task = cells.task[row] as string;
  const panel = cells.panel[row] as string;
  const family = cells.family[row] as string;
  const cluster = cells.cluster[row] as string;
  const known = tasks.get(task);
  if (known) {
    for (const [name, first, now] of [
      ['panel', known.panel, panel],
      ['family', known.family, family],
      ['cluster', known.cluster, cluster],
    ] as const)
      if (first !== now)
        throw cellError(
          'SCHEMA_INVALID',
          cells,
          row,
          `has ${name} ${shown(now)}, earlier rows of the task ${shown(first)}`,
          'Describe a task the same way in every row.',
        );
    return known.index;
  }
  if (!cells.model[row] || !task)
    throw cellError('SCHEMA_INVALID', cells, row, 'has no name', 'Name every model and task.');
  if (!cluster)
    throw cellError(
      'CLUSTER_MISSING',
      cells,
      row,
      'has no cluster',
      'Give every task a cluster id; a task that stands alone gets its own.',
    );
  if (!family)
    throw cellError('SCHEMA_INVALID', cells, row, 'has no family', 'Give every task a family.');
  tasks.set(task, { index: tasks.size, panel, family, cluster });
  return tasks.size - 1;
}

function cellValue(
  cells: CellTable,
  row: number,
  quantize: number | undefined,
): { integer: number; error: number } {
  const value = cells.value[row] as number | null;
  if (value === null)
    throw cellError('CELL_MISSING', cells, row, 'has no value', 'Every cell needs a value.');
  if (quantize !== undefined && Number.isFinite(value)) {
    const integer = roundHalfEven(value * quantize);
    if (Number.isSafeInteger(integer))
      return { integer: integer + 0, error: Math.abs(integer / quantize - value) };
  }
  if (quantize !== undefined || !Number.isSafeInteger(value))
    throw cellError(
      'CELL_NOT_INTEGER',
      cells,
      row,
      `is ${cells.written(row)}; an integer is expected`,
      'Give integers with --scale, or real points with --quantize SCALE.',
    );
  return { integer: value + 0, error: 0 };
}

function assertComplete(
  filled: Uint8Array,
  models: readonly string[],
  tasks: readonly string[],
  file: string,
): void {
  const missing: string[] = [];
  let count = 0;
  for (let at = 0; at < filled.length; at += 1) {
    if (filled[at]) continue;
    count += 1;
    if (missing.length < 5)
      missing.push(
        `model ${shown(models[Math.floor(at / tasks.length)])} task ${shown(tasks[at % tasks.length])}`,
      );
  }
  if (count === 0) return;
  throw new FlavourError(
    'CELL_MISSING',
    `${file}: ${count} of ${filled.length} cells are missing: ${missing.join('; ')}${count > missing.length ? '; ...' : ''}`,
    { hint: 'A matrix is complete: one value for every model and task.', where: { file } },
  );
}
