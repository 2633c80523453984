import { type MatrixOptions, type MatrixRead, matrixFromCells } from '../core/matrix-cells.js';
import { FlavourError, shown } from '../util/error.js';

/** One scored sample of an evaluation log. */
export interface LogCell {
  readonly model: string;
  /** The evaluation the sample belongs to: a stratum of the audit. */
  readonly family: string;
  /** The sample. Repeats of one sample are cells of one cluster. */
  readonly sample: string;
  /** 1 for the first answer to a sample, 2 for its first repeat, ... */
  readonly repeat: number;
  readonly value: number | null;
  /** What identifies the sample's content, where the log says it: runs that differ in it do not join. */
  readonly content?: string;
  readonly file: string;
  readonly line?: number;
}

export interface LogOptions extends MatrixOptions {
  /** Keep the samples that every model has and drop the others; without it a missing cell is an error. */
  readonly commonTasks?: boolean;
}

export interface LogMatrix extends MatrixRead {
  /** Samples left out because some model lacks them. */
  readonly dropped: number;
}

const taskOf = (cell: LogCell): string =>
  `${cell.family}/${cell.sample}${cell.repeat > 1 ? `#${cell.repeat}` : ''}`;

/**
 * The matrix of evaluation logs: a task is a sample (and its repeat), its family the evaluation, its cluster the sample.
 * Errors: SCHEMA_INVALID where two runs hold different content under one sample id, and those of `matrixFromCells`.
 */
export function matrixFromLogs(cells: readonly LogCell[], options: LogOptions = {}): LogMatrix {
  assertJoinable(cells);
  const models = new Set(cells.map(({ model }) => model));
  const holders = new Map<string, Set<string>>();
  for (const cell of cells) {
    const task = taskOf(cell);
    const known = holders.get(task);
    if (known) known.add(cell.model);
    else holders.set(task, new Set([cell.model]));
  }
  const complete = (cell: LogCell) => holders.get(taskOf(cell))?.size === models.size;
  const kept = options.commonTasks ? cells.filter(complete) : cells;
  const incompleteTasks = [...holders.values()].filter(({ size }) => size < models.size).length;
  const file = cells[0]?.file ?? 'the logs';
  if (kept.length === 0)
    throw new FlavourError('SCHEMA_INVALID', `${file}: no sample that every model has`, {
      hint: 'Give logs of the same evaluation for every model.',
      where: { file },
    });
  const read = matrixFromCells(
    {
      file,
      model: kept.map(({ model }) => model),
      task: kept.map(taskOf),
      panel: kept.map(() => 'all'),
      family: kept.map(({ family }) => family),
      cluster: kept.map(({ family, sample }) => `${family}/${sample}`),
      value: kept.map(({ value }) => value),
      written: (row) => shown(kept[row]?.value),
    },
    { ...options, scale: options.scale ?? 1 },
  );
  return { ...read, dropped: options.commonTasks ? incompleteTasks : 0 };
}

/** A sample id means the same sample in every run, where the logs let us see it. */
function assertJoinable(cells: readonly LogCell[]): void {
  const contents = new Map<string, LogCell>();
  for (const cell of cells) {
    if (cell.content === undefined) continue;
    const task = taskOf(cell);
    const before = contents.get(task);
    if (before === undefined) contents.set(task, cell);
    else if (before.content !== cell.content)
      throw new FlavourError(
        'SCHEMA_INVALID',
        `sample ${shown(task)} has other content in ${cell.file} than in ${before.file}`,
        {
          hint: 'These runs saw different samples under one id; they cannot be compared pairwise.',
        },
      );
  }
}

/** Numbers the answers to each (model, sample) of one log in order: 1, 2, ... */
export function repeatCounter(): (model: string, sample: string) => number {
  const seen = new Map<string, number>();
  return (model, sample) => {
    const key = JSON.stringify([model, sample]);
    const next = (seen.get(key) ?? 0) + 1;
    seen.set(key, next);
    return next;
  };
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number, a truth value, or undefined for anything else. */
export function scoreOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
