import { type LedgerView, readRecordFile } from '../ledger/read.js';
import { taskChoices } from '../responses/answer.js';
import { parseAnswer } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';

export interface LiveScore {
  readonly model_id: string;
  readonly panel: string;
  readonly family: string;
  readonly answers: number;
  /** Mean over the answers so far, points. */
  readonly mean: number;
}

/**
 * Mean score of what a ledger holds so far, per model and stratum of the primary phase. Whoever calls this un-blinds the ledger
 * and must stamp it (`stampInspection`).
 */
export function liveScores(view: LedgerView, tasks: ReadonlyMap<string, Task>): readonly LiveScore[] {
  const sums = new Map<string, { answers: number; bps: number }>();
  for (const { head } of view.state.cells.values()) {
    const task = head && tasks.get(head.task_id);
    if (head?.phase !== 'primary' || head.status !== 'completed' || !task) continue;
    const { generation } = readRecordFile(view.files.get(head.record_sha256)!);
    const action = parseAnswer(generation?.answer ?? '', taskChoices(task));
    if (action < 0) continue;
    const name = JSON.stringify([head.model_id, head.panel, head.family]);
    const sum = sums.get(name) ?? { answers: 0, bps: 0 };
    sum.answers += 1;
    sum.bps += task.scores[action]!;
    sums.set(name, sum);
  }
  return [...sums.keys()].sort().map((name) => {
    const [model_id, panel, family] = JSON.parse(name) as [string, string, string];
    const { answers, bps } = sums.get(name)!;
    return { model_id, panel, family, answers, mean: bps / answers / 100 };
  });
}
