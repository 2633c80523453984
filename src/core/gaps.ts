import { fail, shown } from '../util/error.js';
import { counted, thousands } from '../util/format.js';
import type { ScoreMatrix } from './matrix.js';
import { fullestRoster, type PresentCells } from './roster-search.js';

/** What becomes of a matrix in which cells are missing (decisions 4.2). */
export const MISSING_RULES = ['withhold', 'common-tasks', 'bounds'] as const;
export type MissingRule = (typeof MISSING_RULES)[number];

/** Rows of a table that are complete over more cells than all rows are. */
interface SuggestedRoster {
  readonly models: readonly string[];
  readonly without: readonly string[];
  /** Tasks that all of them have. */
  readonly tasks: number;
  readonly cells: number;
  /** False where there are too many rosters to compare them all. */
  readonly exact: boolean;
}

/** Which cells of a table are there, by model and by task, as documents state it (decisions 4.2). */
export interface GapReport {
  /** Models x tasks. */
  readonly cells: number;
  readonly missing: number;
  /** In matrix order: tasks that each has a value for. */
  readonly models: readonly { readonly model: string; readonly tasks: number }[];
  /** Tasks that some model lacks: models that have a value for them. */
  readonly tasks: readonly { readonly task: string; readonly models: number }[];
  /** Tasks that every model has. */
  readonly common_tasks: number;
  /** Models that cost more cells than they bring: those that the suggested roster is without. */
  readonly thin: readonly string[];
  /** Null where all models together keep most cells. */
  readonly suggestion: SuggestedRoster | null;
}

/** Counts what is missing, and finds the roster that keeps most cells. The order of the models decides nothing but the order of lists. */
export function gapReport(models: readonly string[], tasks: readonly string[], absent: Uint8Array): GapReport {
  const M = models.length;
  const T = tasks.length;
  const byModel = models.map((model, m) => ({ model, tasks: T - sum(absent.subarray(m * T, (m + 1) * T)) }));
  const byTask = tasks.map((task, t) => {
    let present = 0;
    for (let m = 0; m < M; m += 1) present += 1 - absent[m * T + t]!;
    return { task, models: present };
  });
  const common = byTask.filter(({ models: present }) => present === M).length;
  const suggestion = suggested(models, { models: M, tasks: T, absent }, M * common);
  return {
    cells: absent.length,
    missing: sum(absent),
    models: byModel,
    tasks: byTask.filter(({ models: present }) => present < M),
    common_tasks: common,
    thin: suggestion?.without ?? [],
    suggestion,
  };
}

const sum = (bits: Uint8Array) => bits.reduce((total, bit) => total + bit, 0);

function suggested(models: readonly string[], cells: PresentCells, kept: number): SuggestedRoster | null {
  const T = cells.tasks;
  const order = models.map((_, m) => m).sort((a, b) => (models[a]! < models[b]! ? -1 : 1));
  const absent = new Uint8Array(cells.absent.length);
  order.forEach((m, at) => {
    absent.set(cells.absent.subarray(m * T, (m + 1) * T), at * T);
  });
  const found = fullestRoster({ ...cells, absent });
  if (found === null || found.rows.length * found.tasks <= kept) return null;
  const rows = new Set(found.rows.map((at) => order[at]!));
  return {
    models: models.filter((_, m) => rows.has(m)),
    without: models.filter((_, m) => !rows.has(m)),
    tasks: found.tasks,
    cells: rows.size * found.tasks,
    exact: found.exact,
  };
}

/** Names at most six models. */
const listed = (names: readonly string[]) =>
  `${names
    .slice(0, 6)
    .map((name) => shown(name))
    .join(', ')}${names.length > 6 ? ` and ${names.length - 6} more` : ''}`;

/** Says which cells are there, and which roster would keep most of them, in sentences. */
export function gapWords(report: GapReport): string {
  const { cells, missing, models, common_tasks: common, suggestion } = report;
  const all = cells / models.length;
  const fewest = models
    .toSorted((a, b) => a.tasks - b.tasks || (a.model < b.model ? -1 : 1))
    .filter(({ tasks }) => tasks < all);
  const thin = fewest.slice(0, 3).map(({ model, tasks }) => `${shown(model)} has ${thousands(tasks)}`);
  const said = [
    `${thousands(cells - missing)} of ${counted(cells, 'cell')} are there; every model has ${thousands(common)} of ${counted(all, 'task')}.`,
    ...(thin.length > 0 ? [`Fewest: ${thin.join(', ')}.`] : []),
  ];
  if (suggestion !== null)
    said.push(
      `Without ${listed(suggestion.without)} the other ${counted(suggestion.models.length, 'model')} share ${counted(suggestion.tasks, 'task')}: ${suggestion.exact ? 'no other roster keeps more cells' : 'the most cells of the rosters that were compared'}.`,
    );
  return said.join(' ');
}

/** Says how many cells the thinnest models and tasks have, as a list. */
export function coverageWords({ cells, models, tasks }: GapReport): string {
  const T = cells / models.length;
  const thinnest = <R>(rows: readonly R[], have: (row: R) => number, name: (row: R) => string, of: number) => {
    const thin = rows
      .filter((row) => have(row) < of)
      .toSorted((a, b) => have(a) - have(b) || (name(a) < name(b) ? -1 : 1));
    const said = thin.slice(0, COVERED).map((row) => `${shown(name(row))} ${thousands(have(row))}`);
    return `${said.join(', ')}${thin.length > COVERED ? ` and ${thin.length - COVERED} more` : ''}`;
  };
  const byModel = thinnest(
    models,
    (row) => row.tasks,
    (row) => row.model,
    T,
  );
  const byTask = thinnest(
    tasks,
    (row) => row.models,
    (row) => row.task,
    models.length,
  );
  return `models with fewer than ${counted(T, 'task')}: ${byModel}; tasks with fewer than ${counted(models.length, 'model')}: ${byTask}`;
}

/** Models, and tasks, that a list of coverage names. */
const COVERED = 5;

/** Says what a call can do about missing cells. */
export function gapHint(report: GapReport): string {
  const { suggestion, common_tasks: common } = report;
  const joined = suggestion?.without.join(',') ?? '';
  const without =
    suggestion === null
      ? ''
      : suggestion.without.some((name) => name.includes(',')) || suggestion.without.length > 6
        ? ' --without FILE leaves out the models that a file names.'
        : ` --without ${shown(joined)} --missing common-tasks keeps that.`;
  const kept = common === 0 ? '' : ` --missing common-tasks keeps ${counted(common, 'task')};`;
  return `${gapWords(report)}${without}${kept} --missing bounds says what holds whatever the missing values are.`;
}

/** A matrix in which cells are missing, between the two that any values would lie between (decisions 4.2). */
export interface BoundedMatrix {
  /** Missing cells hold the least value that a cell can have. */
  readonly low: ScoreMatrix;
  /** Missing cells hold the greatest. */
  readonly high: ScoreMatrix;
  /** models x tasks: 1 where the value is missing. */
  readonly absent: Uint8Array;
}

export interface CellRange {
  /** Least and greatest value of a cell, points; found for 0 and 1, else it must be given. */
  readonly range?: readonly [low: number, high: number];
}

/**
 * Fills the missing cells of a matrix with the least and the greatest value that a cell can have; `single` holds the values of single
 * attempts, where cells are sums over `attempts` of them. Errors: USAGE where the range is not known, SCHEMA_INVALID for a value outside.
 */
export function boundedMatrix(
  matrix: ScoreMatrix,
  absent: Uint8Array,
  { range, single, attempts = 1 }: CellRange & { readonly single?: Float64Array; readonly attempts?: number },
): BoundedMatrix {
  const unit = matrix.scale / attempts;
  const [least, greatest] = rangeUnits(matrix.scale, range ?? knownRange(single ?? matrix.values, absent, unit));
  assertWithin(matrix, absent, [least, greatest]);
  const filled = (end: number): ScoreMatrix => ({
    ...matrix,
    values: matrix.values.map((value, at) => (absent[at] === 1 ? end : value)),
  });
  return { low: filled(least), high: filled(greatest), absent };
}

/** A range of points as units of a matrix. Errors: USAGE. */
function rangeUnits(scale: number, range: readonly [number, number]): readonly [number, number] {
  const [least, greatest] = range.map((end) => {
    const integer = Math.round(end * scale);
    if (Number.isSafeInteger(integer)) return integer;
    return fail(
      'USAGE',
      null,
      `--range ${end} is not a number that cells can have`,
      'Give --range LOW,HIGH in points.',
    );
  }) as [number, number];
  if (least >= greatest)
    fail('USAGE', null, `--range from ${range.join(' to ')} holds no value`, 'Give the least value first.');
  return [least, greatest];
}

/** Holds a range that the call states against the values that are there (decisions 4.2). Errors: USAGE, SCHEMA_INVALID for a value outside. */
export function assertRange(matrix: ScoreMatrix, absent: Uint8Array, range: readonly [number, number]): void {
  assertWithin(matrix, absent, rangeUnits(matrix.scale, range));
}

function assertWithin(
  { models, tasks, values, scale }: ScoreMatrix,
  absent: Uint8Array,
  [least, greatest]: readonly [number, number],
): void {
  const there = values.filter((_, at) => absent[at] === 0);
  const [low, high] = [there.reduce((a, b) => Math.min(a, b), least), there.reduce((a, b) => Math.max(a, b), greatest)];
  if (low === least && high === greatest) return;
  const at = values.findIndex((value, i) => absent[i] === 0 && (value < least || value > greatest));
  fail(
    'SCHEMA_INVALID',
    null,
    `model ${shown(models[Math.floor(at / tasks.length)])}, task ${shown(tasks[at % tasks.length])}: ${values[at]! / scale} points lie outside --range ${least / scale},${greatest / scale}`,
    `The range is that of all values a cell can have: --range ${low / scale},${high / scale} holds those that are there.`,
  );
}

/** The range of data that are 0 or 1 everywhere. Errors: USAGE for others. */
function knownRange(values: Float64Array, absent: Uint8Array, unit: number): readonly [number, number] {
  const each = values.length / absent.length;
  const other = values.find((value, at) => absent[Math.floor(at / each)] === 0 && value !== 0 && value !== unit);
  if (other === undefined) return [0, 1];
  return fail(
    'USAGE',
    null,
    `--missing bounds: which values a cell can have is not known; one of them is ${other / unit} points`,
    'Give the least and the greatest value, in points: --range LOW,HIGH.',
  );
}
