import { familyOrder } from '../inference/strata.js';
import { sha256 } from '../io/digest.js';
import { fail } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import type { Pool, PoolTask } from './pool.js';
import type { SplitRule } from './split-rule.js';
import { familyPanels } from './strata.js';

export type SplitName = 'train' | 'validation' | 'evaluation';

/** A pool divided by anchor. Each list is in family order, then by task id. */
export interface Split {
  readonly train: readonly PoolTask[];
  readonly validation: readonly PoolTask[];
  /** Empty where the rule holds nothing out. */
  readonly evaluation: readonly PoolTask[];
  /** Supplemental tasks with their split, by split name and task id. */
  readonly supplemental: readonly { readonly entry: PoolTask; readonly split: SplitName }[];
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The tasks of each panel-family stratum, families outermost. */
export function strataOf(tasks: readonly PoolTask[]): PoolTask[][] {
  return familyPanels(tasks.map(({ task }) => task)).strata.map(({ tasks: at }) => Array.from(at, (i) => tasks[i]!));
}

function inOrder(tasks: readonly PoolTask[]): PoolTask[] {
  const families = familyOrder(tasks.map(({ task }) => task.family));
  return [...tasks].sort(
    (a, b) => families.indexOf(a.task.family) - families.indexOf(b.task.family) || byText(a.task.id, b.task.id),
  );
}

function splitSupplemental(tasks: readonly PoolTask[], rule: SplitRule): Split['supplemental'] {
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
export function splitPool(pool: Pool, rule: SplitRule): Split {
  if (pool.primary.length === 0) {
    const { ids, anchors } = pool.core;
    fail(
      'STRATUM_EMPTY',
      null,
      `no task is left to train on: the core holds ${ids.size} tasks, and every other task is on one of its ${anchors.size} anchors`,
      'Give task sets that are larger than the core, or freeze a smaller one (`core freeze --per-stratum N`).',
    );
  }
  const parts = { train: [], validation: [], evaluation: [] } as Record<SplitName, PoolTask[]>;
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
