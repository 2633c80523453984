import { sha256 } from '../util/digest.js';
import { FlavourError } from '../util/error.js';
import { pyFloat } from '../util/pyjson.js';
import type { PoolTask } from './pool.js';
import { completionOf, type ExportRow, optimumOf } from './row.js';
import { type SplitName, strataOf } from './split.js';

/** A row of the format control: a task's prompt with another task's optimum. */
export interface ControlPair {
  readonly entry: PoolTask;
  readonly donor: PoolTask;
}

/** The rotation of one panel-family stratum. */
export interface ControlStratum {
  readonly panel: string;
  readonly family: string;
  /** Smallest rotation that gives no row its own optimum. */
  readonly shift: number;
  readonly pairs: readonly ControlPair[];
}

function rotation(rows: readonly PoolTask[]): number {
  const n = rows.length;
  for (let shift = 1; shift < n; shift += 1) {
    const clash = rows.some(
      ({ task }, i) => optimumOf(task) === optimumOf((rows[(i + shift) % n] as PoolTask).task),
    );
    if (!clash) return shift;
  }
  const { panel, family } = (rows[0] as PoolTask).task;
  throw new FlavourError(
    'STRATUM_EMPTY',
    `${panel} ${family}: no rotation of ${n} optima leaves every task without its own`,
    { hint: 'A stratum needs at least two tasks, and no portfolio may be the optimum of most.' },
  );
}

/**
 * The format control: within each panel-family stratum the optima are rotated onto other prompts, so prompts, row counts,
 * completion lengths and label histograms are those of the treatment, and no answer is right (compiler e.4).
 */
export function controlStrata(tasks: readonly PoolTask[], salt: string): ControlStratum[] {
  return strataOf(tasks).map((stratum) => {
    const rows = stratum
      .map((entry) => ({ entry, key: sha256(`${salt}|${entry.task.id}`) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ entry }) => entry);
    const shift = rotation(rows);
    const { panel, family } = (rows[0] as PoolTask).task;
    const pairs = rows.map((entry, i) => ({
      entry,
      donor: rows[(i + shift) % rows.length] as PoolTask,
    }));
    return { panel, family, shift, pairs };
  });
}

/** Score of the donated portfolio on the row's own map, basis points. */
export function controlScore({ entry, donor }: ControlPair): number {
  return entry.task.scores[donor.task.optimal] as number;
}

export function controlRow(pair: ControlPair, split: SplitName): ExportRow {
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

/** What makes the control a control, counted. */
export interface ControlProof {
  readonly rows: number;
  /** Rows whose completion is their own optimum: must be 0. */
  readonly accidental_optima: number;
  /** Strata whose multiset of answers differs from the treatment's: must be 0. */
  readonly unequal_histograms: number;
  /** Rows whose completion differs in length from the treatment's: must be 0. */
  readonly unequal_lengths: number;
  readonly shifts: readonly {
    readonly panel: string;
    readonly family: string;
    readonly shift: number;
  }[];
  /** Mean score of the control's answers and of chance, points. */
  readonly control_mean: number;
  readonly chance_mean: number;
}

/** Counts what would betray the control. Errors: VERIFY_FAILED when any count is not zero. */
export function proveControl(strata: readonly ControlStratum[]): ControlProof {
  const pairs = strata.flatMap((stratum) => stratum.pairs);
  const multiset = (values: readonly string[]) => [...values].sort().join();
  const unequal = strata.filter(
    ({ pairs: rows }) =>
      multiset(rows.map(({ entry }) => optimumOf(entry.task))) !==
      multiset(rows.map(({ donor }) => optimumOf(donor.task))),
  );
  const mean = (of: (pair: ControlPair) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / (100 * pairs.length);
  const proof: ControlProof = {
    rows: pairs.length,
    accidental_optima: pairs.filter(({ entry, donor }) => entry.task.optimal === donor.task.optimal)
      .length,
    unequal_histograms: unequal.length,
    unequal_lengths: pairs.filter(
      ({ entry, donor }) =>
        completionOf(optimumOf(entry.task)).length !== completionOf(optimumOf(donor.task)).length,
    ).length,
    shifts: strata.map(({ panel, family, shift }) => ({ panel, family, shift })),
    control_mean: mean(controlScore),
    chance_mean: mean(({ entry }) => entry.task.chance),
  };
  if (proof.accidental_optima + proof.unequal_histograms + proof.unequal_lengths > 0) {
    throw new FlavourError(
      'VERIFY_FAILED',
      `the format control has ${proof.accidental_optima} accidental optima, ${proof.unequal_histograms} unequal label histograms, ${proof.unequal_lengths} unequal lengths`,
      { hint: 'This is a defect of the control; nothing was written.', exit: 4 },
    );
  }
  return proof;
}
