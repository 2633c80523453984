import type { CellState } from '../ledger/journal-state.js';
import type { ResponseRecord } from '../ledger/record.js';
import { PORTFOLIO_INDEX } from '../tasks/task.js';
import { joinedKey } from '../util/joined.js';
import type { CellJob } from './schedule.js';

/** Below this mean agreement a model's answers depend on the labels (collection 1.6). */
export const AGREEMENT_FLOOR = 0.8;

interface AgreementRow {
  readonly model_id: string;
  /** Tasks with a parsed answer under both labellings. */
  readonly pairs: number;
  /** Mean Jaccard index of the chosen ingredient sets; null without a pair. */
  readonly jaccard: number | null;
  /** Pairs with the same three ingredients. */
  readonly identical: number;
  readonly below_floor: boolean;
  /** Mean absolute score difference in points; null where scores are not looked at. */
  readonly score_difference: number | null;
}

/** Where answers are read from: a ledger that is written, or a view of one. */
export interface AnswerSource {
  readonly head: (cell: string) => CellState['head'];
  readonly record: (cell: string) => ResponseRecord | undefined;
}

interface Chosen {
  readonly names: ReadonlySet<string>;
  readonly bps: number;
}

function chosen(source: AnswerSource, job: CellJob): Chosen | undefined {
  const head = source.head(job.binding.cell);
  if (head?.status !== 'completed' || head.parse !== 'ok') return undefined;
  const selection = source.record(job.binding.cell)?.parse?.selection;
  const action = selection == null ? undefined : PORTFOLIO_INDEX.get(selection);
  if (selection == null || action === undefined) return undefined;
  const names = [...selection].map((label) => job.choices[label.charCodeAt(0) - 65]!);
  return { names: new Set(names), bps: job.task.scores[action]! };
}

/**
 * Measures how a model agrees with itself when the candidates are relabelled: ingredient sets of the repeat phase against those of
 * the primary phase (Jaccard index, 0 to 1). A diagnostic; it never enters a score. Score differences only with `scores`, which un-blinds a ledger.
 */
export function repeatAgreement(options: {
  readonly source: AnswerSource;
  readonly jobs: readonly CellJob[];
  readonly scores: boolean;
}): readonly AgreementRow[] {
  const { source, jobs, scores } = options;
  const primary = new Map<string, CellJob>();
  for (const job of jobs) {
    const { key, task_id } = job.binding;
    if (key.phase === 'primary' && key.repeat === 0) primary.set(joinedKey(key.model_id, task_id), job);
  }
  const sums = new Map<string, { pairs: number; jaccard: number; identical: number; bps: number }>();
  for (const job of jobs) {
    const { key, original_task_id } = job.binding;
    if (key.phase !== 'repeat' || original_task_id === null) continue;
    const sum = sums.get(key.model_id) ?? { pairs: 0, jaccard: 0, identical: 0, bps: 0 };
    sums.set(key.model_id, sum);
    const first = primary.get(joinedKey(key.model_id, original_task_id));
    const a = first && chosen(source, first);
    const b = chosen(source, job);
    if (!a || !b) continue;
    const shared = [...a.names].filter((name) => b.names.has(name)).length;
    sum.pairs += 1;
    sum.jaccard += shared / (a.names.size + b.names.size - shared);
    if (shared === a.names.size) sum.identical += 1;
    sum.bps += Math.abs(a.bps - b.bps);
  }
  return [...sums].map(([model_id, { pairs, jaccard, identical, bps }]) => ({
    model_id,
    pairs,
    jaccard: pairs === 0 ? null : jaccard / pairs,
    identical,
    below_floor: pairs > 0 && jaccard / pairs < AGREEMENT_FLOOR,
    score_difference: !scores || pairs === 0 ? null : bps / pairs / 100,
  }));
}
