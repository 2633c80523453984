import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { contentOf, sameContent } from '../tasks/task-content.js';
import { fail, shown } from '../util/error.js';
import type { Split } from './split.js';
import type { RowTask, TrainingPool } from './training-pool.js';

/** What of a task must stand on one side only (compiler e.5). */
interface Member {
  readonly task_id: string;
  readonly anchor: string;
  readonly prompt_sha256: string;
  /** Digest of the eight candidate names in text order. */
  readonly candidates_sha256: string;
}

/** One split, task by task, so that the counts can be made again. */
interface SplitFacts {
  readonly name: string;
  readonly tasks: number;
  readonly anchors: number;
  /** Distinct candidate ingredients. */
  readonly ingredients: number;
  readonly members: readonly Member[];
}

/** Things two splits share. */
interface Overlap {
  readonly left: string;
  readonly right: string;
  readonly task_ids: number;
  readonly anchors: number;
  readonly prompts: number;
  readonly candidate_sets: number;
}

export interface LeakageProof {
  readonly splits: readonly SplitFacts[];
  /** Train, validation, evaluation and core, two by two: every count is zero, or there is no proof. */
  readonly overlaps: readonly Overlap[];
  /**
   * The supplemental track against the same splits. Its rows follow their own anchors, so it may share some with the
   * evaluation: counted, and no part of a study. With the core it shares nothing.
   */
  readonly supplemental_overlaps: readonly Overlap[];
  /** Distinct candidate ingredients that recur between splits: allowed, and stated. */
  readonly shared_ingredients: readonly {
    readonly left: string;
    readonly right: string;
    readonly count: number;
  }[];
}

const KEYS = {
  task_ids: 'task_id',
  anchors: 'anchor',
  prompts: 'prompt_sha256',
  candidate_sets: 'candidates_sha256',
} as const satisfies Record<string, keyof Member>;

type Key = keyof typeof KEYS;

function memberOf({ task }: RowTask): Member {
  return {
    task_id: task.id,
    anchor: task.anchor,
    prompt_sha256: sha256(task.prompt),
    candidates_sha256: canonicalDigest([...task.choices].sort()),
  };
}

function factsOf(name: string, tasks: readonly RowTask[]): SplitFacts {
  const members = tasks.map(memberOf);
  const anchors = new Set(members.map(({ anchor }) => anchor)).size;
  const ingredients = new Set(tasks.flatMap(({ task }) => task.choices)).size;
  return { name, tasks: tasks.length, anchors, ingredients, members };
}

function shared(a: readonly string[], b: readonly string[]): string[] {
  const right = new Set(b);
  return [...new Set(a)].filter((value) => right.has(value));
}

function sharedBy(key: Key, left: SplitFacts, right: SplitFacts): string[] {
  const values = ({ members }: SplitFacts) => members.map((member) => member[KEYS[key]]);
  return shared(values(left), values(right));
}

function overlapOf(left: SplitFacts, right: SplitFacts): Overlap {
  const count = (key: Key) => sharedBy(key, left, right).length;
  return {
    left: left.name,
    right: right.name,
    task_ids: count('task_ids'),
    anchors: count('anchors'),
    prompts: count('prompts'),
    candidate_sets: count('candidate_sets'),
  };
}

function assertDisjoint(left: SplitFacts, right: SplitFacts): void {
  for (const key of Object.keys(KEYS) as Key[]) {
    const found = sharedBy(key, left, right);
    if (found.length === 0) continue;
    fail(
      'VERIFY_FAILED',
      null,
      `${left.name} and ${right.name} share ${found.length} ${key.replace('_', ' ')}, first ${shown(found[0])}`,
      'A task that shares an anchor, prompt or candidate set leaks; use another salt or leave it out.',
      { exit: 4 },
    );
  }
}

/** One task under two names, wordings or orders of labels is one task: it stands on one side only (compiler e.5). */
function assertOtherTasks(left: Side, right: Side): void {
  const [name, tasks] = left;
  const content = contentOf(right[1].map(({ task }) => task));
  for (const { task } of tasks) {
    const by = sameContent(content, task);
    if (by === undefined) continue;
    fail(
      'VERIFY_FAILED',
      null,
      `${name} task ${task.id} is a task of ${right[0]} under another name, order or wording: ${by === 'map' ? 'its map is the same, labels aside' : 'it has the same eight candidates'}`,
      'Give each task once.',
      { exit: 4 },
    );
  }
}

type Side = readonly [name: string, tasks: readonly RowTask[]];

/**
 * Counts what train, validation, evaluation and core share: ids, anchors, prompts, exact candidate sets (compiler e.5); and that no
 * task of one stands in another in other words.
 * Errors: VERIFY_FAILED naming two splits and the first thing they share.
 */
export function leakageProof(pool: TrainingPool, split: Split): LeakageProof {
  const present = ([, tasks]: readonly [string, readonly RowTask[]]) => tasks.length > 0;
  const parts = (
    [
      ['train', split.train],
      ['validation', split.validation],
      ['evaluation', split.evaluation],
      ['core', pool.coreTasks],
    ] as const
  ).filter(present);
  const extra = (['train', 'validation'] as const)
    .map((name) => {
      const rows = split.supplemental.filter((row) => row.split === name);
      return [`supplemental ${name}`, rows.map(({ entry }) => entry)] as const;
    })
    .filter(present);
  const facts = parts.map(([name, tasks]) => factsOf(name, tasks));
  const extraFacts = extra.map(([name, tasks]) => factsOf(name, tasks));
  const pairs = facts.flatMap((left, i) => facts.slice(i + 1).map((right) => [left, right] as const));
  for (const [left, right] of pairs) assertDisjoint(left, right);
  const core = facts.find(({ name }) => name === 'core');
  if (core) for (const left of extraFacts) assertDisjoint(left, core);
  parts.forEach((left, i) => {
    for (const right of parts.slice(i + 1)) assertOtherTasks(left, right);
  });
  const ranked = parts.find(([name]) => name === 'core');
  if (ranked) for (const left of extra) assertOtherTasks(left, ranked);
  const names = new Map(parts.map(([name, tasks]) => [name, tasks.flatMap((t) => t.task.choices)]));
  const namesOf = (name: string) => names.get(name as (typeof parts)[number][0])!;
  return {
    splits: [...facts, ...extraFacts],
    overlaps: pairs.map(([left, right]) => overlapOf(left, right)),
    supplemental_overlaps: extraFacts.flatMap((left) => facts.map((right) => overlapOf(left, right))),
    shared_ingredients: pairs.map(([left, right]) => ({
      left: left.name,
      right: right.name,
      count: shared(namesOf(left.name), namesOf(right.name)).length,
    })),
  };
}
