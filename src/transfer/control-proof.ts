import { PORTFOLIO_INDEX } from '../tasks/task.js';
import { fail } from '../util/error.js';
import type { PoolTask } from './pool.js';
import type { ExportRow } from './row.js';
import { strataOf } from './split.js';

export interface ControlProofOptions {
  /** The tasks of a split, and the rows of both arms in the same order. */
  readonly tasks: readonly PoolTask[];
  readonly treatment: readonly ExportRow[];
  readonly control: readonly ExportRow[];
}

/** What makes the control a control, counted on the rows as they are written (analyses 9.2). All but the means must be 0. */
export interface ControlProof {
  readonly rows: number;
  /** Rows whose task or prompt is not the treatment's. */
  readonly other_prompts: number;
  /** Rows whose completion is the optimum of their own task. */
  readonly accidental_optima: number;
  /** Panel-family strata whose multiset of answers differs from the treatment's. */
  readonly unequal_histograms: number;
  /** Rows whose completion differs in length from the treatment's. */
  readonly unequal_lengths: number;
  /** Rows that state another score than the map gives their completion. */
  readonly misstated_rewards: number;
  /** Mean score of the control's answers and of chance, points. */
  readonly control_mean: number;
  readonly chance_mean: number;
}

const text = (row: ExportRow | undefined, key: string): string => String(row?.[key]);

/** Score of a row's completion on the task's map; -1 for a completion that is no answer line. */
function scoreOf({ task }: PoolTask, row: ExportRow | undefined): number {
  const labels = text(row, 'completion').replace('FINAL_SELECTION: ', '').replaceAll(',', '');
  const action = PORTFOLIO_INDEX.get(labels);
  return action === undefined ? -1 : task.scores[action]!;
}

function unequalHistograms({ tasks, treatment, control }: ControlProofOptions): number {
  const place = new Map(tasks.map((entry, i) => [entry, i]));
  const answers = (rows: readonly ExportRow[], stratum: readonly PoolTask[]) =>
    stratum
      .map((entry) => text(rows[place.get(entry)!], 'completion'))
      .sort()
      .join('|');
  return strataOf(tasks).filter((stratum) => answers(treatment, stratum) !== answers(control, stratum)).length;
}

/** Counts what would betray the control. Errors: VERIFY_FAILED when any count is not zero. */
export function proveControl(options: ControlProofOptions): ControlProof {
  const { tasks, treatment, control } = options;
  const rows = tasks.map((entry, i) => ({ entry, sft: treatment[i], row: control[i] }));
  const count = (wrong: (row: (typeof rows)[number]) => boolean) => rows.filter(wrong).length;
  const same = (key: string) => (r: (typeof rows)[number]) => text(r.sft, key) === text(r.row, key);
  const mean = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0) / (100 * rows.length);
  const proof: ControlProof = {
    rows: rows.length,
    other_prompts:
      Math.abs(control.length - treatment.length) + count((r) => !same('prompt')(r) || !same('task_id')(r)),
    accidental_optima: count(same('completion')),
    unequal_histograms: unequalHistograms(options),
    unequal_lengths: count(({ sft, row }) => text(sft, 'completion').length !== text(row, 'completion').length),
    misstated_rewards: count(({ entry, row }) => row?.control_reward_bps !== scoreOf(entry, row)),
    control_mean: mean(({ entry, row }) => scoreOf(entry, row)),
    chance_mean: mean(({ entry }) => entry.task.chance),
  };
  const { rows: _, control_mean, chance_mean, ...counts } = proof;
  const wrong = Object.entries(counts).filter(([, n]) => n > 0);
  if (wrong.length === 0) return proof;
  const list = wrong.map(([name, n]) => `${n} ${name.replace('_', ' ')}`).join(', ');
  fail(
    'VERIFY_FAILED',
    null,
    `the format control has ${list}`,
    'A control must differ from the treatment in nothing but which answer is right.',
    { exit: 4 },
  );
}
