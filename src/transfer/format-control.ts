import { sha256 } from '../io/digest.js';
import { pyFloat } from '../io/pyjson.js';
import { PORTFOLIO_INDEX } from '../tasks/task.js';
import { fail } from '../util/error.js';
import { dataText } from '../util/text.js';
import { completionOf, type ExportRow, optimumOf } from './export-row.js';
import { type SplitName, strataOf } from './split.js';
import type { RowTask } from './training-pool.js';

/** A task's prompt with another task's optimum. */
interface ControlPair {
  readonly entry: RowTask;
  readonly donor: RowTask;
}

/** The rotation of one panel-family stratum. */
interface ControlStratum {
  readonly panel: string;
  readonly family: string;
  /** Smallest rotation that gives no row its own optimum. */
  readonly shift: number;
  readonly pairs: readonly ControlPair[];
}

function rotation(rows: readonly RowTask[]): number {
  const n = rows.length;
  for (let shift = 1; shift < n; shift += 1) {
    const clash = rows.some(({ task }, i) => optimumOf(task) === optimumOf(rows[(i + shift) % n]!.task));
    if (!clash) return shift;
  }
  const { panel, family } = rows[0]!.task;
  fail(
    'STRATUM_EMPTY',
    null,
    `${panel} ${family}: no rotation of ${n} optima leaves every task without its own`,
    'A stratum needs at least two tasks in training and in validation, and no portfolio may be the optimum of most; `--rule lab-v1` makes no control.',
  );
}

/**
 * Within each panel-family stratum the optima are rotated onto other prompts (compiler e.4).
 */
function controlStrata(tasks: readonly RowTask[], salt: string): ControlStratum[] {
  return strataOf(tasks).map((stratum) => {
    const rows = stratum
      .map((entry) => ({ entry, key: sha256(`${salt}|${entry.task.id}`) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ entry }) => entry);
    const shift = rotation(rows);
    const { panel, family } = rows[0]!.task;
    const pairs = rows.map((entry, i) => ({
      entry,
      donor: rows[(i + shift) % rows.length]!,
    }));
    return { panel, family, shift, pairs };
  });
}

/** Score of the donated portfolio on the row's own map, basis points. */
function controlScore({ entry, donor }: ControlPair): number {
  return entry.task.scores[donor.task.optimal]!;
}

function controlRow(pair: ControlPair, split: SplitName): ExportRow {
  const { task } = pair.entry;
  const bps = controlScore(pair);
  return {
    task_id: task.id,
    family: task.family,
    source_panel: task.panel,
    anchor_ingredient: task.anchor,
    prompt: task.prompt,
    completion: completionOf(optimumOf(pair.donor.task)),
    control_source_task_id: pair.donor.task.id,
    control_reward: pyFloat(bps / 10_000),
    control_reward_bps: bps,
    control_is_optimal: false,
    optimal_margin_bps: task.margin,
    split,
  };
}

/** Rows of the format control in task order, and the rotation of each stratum. */
export interface FormatControl {
  readonly rows: readonly ExportRow[];
  readonly shifts: readonly {
    readonly panel: string;
    readonly family: string;
    readonly shift: number;
  }[];
}

/**
 * Makes the format control: prompts, row counts, completion lengths and label histograms are those of the treatment, and no answer
 * is right. Errors: STRATUM_EMPTY where no rotation does it.
 */
export function formatControl(tasks: readonly RowTask[], split: SplitName, salt: string): FormatControl {
  const strata = controlStrata(tasks, salt);
  const byId = new Map(strata.flatMap(({ pairs }) => pairs.map((pair) => [pair.entry.task.id, pair] as const)));
  return {
    rows: tasks.map(({ task }) => controlRow(byId.get(task.id)!, split)),
    shifts: strata.map(({ panel, family, shift }) => ({ panel, family, shift })),
  };
}

interface ControlProofOptions {
  /** The tasks of a split, and the rows of both arms in the same order. */
  readonly tasks: readonly RowTask[];
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

const text = (row: ExportRow | undefined, key: string): string => dataText(row?.[key]);

/** Score of a row's completion on the task's map; -1 for a completion that is no answer line. */
function scoreOf({ task }: RowTask, row: ExportRow | undefined): number {
  const labels = text(row, 'completion').replace('FINAL_SELECTION: ', '').replaceAll(',', '');
  const action = PORTFOLIO_INDEX.get(labels);
  return action === undefined ? -1 : task.scores[action]!;
}

function unequalHistograms({ tasks, treatment, control }: ControlProofOptions): number {
  const place = new Map(tasks.map((entry, i) => [entry, i]));
  const answers = (rows: readonly ExportRow[], stratum: readonly RowTask[]) =>
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
