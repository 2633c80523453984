import { setDigest } from '../io/canonical.js';
import type { RecordFile } from '../ledger/layout.js';
import { readRecordFile } from '../ledger/read.js';
import type { PlacedAnswer } from '../responses/file.js';
import type { Task } from '../tasks/task.js';
import { fail } from '../util/error.js';
import { type AnswerMatrix, matrixFromAnswers } from './matrix-answers.js';
import type { ChosenCells } from './sources.js';

/** The chosen records of a list of tasks as answers, one a cell that has a record. */
export function* answersOf(chosen: ChosenCells, tasks: readonly Task[]): Generator<PlacedAnswer> {
  for (const [model, row] of chosen) {
    for (const { id, panel } of tasks) {
      const found = row.get(id);
      if (!found) continue;
      const { path } = found.file;
      const text = answerText(found.file);
      const failed = !found.completed;
      const answer = { model, task: id, panel, text, selection: null, failed, defect: null };
      yield { answer, file: path, line: 1, row: () => ({}) };
    }
  }
}

function answerText(file: RecordFile): string | null {
  return readRecordFile(file).generation?.answer ?? null;
}

/** The score matrix of a frozen core: models x core tasks, each cell looked up in the task's map. */
export function coreMatrix(options: {
  readonly chosen: ChosenCells;
  /** In core order. */
  readonly tasks: readonly Task[];
}): AnswerMatrix {
  const { chosen, tasks } = options;
  return matrixFromAnswers({
    tasks,
    answers: answersOf(chosen, tasks),
    roster: [...chosen.keys()],
  });
}

/**
 * Proves that the records at hand are those the core was frozen on: same response set per panel. Errors: VERIFY_FAILED (exit 4).
 */
export function assertSameRecords(options: {
  readonly chosen: ChosenCells;
  readonly stated: ReadonlyMap<string, string>;
}): void {
  const sets = new Map<string, string[]>();
  for (const row of options.chosen.values()) {
    for (const { entry } of row.values()) {
      const list = sets.get(entry.panel);
      if (list) list.push(entry.record_sha256);
      else sets.set(entry.panel, [entry.record_sha256]);
    }
  }
  for (const [panel, stated] of options.stated) {
    const found = setDigest(sets.get(panel) ?? []);
    if (found === stated) continue;
    fail(
      'VERIFY_FAILED',
      null,
      `${panel}: the plan was frozen on response set ${stated}, the ledgers now give ${found}`,
      'Records were added or replaced after the freeze: freeze again, or give the ledgers as they were.',
      { exit: 4 },
    );
  }
}
