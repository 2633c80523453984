import { PARSER_V3, parseSelection } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';
import type { ResponseRecord } from './record.js';

/**
 * A check for `verifyLedger`: parses a record's answer again and compares with what the record says. The selection of a relabelled task
 * is checked only where its own task is at hand.
 */
export function parseCheck(tasks: ReadonlyMap<string, Task>): (record: ResponseRecord) => string | undefined {
  return ({ task_id, parse, generation, status }) => {
    const task = tasks.get(task_id);
    if (!task || status !== 'completed' || parse?.parser !== PARSER_V3) return undefined;
    const { outcome, key } = parseSelection(generation?.answer, task.choices);
    return outcome === parse.outcome && key === parse.selection
      ? undefined
      : `says ${parse.outcome} ${parse.selection ?? ''}, its answer parses to ${outcome} ${key ?? ''}`;
  };
}
