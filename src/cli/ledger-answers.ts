import { assertComparable } from '../core/comparable.js';
import { answersOf, chooseRecords, frozenIfOurs, modelsOf, openSources } from '../core/ledger-records.js';
import { outlines } from '../core/task-outline.js';
import type { PlacedAnswer } from '../responses/answer-rows.js';
import type { SetParser } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';
import type { TaskFiles } from '../tasks/taskset.js';

/**
 * Takes the records that stand for the cells of some tasks as answers: of the models named, else of those that the core plan ranks, else of all; of its
 * protocol, where it states one. Errors: PROTOCOL_MIXED.
 */
export function ledgerAnswers(options: {
  readonly dirs: readonly string[];
  readonly plan: string | undefined;
  readonly files: TaskFiles;
  readonly columns: readonly Task[];
  readonly models: readonly string[] | undefined;
  readonly parser: SetParser;
}): PlacedAnswer[] {
  const { dirs, plan, files, columns, parser } = options;
  const frozen = plan === undefined ? null : frozenIfOurs(plan);
  const sources = openSources(dirs);
  const chosen = chooseRecords({
    sources,
    models: options.models ?? frozen?.models ?? modelsOf(sources, 'primary'),
    tasks: [...outlines(files).values()].flat(),
    phase: 'primary',
    repeat: 0,
    parser,
    ...(frozen ? { keep: frozen.keep } : {}),
  });
  assertComparable(chosen);
  return [...answersOf(chosen, columns)];
}
