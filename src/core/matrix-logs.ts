import type { LogCell } from '../logs/cell.js';
import type { LogOffer } from '../logs/read-logs.js';
import { fail, shown } from '../util/error.js';
import { joinedNames } from '../util/joined.js';
import { nameColumn } from './cell-table.js';
import { type MatrixOptions, type MatrixRead, matrixFromCells } from './matrix-cells.js';

/** What the scores of an evaluation are. */
export interface ScoreReading {
  readonly family: string;
  readonly metric: string;
  readonly filter: string | null;
}

export interface LogMatrix extends MatrixRead {
  /** One an evaluation, by first appearance. */
  readonly readings: readonly ScoreReading[];
  /** What could have been taken instead, of evaluations for which there is any. */
  readonly offers?: readonly LogOffer[];
}

/**
 * Makes the matrix of evaluation logs: a task is a sample and a cluster of its own, its family the evaluation; the repeats of a sample are
 * attempts at its cell (decisions 4.1). Errors: SCHEMA_INVALID where two runs hold different content under one sample id or are scored by different metrics, and
 * those of `matrixFromCells`.
 */
export function matrixFromLogs(
  cells: readonly LogCell[],
  options: MatrixOptions = {},
  offers: readonly LogOffer[] = [],
): LogMatrix {
  const readings = readingsOf(cells);
  const tasks = joinedNames(
    cells.map(({ family, sample }) => [family, sample]),
    '/',
  );
  const clusters = joinedNames(
    cells.map(({ family, sample, cluster = sample }) => [family, cluster]),
    '/',
  );
  assertJoinable(cells, tasks);
  const read = matrixFromCells(
    {
      file: cells[0]?.place.file ?? 'the logs',
      model: nameColumn(cells.map(({ model }) => model)),
      task: nameColumn(tasks),
      family: nameColumn(cells.map(({ family }) => family)),
      cluster: nameColumn(clusters),
      ...(cells.some(({ repeat }) => repeat > 1)
        ? { attempt: nameColumn(cells.map(({ repeat }) => String(repeat))) }
        : {}),
      value: Float64Array.from(cells, ({ value }) => value ?? Number.NaN),
      written: (row) => shown(cells[row]?.value),
      repeated: (first, second) =>
        cells[first]!.place.file === cells[second]!.place.file
          ? 'The log holds a sample twice: leave one out.'
          : `Nothing says which of two runs of a model it is: ${leaveOut(cells[first]!.place.file, cells[second]!.place.file)}, or give each run a name of its own (for lm-evaluation-harness a folder).`,
      place: (row) => cells[row]!.place,
    },
    options,
  );
  const others = othersOf(readings, offers);
  return { ...read, readings, ...(others.length > 0 ? { offers: others } : {}) };
}

/** What to leave out of two files: the folders that they lie in, where these differ and the files are called the same. */
function leaveOut(one: string, other: string): string {
  const [a, b] = [one, other].map((path) => path.split('/'));
  const folders = [a!, b!].map((parts) => parts.slice(0, -1).join('/'));
  return a!.at(-1) === b!.at(-1) && folders.every((folder) => folder !== '')
    ? `leave out ${folders[0]} or ${folders[1]}`
    : 'leave one file out';
}

/** Errors: SCHEMA_INVALID where an evaluation is read by one metric or filter in one log and by another elsewhere. */
function readingsOf(cells: readonly LogCell[]): ScoreReading[] {
  const first = new Map<string, LogCell>();
  for (const cell of cells) {
    const before = first.get(cell.family);
    if (before === undefined) first.set(cell.family, cell);
    else if (before.metric !== cell.metric || before.filter !== cell.filter)
      fail(
        'SCHEMA_INVALID',
        cell.place,
        `${shown(cell.family)} is scored by ${readingText(cell)} here, by ${readingText(before)} in ${before.place.file}`,
        'Name what to take from every log with --metric and --filter.',
      );
  }
  return [...first.values()].map(({ family, metric, filter }) => ({ family, metric, filter }));
}

/** Metrics or filters that are named beside the one that was taken. */
const MOST_OFFERED = 12;

/** What each evaluation holds beside what was taken, at most twelve of a kind. */
function othersOf(readings: readonly ScoreReading[], offers: readonly LogOffer[]): LogOffer[] {
  return readings.flatMap(({ family, metric, filter }) => {
    const offer = offers.find((one) => one.family === family);
    const metrics = (offer?.metrics ?? []).filter((name) => name !== metric).slice(0, MOST_OFFERED);
    const filters = (offer?.filters ?? []).filter((name) => name !== filter).slice(0, MOST_OFFERED);
    return metrics.length + filters.length > 0 ? [{ family, metrics, filters }] : [];
  });
}

function readingText({ metric, filter }: Pick<ScoreReading, 'metric' | 'filter'>): string {
  return filter === null ? shown(metric) : `${shown(metric)} (filter ${shown(filter)})`;
}

/** Says what the scores are, in one sentence; evaluations read alike are named together. */
export function readingWords(readings: readonly ScoreReading[], offers: readonly LogOffer[] = []): string {
  const alike = new Map<string, string[]>();
  for (const reading of readings) {
    const text = readingText(reading);
    alike.set(text, [...(alike.get(text) ?? []), reading.family]);
  }
  const parts = [...alike].map(([text, families]) => {
    if (alike.size === 1) return text;
    return `${text} in ${families.length > 3 ? `${families.length} evaluations` : families.join(', ')}`;
  });
  return `Scores are ${parts.join('; ')}.${offerWords(offers)}`;
}

function offerWords(offers: readonly LogOffer[]): string {
  const of = (key: 'metrics' | 'filters') => {
    const names = [...new Set(offers.flatMap((offer) => offer[key]))];
    return `${names.slice(0, 6).map(shown).join(', ')}${names.length > 6 ? ', ...' : ''}`;
  };
  const said = [
    ...(of('metrics') === '' ? [] : [`--metric: ${of('metrics')}`]),
    ...(of('filters') === '' ? [] : [`--filter: ${of('filters')}`]),
  ];
  return said.length === 0 ? '' : ` The logs also hold, for ${said.join('; for ')}.`;
}

/** A sample id means the same sample in every run, where the logs let us see it. */
function assertJoinable(cells: readonly LogCell[], tasks: readonly string[]): void {
  const contents = new Map<string, LogCell>();
  for (const [row, cell] of cells.entries()) {
    if (cell.content === undefined) continue;
    const task = tasks[row]!;
    const before = contents.get(task);
    if (before === undefined) contents.set(task, cell);
    else if (before.content !== cell.content)
      fail(
        'SCHEMA_INVALID',
        cell.place,
        `sample ${shown(task)} has other content here than in ${before.place.file}`,
        'These runs saw different samples under one id; they cannot be compared pairwise.',
      );
  }
}
