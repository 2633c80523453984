import { sha256 } from '../io/digest.js';
import { pyFloat } from '../io/pyjson.js';
import { fail } from '../util/error.js';
import type { PoolTask } from './pool.js';
import { completionOf, type ExportRow, optimumOf } from './row.js';
import { type SplitName, strataOf } from './split.js';

/** A task's prompt with another task's optimum. */
interface ControlPair {
  readonly entry: PoolTask;
  readonly donor: PoolTask;
}

/** The rotation of one panel-family stratum. */
interface ControlStratum {
  readonly panel: string;
  readonly family: string;
  /** Smallest rotation that gives no row its own optimum. */
  readonly shift: number;
  readonly pairs: readonly ControlPair[];
}

function rotation(rows: readonly PoolTask[]): number {
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
function controlStrata(tasks: readonly PoolTask[], salt: string): ControlStratum[] {
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
 * The format control: prompts, row counts, completion lengths and label histograms are those of the treatment, and no answer
 * is right. Errors: STRATUM_EMPTY where no rotation does it.
 */
export function formatControl(tasks: readonly PoolTask[], split: SplitName, salt: string): FormatControl {
  const strata = controlStrata(tasks, salt);
  const byId = new Map(strata.flatMap(({ pairs }) => pairs.map((pair) => [pair.entry.task.id, pair] as const)));
  return {
    rows: tasks.map(({ task }) => controlRow(byId.get(task.id)!, split)),
    shifts: strata.map(({ panel, family, shift }) => ({ panel, family, shift })),
  };
}
