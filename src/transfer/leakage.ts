import { canonicalDigest } from '../util/canonical.js';
import { sha256 } from '../util/digest.js';
import { FlavourError } from '../util/error.js';
import type { Pool, PoolTask } from './pool.js';
import type { Split } from './split.js';

/** What two splits could share, and how often they do: every count must be zero. */
export interface Overlap {
  readonly left: string;
  readonly right: string;
  readonly task_ids: number;
  readonly anchors: number;
  readonly prompts: number;
  readonly candidate_sets: number;
}

/** One split as the proof describes it. */
export interface SplitFacts {
  readonly name: string;
  readonly tasks: number;
  readonly anchors: number;
  readonly task_ids_sha256: string;
  readonly anchors_sha256: string;
}

export interface LeakageProof {
  readonly splits: readonly SplitFacts[];
  readonly overlaps: readonly Overlap[];
  /** Distinct candidate ingredients that recur between splits: allowed, and stated. */
  readonly shared_ingredients: readonly {
    readonly left: string;
    readonly right: string;
    readonly count: number;
  }[];
}

const KEYS = {
  task_ids: ({ task }: PoolTask) => task.id,
  anchors: ({ task }: PoolTask) => task.anchor,
  prompts: ({ task }: PoolTask) => sha256(task.prompt),
  candidate_sets: ({ task }: PoolTask) => [...task.choices].sort().join('|'),
} as const;

function shared(a: readonly string[], b: readonly string[]): number {
  const right = new Set(b);
  return [...new Set(a)].filter((value) => right.has(value)).length;
}

function factsOf(name: string, tasks: readonly PoolTask[]): SplitFacts {
  const ids = tasks.map(KEYS.task_ids);
  const anchors = [...new Set(tasks.map(KEYS.anchors))].sort();
  return {
    name,
    tasks: tasks.length,
    anchors: anchors.length,
    task_ids_sha256: canonicalDigest(ids),
    anchors_sha256: canonicalDigest(anchors),
  };
}

/**
 * Counts what train, validation, evaluation and core share: ids, anchors, prompts, exact candidate sets (compiler e.5).
 * Errors: VERIFY_FAILED naming the two splits and the first shared anchor, id, prompt or set.
 */
export function leakageProof(pool: Pool, split: Split): LeakageProof {
  const parts = (
    [
      ['train', split.train],
      ['validation', split.validation],
      ['evaluation', split.evaluation],
      ['core', pool.coreTasks],
    ] as const
  ).filter(([, tasks]) => tasks.length > 0);
  const pairs = parts.flatMap((left, i) =>
    parts.slice(i + 1).map((right) => [left, right] as const),
  );
  const overlaps = pairs.map(([[left, a], [right, b]]): Overlap => {
    const count = (key: keyof typeof KEYS) => shared(a.map(KEYS[key]), b.map(KEYS[key]));
    return {
      left,
      right,
      task_ids: count('task_ids'),
      anchors: count('anchors'),
      prompts: count('prompts'),
      candidate_sets: count('candidate_sets'),
    };
  });
  for (const overlap of overlaps) {
    for (const key of Object.keys(KEYS) as (keyof typeof KEYS)[]) {
      if (overlap[key] === 0) continue;
      throw new FlavourError(
        'VERIFY_FAILED',
        `${overlap.left} and ${overlap.right} share ${overlap[key]} ${key.replace('_', ' ')}`,
        {
          hint: 'A task that shares an anchor, prompt or candidate set leaks; use another salt or leave it out.',
          exit: 4,
        },
      );
    }
  }
  const names = (tasks: readonly PoolTask[]) => tasks.flatMap(({ task }) => task.choices);
  return {
    splits: parts.map(([name, tasks]) => factsOf(name, tasks)),
    overlaps,
    shared_ingredients: pairs.map(([[left, a], [right, b]]) => ({
      left,
      right,
      count: shared(names(a), names(b)),
    })),
  };
}
