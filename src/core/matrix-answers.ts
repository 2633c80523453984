import { type AnswerPlace, answerReading, placed, whereOf } from '../responses/answer.js';
import type { PlacedAnswer } from '../responses/answer-rows.js';
import { type AnswerCode, NOT_TEXT, outcomeOf } from '../responses/outcome.js';
import { DEFAULT_PARSER, type SetParser } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { type BoundedMatrix, boundedMatrix, type GapReport, gapReport, type MissingRule } from './gaps.js';
import type { MissingCell, ScoreMatrix } from './matrix.js';
import { keptModels, type ModelChoice } from './model-choice.js';

/** Answers that are not cells of the matrix. */
export interface ExtraCells {
  /** Of a task outside the columns. */
  readonly tasks: number;
  /** Of a model outside the roster. */
  readonly models: number;
  /** Of another panel than the task's. */
  readonly panels: number;
}

export interface AnswerMatrix {
  /** Null while a cell is missing, unless the call says what becomes of it: a score over fewer tasks is another score. */
  readonly matrix: ScoreMatrix | null;
  readonly missing: readonly MissingCell[];
  /** Rows x columns. */
  readonly cells: number;
  readonly extra: ExtraCells;
  /** Parser of the answers. */
  readonly parser: SetParser;
  /** Answers of the matrix in which reasoning was passed over. */
  readonly reasoned: number;
  /** Models that a choice left out. */
  readonly leftOut: readonly string[];
  /** Tasks left out because some model has no answer to them. */
  readonly dropped: number;
  /** Which cells are there, where some are not. */
  readonly gaps?: GapReport;
  /** Under the rule `bounds`, where cells are missing. */
  readonly bounds?: BoundedMatrix;
}

/** Rows and columns of a matrix, and what becomes of cells that are missing. */
export interface MatrixShape extends ModelChoice {
  /** Columns in order. */
  readonly tasks: readonly Task[];
  /** Rows in order; absent: models by first appearance. */
  readonly roster?: readonly string[];
  /** What becomes of missing cells: no matrix unless given. */
  readonly rule?: MissingRule;
  /** Parser of the answers; v4 unless given. */
  readonly parser?: SetParser;
}

/** The answers of a model, by column. */
interface AnswerRow {
  readonly codes: Int32Array;
  /** 1: reasoning in it was passed over. */
  readonly reasoned: Uint8Array;
  /** Number of the file that an answer stands in, 1-based; 0: none was given. */
  readonly files: Uint32Array;
  /** Its line and its place in a list; 0: not stated. */
  readonly lines: Float64Array;
  readonly items: Float64Array;
}

/** A matrix that answers are entered into one by one. */
interface OpenAnswerMatrix {
  /** Column of a task; undefined, and counted, where it has none. */
  column(task: string): number | undefined;
  /**
   * Takes the cell of an answer, so that no other may; false, and counted, where it is no cell of the matrix.
   * Errors: SCHEMA_INVALID for an answer without a model, CELL_DUPLICATE.
   */
  take(model: string, column: number, panel: string, place: AnswerPlace): boolean;
  /** Says what the answer is of the cell that was taken last. */
  enter(code: AnswerCode, reasoned: boolean): void;
  /** Errors: SCHEMA_INVALID without columns or rows, CLUSTER_MISSING; those of `keptModels`. */
  result(): AnswerMatrix;
}

/** Opens a matrix without an answer. */
export function openAnswerMatrix(shape: MatrixShape): OpenAnswerMatrix {
  const { tasks, roster } = shape;
  const columns = new Map(tasks.map((task, t) => [task.id, t]));
  const rows = new Map<string, AnswerRow>();
  const open = (model: string) => {
    const row = {
      codes: new Int32Array(tasks.length),
      reasoned: new Uint8Array(tasks.length),
      files: new Uint32Array(tasks.length),
      lines: new Float64Array(tasks.length),
      items: new Float64Array(tasks.length),
    };
    rows.set(model, row);
    return row;
  };
  for (const model of roster ?? []) open(model);
  const extra = { tasks: 0, models: 0, panels: 0 };
  const files: string[] = [];
  let file = 0;
  let column = 0;
  let row: AnswerRow | undefined;
  return {
    column(task) {
      const t = columns.get(task);
      if (t === undefined) extra.tasks += 1;
      return t;
    },
    take(model, t, panel, place) {
      const task = tasks[t]!;
      if (panel !== '' && panel !== task.panel) {
        extra.panels += 1;
        return false;
      }
      if (model === '')
        fail(
          'SCHEMA_INVALID',
          whereOf(place),
          `the answer to task ${shown(task.id)} names no model`,
          'Give model_id (or model) in every row.',
        );
      row = rows.get(model) ?? (roster ? undefined : open(model));
      if (row === undefined) {
        extra.models += 1;
        return false;
      }
      if (row.files[t] !== 0) {
        const before = {
          file: files[row.files[t]! - 1]!,
          line: row.lines[t] || undefined,
          item: row.items[t] || undefined,
        };
        fail(
          'CELL_DUPLICATE',
          whereOf(place),
          `model ${shown(model)} answers task ${shown(task.id)} a second time, first in ${placed(before)}`,
          'Keep one answer a model and task.',
        );
      }
      if (files[file - 1] !== place.file) file = files.push(place.file);
      row.files[t] = file;
      row.lines[t] = place.line ?? 0;
      row.items[t] = place.item ?? 0;
      row.codes[t] = NOT_TEXT;
      column = t;
      return true;
    },
    enter(code, reasoned) {
      row!.codes[column] = code;
      row!.reasoned[column] = Number(reasoned);
    },
    result: () => filledMatrix(shape, rows, extra),
  };
}

/**
 * Makes the score matrix of a set of answers: each cell the basis points of the chosen portfolio, chance the rounded mean of the
 * task's map. Answers outside rows and columns are counted and passed over. A missing answer lies between 0 and 100 points (decisions 4.2).
 *
 * Errors: SCHEMA_INVALID (no column, no row, an answer without a model, no task that every model answers), CELL_DUPLICATE,
 * CLUSTER_MISSING; those of `keptModels`.
 */
export function matrixFromAnswers(options: MatrixShape & { readonly answers: Iterable<PlacedAnswer> }): AnswerMatrix {
  const { parser = DEFAULT_PARSER } = options;
  const matrix = openAnswerMatrix(options);
  for (const answered of options.answers) {
    const { answer } = answered;
    const t = matrix.column(answer.task);
    if (t === undefined || !matrix.take(answer.model, t, answer.panel, answered)) continue;
    const { code, reasoned } = answerReading(answer, options.tasks[t]!, parser);
    matrix.enter(code, reasoned);
  }
  return matrix.result();
}

function filledMatrix(options: MatrixShape, rows: ReadonlyMap<string, AnswerRow>, extra: ExtraCells): AnswerMatrix {
  const { tasks } = options;
  if (tasks.length === 0 || rows.size === 0)
    fail(
      'SCHEMA_INVALID',
      null,
      `no answer to any of the ${tasks.length} tasks was found; ${extra.tasks} answers name other tasks`,
      'Give answers to tasks of the task files.',
    );
  const all = [...rows.keys()];
  const kept = keptModels(all, options);
  const models = all.filter((_, m) => kept[m]);
  const missing: MissingCell[] = [];
  const values = new Float64Array(models.length * tasks.length);
  const absent = new Uint8Array(values.length);
  models.forEach((model, m) => {
    const { codes, files } = rows.get(model)!;
    for (let t = 0, at = m * tasks.length; t < tasks.length; t += 1, at += 1) {
      const task = tasks[t]!;
      const answered = files[t] !== 0;
      if (answered && codes[t]! >= 0) values[at] = task.scores[codes[t]!]!;
      else {
        absent[at] = 1;
        missing.push({ model, task: task.id, reason: answered ? outcomeOf(codes[t]!) : 'absent' });
      }
    }
  });
  return {
    missing,
    cells: values.length,
    extra,
    parser: options.parser ?? DEFAULT_PARSER,
    reasoned: models.reduce((sum, model) => sum + rows.get(model)!.reasoned.reduce((n, one) => n + one, 0), 0),
    leftOut: all.filter((_, m) => !kept[m]),
    ...settled({ models, tasks, values, absent }, options.rule ?? 'withhold'),
  };
}

interface AnsweredCells {
  readonly models: readonly string[];
  readonly tasks: readonly Task[];
  /** models x tasks. */
  readonly values: Float64Array;
  readonly absent: Uint8Array;
}

/** Makes the matrix of cells of which some may be missing. */
function settled(
  cells: AnsweredCells,
  rule: MissingRule,
): Pick<AnswerMatrix, 'matrix' | 'dropped' | 'gaps' | 'bounds'> {
  const { models, tasks, absent } = cells;
  const T = tasks.length;
  if (!absent.includes(1)) return { matrix: matrixOf(cells), dropped: 0 };
  const gaps = gapReport(
    models,
    tasks.map(({ id }) => id),
    absent,
  );
  if (rule === 'withhold') return { matrix: null, dropped: 0, gaps };
  if (rule === 'bounds') {
    const bounds = boundedMatrix(matrixOf(cells), absent, { range: [0, 100] });
    return { matrix: bounds.low, dropped: 0, gaps, bounds };
  }
  const columns = tasks.flatMap((_, t) => (models.some((__, m) => absent[m * T + t] === 1) ? [] : [t]));
  if (columns.length === 0)
    fail(
      'SCHEMA_INVALID',
      null,
      'there is no task that every model answers',
      'Leave models out with --without, or collect the missing answers.',
    );
  const matrix = matrixOf({
    ...cells,
    tasks: columns.map((t) => tasks[t]!),
    values: Float64Array.from(models.flatMap((_, m) => columns.map((t) => cells.values[m * T + t]!))),
  });
  return { matrix, dropped: T - columns.length, gaps };
}

function matrixOf({ models, tasks, values }: AnsweredCells): ScoreMatrix {
  return {
    models,
    tasks: tasks.map((task) => task.id),
    panels: tasks.map((task) => task.panel),
    families: tasks.map((task) => task.family),
    clusters: tasks.map(clusterOf),
    values,
    scale: 100,
    chance: Float64Array.from(tasks, (task) => task.chance),
  };
}

function clusterOf(task: Task): string {
  if (task.cluster !== '') return task.cluster;
  fail(
    'CLUSTER_MISSING',
    null,
    `task ${shown(task.id)} has no cluster`,
    'Give the task a cluster_id or an anchor_ingredient.',
  );
}
