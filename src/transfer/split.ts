import { familyOrder } from '../inference/strata.js';
import { sha256 } from '../io/digest.js';
import { fail } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import type { RowTask, TrainingPool } from './training-pool.js';
import { familyPanels } from './transfer-strata.js';

/** How a pool of tasks is divided by anchor (compiler e.2). Counts are per panel-family stratum. */
export interface SplitRule {
  readonly name: string;
  /** Orders the anchors: SHA-256 of `salt|anchor`. */
  readonly salt: string;
  /** Tasks of a stratum that are held out first; 0 where the data set has no evaluation split. */
  readonly evaluation: number;
  /** Tasks that follow; the rest train. */
  readonly validation: number;
  /** Share of the supplemental anchors that validate. */
  readonly supplementalValidation: number;
  /** Orders the rows before their optima are rotated; absent: no format control is made. */
  readonly controlSalt?: string;
}

/** The split of the published laboratory data set: 342 train, 84 validation. */
export const LAB_V1: SplitRule = {
  name: 'lab-v1',
  salt: 'flavourbench-lab-anchor-split-v1',
  evaluation: 0,
  validation: 14,
  supplementalValidation: 0.2,
};

/** The split of the paper's transfer study: 270 train, 72 validation, 84 evaluation. */
export const LAB_V3: SplitRule = {
  name: 'lab-v3',
  salt: 'flavourbench-lab-anchor-split-v2',
  evaluation: 14,
  validation: 12,
  supplementalValidation: 0.2,
  controlSalt: 'flavourbench-sft-format-control-v1',
};

export const SPLIT_RULES: readonly SplitRule[] = [LAB_V1, LAB_V3];

export type SplitName = 'train' | 'validation' | 'evaluation';

/** A pool divided by anchor. Each list is in family order, then by task id. */
export interface Split {
  readonly train: readonly RowTask[];
  readonly validation: readonly RowTask[];
  /** Empty where the rule holds nothing out. */
  readonly evaluation: readonly RowTask[];
  /** Supplemental tasks with their split, by split name and task id. */
  readonly supplemental: readonly { readonly entry: RowTask; readonly split: SplitName }[];
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Groups the tasks of each panel-family stratum, families outermost. */
export function strataOf(tasks: readonly RowTask[]): RowTask[][] {
  return familyPanels(tasks.map(({ task }) => task)).strata.map(({ tasks: at }) => Array.from(at, (i) => tasks[i]!));
}

function inOrder(tasks: readonly RowTask[]): RowTask[] {
  const families = familyOrder(tasks.map(({ task }) => task.family));
  return [...tasks].sort(
    (a, b) => families.indexOf(a.task.family) - families.indexOf(b.task.family) || byText(a.task.id, b.task.id),
  );
}

function splitSupplemental(tasks: readonly RowTask[], rule: SplitRule): Split['supplemental'] {
  const key = (anchor: string) => sha256(`${rule.salt}|${anchor}`);
  const anchors = [...new Set(tasks.map(({ task }) => task.anchor))]
    .map((anchor) => ({ anchor, key: key(anchor) }))
    .sort((a, b) => byText(a.key, b.key));
  const held = new Set(
    anchors.slice(0, roundHalfEven(rule.supplementalValidation * anchors.length)).map(({ anchor }) => anchor),
  );
  return tasks
    .map((entry) => ({
      entry,
      split: held.has(entry.task.anchor) ? ('validation' as const) : ('train' as const),
    }))
    .sort((a, b) => byText(a.split, b.split) || byText(a.entry.task.id, b.entry.task.id));
}

/**
 * Divides a pool within every panel-family stratum by the salted hash of the anchor (compiler e.2). Tasks that share an
 * anchor across strata must fall on one side, which `leakageProof` checks. Errors: STRATUM_EMPTY when the pool is empty or a
 * stratum leaves no task to train on.
 */
export function splitPool(pool: TrainingPool, rule: SplitRule): Split {
  if (pool.primary.length === 0) {
    const { ids, anchors } = pool.core;
    fail(
      'STRATUM_EMPTY',
      null,
      `no task is left to train on: the core holds ${ids.size} tasks, and every other task is on one of its ${anchors.size} anchors`,
      'Give task sets that are larger than the core, or freeze a smaller one (`core freeze --per-stratum N`).',
    );
  }
  const parts = { train: [], validation: [], evaluation: [] } as Record<SplitName, RowTask[]>;
  for (const stratum of strataOf(pool.primary)) {
    const { panel, family } = stratum[0]!.task;
    const held = rule.evaluation + rule.validation;
    if (stratum.length <= held) {
      fail(
        'STRATUM_EMPTY',
        null,
        `${panel} ${family} has ${stratum.length} tasks outside the core; ${held} are held out and none is left to train on`,
        'Hold out fewer tasks a stratum with --evaluation N and --validation N (two or more each where a format control is made), or give more task sets.',
      );
    }
    const ordered = stratum
      .map((entry) => ({ entry, key: sha256(`${rule.salt}|${entry.task.anchor}`) }))
      .sort((a, b) => byText(a.key, b.key) || byText(a.entry.task.id, b.entry.task.id))
      .map(({ entry }) => entry);
    parts.evaluation.push(...ordered.slice(0, rule.evaluation));
    parts.validation.push(...ordered.slice(rule.evaluation, held));
    parts.train.push(...ordered.slice(held));
  }
  return {
    train: inOrder(parts.train),
    validation: inOrder(parts.validation),
    evaluation: inOrder(parts.evaluation),
    supplemental: splitSupplemental(pool.supplemental, rule),
  };
}
