import type { Phase } from '../ledger/cell.js';
import type { RecordEntry } from '../ledger/event.js';
import { listInspections } from '../ledger/inspection.js';
import type { RecordFile } from '../ledger/layout.js';
import { type LedgerView, readRecordFile, viewLedger } from '../ledger/read.js';
import type { ResponseRecord } from '../ledger/record.js';
import { parseSelection } from '../responses/parser.js';
import { type FlavourError, failure } from '../util/error.js';
import type { TaskOutline } from './outline.js';

/** A record that stands for one cell, and which ledger it came from. */
export interface ChosenRecord {
  readonly entry: RecordEntry;
  readonly file: RecordFile;
  /** Number of the ledger in the order given. */
  readonly source: number;
  readonly completed: boolean;
  /** Parse outcome of the release parser, read anew from the answer; null for a failed cell. */
  readonly parse: string | null;
}

export interface LedgerSource {
  readonly view: LedgerView;
  readonly scores_inspected: number;
}

/** The record of a cell, by model and task. */
export type ChosenCells = ReadonlyMap<string, ReadonlyMap<string, ChosenRecord>>;

export function openSources(dirs: readonly string[]): LedgerSource[] {
  return dirs.map((dir) => {
    const view = viewLedger(dir);
    const stamps = new Set([...listInspections(dir), ...view.state.inspections]);
    return { view, scores_inspected: stamps.size };
  });
}

/** Models of the ledgers: in the order of their declared schedules, then by id. */
export function modelsOf(sources: readonly LedgerSource[], phase: Phase): string[] {
  const declared = sources.flatMap(({ view }) =>
    [...view.state.schedule.values()].filter((s) => s.phase === phase).map((s) => s.model_id),
  );
  const recorded = sources.flatMap(({ view }) =>
    [...view.state.cells.values()].flatMap(({ head }) => (head?.phase === phase ? [head.model_id] : [])),
  );
  return [...new Set([...declared, ...[...new Set(recorded)].sort()])];
}

/** Reads an answer's syntax; the selection itself is dropped here. */
function syntaxOf(record: ResponseRecord, choices: readonly string[]): string | null {
  if (record.status !== 'completed') return null;
  return parseSelection(record.generation?.answer, choices).outcome;
}

/**
 * Chooses one record a cell: the first in ledger order that is completed and parseable, else the first completed, else the first
 * (compiler d.1). Every record looked at is read from the disk, proved and parsed anew. Superseded, quarantined and other phases'
 * records are not looked at. An answer to another wording of a task gives way to one to the wording given; DIGEST_MISMATCH where
 * there is no such answer.
 */
export function chooseRecords(options: {
  readonly sources: readonly LedgerSource[];
  readonly models: readonly string[];
  readonly tasks: readonly TaskOutline[];
  readonly phase: Phase;
  /** Which of k samples. */
  readonly repeat: number;
}): ChosenCells {
  const { sources, models, tasks, phase, repeat } = options;
  const outline = new Map(tasks.map((task) => [task.id, task]));
  const chosen = new Map(models.map((model) => [model, new Map<string, ChosenRecord>()]));
  const strangers: { readonly model: string; readonly task: string; readonly path: string }[] = [];
  sources.forEach(({ view }, source) => {
    for (const { head: entry } of view.state.cells.values()) {
      if (entry?.phase !== phase || entry.repeat !== repeat) continue;
      const row = chosen.get(entry.model_id);
      const task = outline.get(entry.task_id);
      if (!row || !task) continue;
      const before = row.get(entry.task_id);
      if (before && rank(before) === 2) continue;
      const file = view.files.get(entry.record_sha256)!;
      const record = readRecordFile(file);
      if (task.promptSha256 !== null && record.key.prompt_sha256 !== task.promptSha256) {
        strangers.push({ model: entry.model_id, task: task.id, path: file.path });
        continue;
      }
      const completed = record.status === 'completed';
      const next = { entry, file, source, completed, parse: syntaxOf(record, task.choices) };
      if (!before || rank(next) > rank(before)) row.set(entry.task_id, next);
    }
  });
  const lost = strangers.find(({ model, task }) => !chosen.get(model)?.has(task));
  if (lost) throw otherPrompt(lost.path, lost.task);
  return chosen;
}

function otherPrompt(file: string, task: string): FlavourError {
  return failure(
    'DIGEST_MISMATCH',
    { file, path: 'key.prompt_sha256' },
    `the answer is to another prompt than the task files give for ${task}`,
    'Give the task files that the collection was planned on.',
    { exit: 4 },
  );
}

function rank({ completed, parse }: Pick<ChosenRecord, 'completed' | 'parse'>): number {
  return completed ? (parse === 'ok' ? 2 : 1) : 0;
}
