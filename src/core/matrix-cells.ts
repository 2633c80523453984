import { fail, placeText, shown } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import { type Attempts, attemptCount } from './attempts.js';
import { type CellIndex, indexCells } from './cell-index.js';
import { type CellTable, cellName } from './cell-table.js';
import { type CoarseTasks, coarseTasks } from './coarse-tasks.js';
import {
  assertRange,
  type BoundedMatrix,
  boundedMatrix,
  type CellRange,
  coverageWords,
  type GapReport,
  gapHint,
  gapReport,
  type MissingRule,
} from './gaps.js';
import { incomplete, type MissingCell, NAMED, type ScoreMatrix } from './matrix.js';
import { choiceWords, type ModelChoice } from './model-choice.js';
import { decimalScale, MOST_SCALE } from './scale.js';
import { type TaskChoice, taskChoiceWords } from './task-choice.js';

export interface MatrixOptions extends ModelChoice, TaskChoice, CellRange {
  /** Integer units in one point: the values are such units. Unless given they are points, and the scale is found (reading 1.13). */
  readonly scale?: number;
  /** Read values as points and round them half to even to 1 / quantize. */
  readonly quantize?: number;
  /** What becomes of missing cells: an error unless given. */
  readonly missing?: MissingRule;
  /** Take the first attempts at each cell, so many. */
  readonly attempts?: number;
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

/** What the values of a matrix are, in points of a single attempt. */
export interface ValueRange {
  readonly least: number;
  readonly greatest: number;
  /** Whether all are 0 or 1. */
  readonly binary: boolean;
  /** Integer units in one point. */
  readonly scale: number;
}

export interface MatrixRead {
  /** Under the rule `bounds`, the one in which missing cells hold the least value. */
  readonly matrix: ScoreMatrix;
  readonly quantization?: Quantization;
  /** Tasks that the scale found for all blurs, where there are such. */
  readonly coarse?: CoarseTasks;
  /** Tasks left out because some model has no value for them. */
  readonly dropped: number;
  /** What about the values looks wrong, and which rows the call left out. */
  readonly warnings: readonly string[];
  /** Models that the call left out. */
  readonly leftOut?: readonly string[];
  /** Which cells are there, where some are not. */
  readonly gaps?: GapReport;
  /** Under the rule `bounds`, where cells are missing. */
  readonly bounds?: BoundedMatrix;
  /** Where cells are sums over several attempts. */
  readonly attempts?: Attempts;
  /** Absent where the cells are those of answers. */
  readonly valueRange?: ValueRange;
}

/**
 * Makes a matrix (models x tasks) from its cells; models and tasks in order of first appearance. A cell is the sum of its attempts, with
 * as many times the scale (decisions 4.1). Every error names the cell: INCOMPLETE (exit 3), ATTEMPTS_UNEQUAL (exit 3), CELL_DUPLICATE,
 * CELL_NOT_INTEGER, CLUSTER_MISSING, SCHEMA_INVALID (a task described in two ways), BOUND_EXCEEDED; those of `keptModels`,
 * `keptTasks` and `boundedMatrix`.
 */
export function matrixFromCells(cells: CellTable, options: MatrixOptions = {}): MatrixRead {
  const stated = options.quantize ?? options.scale;
  if (stated !== undefined) assertScale(stated);
  const index = indexCells(cells, options);
  const { models, leftOut, tasksOut, starts } = index;
  const count = attemptCount(cells, index, {
    asked: options.attempts,
    rule: options.missing,
    withheld: options.withheld,
  });
  const named = namedTasks(index);
  const T = index.tasks.length;
  const lacks = (m: number, t: number) => starts[m * T + t + 1]! - starts[m * T + t]! < count;
  const missing = isFull(index, count) ? [] : missingCells(cells, index, named, count);
  const { missing: rule = 'withhold' } = options;
  const gaps = missing.length > 0 ? gapsOf(index, named, lacks) : undefined;
  if (gaps !== undefined && rule === 'withhold') {
    options.withheld?.(missing);
    throw incomplete(missing, models.length * named.length, {
      file: cells.file,
      hint: gapHint(gaps),
      coverage: coverageWords(gaps),
    });
  }
  const kept = gaps !== undefined && rule === 'common-tasks' ? commonTasks(named, models.length, lacks) : named;
  if (kept.length === 0)
    fail(
      'SCHEMA_INVALID',
      { file: cells.file },
      'there is no task that every model has',
      gaps?.suggestion
        ? `Without ${gaps.suggestion.without.join(', ')} there are ${gaps.suggestion.tasks}.`
        : 'Give scores of the same tasks for every model.',
    );
  const units = unitsOf(cells, index, { ...options, count });
  const unit = units.scale;
  const scale = unit * count;
  if (scale > MOST_SCALE)
    fail(
      'BOUND_EXCEEDED',
      { file: cells.file },
      `${count} attempts of scale ${unit} make a scale past 10^9`,
      'Use a smaller scale.',
    );
  const filled = filledCells(cells, index, { kept, count, units });
  const facts = (key: 'name' | 'panel' | 'family' | 'cluster') => kept.map((t) => index.tasks[t]![key]);
  const matrix: ScoreMatrix = {
    models,
    tasks: facts('name'),
    panels: facts('panel'),
    families: facts('family'),
    clusters: facts('cluster'),
    values: filled.values,
    scale,
  };
  const bounds =
    gaps !== undefined && rule === 'bounds'
      ? boundedMatrix(matrix, filled.absent, { range: options.range, single: filled.single, attempts: count })
      : undefined;
  if (options.range !== undefined && bounds === undefined) assertRange(matrix, filled.absent, options.range);
  const coarse = units.kind === 'rounded' && stated === undefined ? coarseTasks(cells, index, unit) : undefined;
  if (coarse?.erased)
    fail(
      'BOUND_EXCEEDED',
      { file: cells.file },
      `values differ by less than is held, ${1 / MOST_SCALE} points: rounded, all of a task are the same`,
      'Write them in a smaller unit: a thousand or a million times as large.',
    );
  return {
    matrix: bounds?.low ?? matrix,
    dropped: named.length - kept.length,
    warnings: [...choiceWords(leftOut, models.length), ...taskChoiceWords(tasksOut, index.tasks.length)],
    leftOut,
    ...(units.kind === 'rounded' ? { quantization: { scale: unit, largestError: filled.largestError } } : {}),
    valueRange: filled.range,
    ...(coarse === undefined ? {} : { coarse }),
    ...(gaps === undefined ? {} : { gaps }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(filled.single === undefined ? {} : { attempts: { count, values: filled.single, scale: unit } }),
  };
}

/** How a value becomes an integer: `whole` values are units as they stand, `found` ones exact multiples of 1 / scale, others are rounded to it. */
interface Units {
  readonly kind: 'whole' | 'found' | 'rounded';
  readonly scale: number;
}

function unitsOf(
  { value }: CellTable,
  { rows }: CellIndex,
  { scale, quantize, count }: { readonly scale?: number; readonly quantize?: number; readonly count: number },
): Units {
  if (quantize !== undefined) return { kind: 'rounded', scale: quantize };
  if (scale !== undefined) return { kind: 'whole', scale };
  const there = new Float64Array(rows.length);
  for (let i = 0; i < there.length; i += 1) there[i] = value[rows[i]!]!;
  const found = decimalScale(there, count);
  return { kind: found.exact ? 'found' : 'rounded', scale: found.scale };
}

/** The tasks of the kept models: where some model was left out, only tasks that another has a value for. */
function namedTasks({ models, leftOut, tasks, starts }: CellIndex): number[] {
  const all = tasks.map((_, t) => t);
  if (leftOut.length === 0) return all;
  const has = (m: number, t: number) => starts[m * tasks.length + t + 1]! > starts[m * tasks.length + t]!;
  return all.filter((t) => models.some((_, m) => has(m, t)));
}

const commonTasks = (named: readonly number[], models: number, lacks: (m: number, t: number) => boolean) =>
  named.filter((t) => {
    for (let m = 0; m < models; m += 1) if (lacks(m, t)) return false;
    return true;
  });

function gapsOf({ models, tasks }: CellIndex, named: readonly number[], lacks: (m: number, t: number) => boolean) {
  const absent = new Uint8Array(models.length * named.length);
  models.forEach((_, m) => {
    named.forEach((t, at) => {
      if (lacks(m, t)) absent[m * named.length + at] = 1;
    });
  });
  return gapReport(
    models,
    named.map((t) => tasks[t]!.name),
    absent,
  );
}

/** Tells whether every cell has as many values as all need. */
function isFull({ starts }: CellIndex, count: number): boolean {
  for (let cell = 0; cell + 1 < starts.length; cell += 1) if (starts[cell + 1]! - starts[cell]! < count) return false;
  return true;
}

function missingCells(cells: CellTable, index: CellIndex, named: readonly number[], count: number): MissingCell[] {
  const { models, tasks, firstRow, starts } = index;
  const missing: MissingCell[] = [];
  models.forEach((model, m) => {
    for (const t of named) {
      const cell = m * tasks.length + t;
      const n = starts[cell + 1]! - starts[cell]!;
      if (n >= count) continue;
      const row = firstRow[cell]!;
      missing.push({
        model,
        task: tasks[t]!.name,
        reason: n > 0 ? `${n} of ${count} attempts` : row > 0 ? 'empty' : 'absent',
        ...(row > 0 && missing.length < NAMED ? { place: placeText(cells.place(row - 1)) } : {}),
      });
    }
  });
  return missing;
}

interface FillOptions {
  /** Tasks, by number in the index. */
  readonly kept: readonly number[];
  readonly count: number;
  readonly units: Units;
}

/** Sums the first attempts of each cell; a cell with fewer is absent. */
function filledCells(cells: CellTable, index: CellIndex, { kept, count, units }: FillOptions) {
  const { models, tasks, starts, rows } = index;
  const [M, K, T] = [models.length, kept.length, tasks.length];
  const values = new Float64Array(M * K);
  const absent = new Uint8Array(values.length);
  const single = count > 1 ? new Float64Array(values.length * count) : undefined;
  const { value } = cells;
  const rounded = units.kind === 'rounded';
  let largestError = 0;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  let binary = true;
  for (let at = 0; at < values.length; at += 1) {
    const cell = Math.floor(at / K) * T + kept[at % K]!;
    const start = starts[cell]!;
    if (starts[cell + 1]! - start < count) {
      absent[at] = 1;
      continue;
    }
    let total = 0;
    for (let i = 0; i < count; i += 1) {
      const row = rows[start + i]!;
      const integer = cellInteger(cells, row, units);
      if (rounded) largestError = Math.max(largestError, Math.abs(integer / units.scale - value[row]!));
      if (integer < least) least = integer;
      if (integer > greatest) greatest = integer;
      if (integer !== 0 && integer !== units.scale) binary = false;
      total += integer;
      if (!Number.isSafeInteger(total))
        fail(
          'BOUND_EXCEEDED',
          cells.place(row),
          `${cellName(cells, row)} has a total over attempts that passes 2^53`,
          'Use a smaller scale.',
        );
      if (single !== undefined) single[at * count + i] = integer;
    }
    values[at] = total;
  }
  if (least > greatest) [least, greatest] = [0, 0];
  const range = { least: least / units.scale, greatest: greatest / units.scale, binary, scale: units.scale };
  return { values, absent, single, largestError, range };
}

/** Errors: USAGE for a scale that is none. */
function assertScale(scale: number): void {
  if (Number.isSafeInteger(scale) && scale >= 1 && scale <= MOST_SCALE) return;
  fail(
    'USAGE',
    null,
    `the scale is ${shown(scale)}`,
    'A scale is a whole number of units in one point, from 1 to 10^9.',
  );
}

/** The value of a row as an integer, never minus zero. Errors: CELL_NOT_INTEGER. */
function cellInteger(cells: CellTable, row: number, { kind, scale }: Units): number {
  const value = cells.value[row]!;
  const integer =
    kind === 'whole' ? value : kind === 'found' ? Math.round(value * scale) : roundHalfEven(value * scale);
  if (Number.isSafeInteger(integer)) return integer + 0;
  return fail(
    'CELL_NOT_INTEGER',
    cells.place(row),
    `${cellName(cells, row)} is ${cells.written(row)}; ${kind === 'whole' && Number.isFinite(value) && !Number.isInteger(value) ? `a whole number of units is expected, of which ${scale} are one point` : 'a number below 2^53 units is expected'}`,
    kind === 'whole'
      ? 'Values are taken as units where the call (--scale) or the file states a scale. Leave --scale out where they are points, or round them with --quantize SCALE.'
      : 'Give numbers; leave a missing value empty.',
  );
}
