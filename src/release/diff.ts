import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { InferencePlan } from '../inference/plan.js';
import type { Leaderboard } from '../inference/result.js';
import { readArrow } from '../io/arrow.js';
import { sha256 } from '../io/digest.js';
import { readInput, storedFile } from '../io/file.js';
import { joinedKey } from '../util/joined.js';
import { dataText } from '../util/text.js';
import { type ModelChange, modelChanges, type PairChange, pairChanges } from './diff-leaderboard.js';
import { checkManifest } from './manifest.js';
import type { Difference } from './proofs/differences.js';
import { Findings } from './proofs/findings.js';
import { readInventory } from './read-folder.js';
import { type Inventory, RELEASE_FILES } from './release-files.js';
import type { ReleaseView } from './view.js';

/** A folder as it lies there, held against its own manifest; nothing else of it is proved. */
interface FolderFiles {
  readonly files: Inventory;
  /** How many files or entries are not as MANIFEST.json lists them; the first, at most 200. */
  readonly difference_count: number;
  readonly differences: readonly Difference[];
}

/** Null for a published release, whose files are not read here. */
function folderFiles(view: ReleaseView, dir: string): FolderFiles | null {
  if (view.kind !== 'folder') return null;
  const findings = new Findings(`${dir}/`);
  const files = readInventory(dir, findings);
  checkManifest({ files, release: null, digests: new Map(), findings });
  return { files, difference_count: findings.count, differences: findings.differences };
}

export interface FileChanges {
  readonly same: number;
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Which files of two folders have other bytes. */
function fileChanges(first: Inventory, second: Inventory): FileChanges {
  const kept = [...second].flatMap(([name, bytes]) => {
    const before = first.get(name);
    return before ? [{ name, same: sha256(before) === sha256(bytes) }] : [];
  });
  return {
    same: kept.filter(({ same }) => same).length,
    changed: kept.filter(({ same }) => !same).map(({ name }) => name),
    added: [...second.keys()].filter((name) => !first.has(name)),
    removed: [...first.keys()].filter((name) => !second.has(name)),
  };
}

export interface AnswerChanges {
  readonly same: number;
  /** Another record of the same cell, with the same selection. */
  readonly other_record: number;
  readonly other_selection: number;
  readonly only_first: number;
  readonly only_second: number;
  /** The first cells whose selection changed, at most 50. */
  readonly examples: readonly {
    readonly model_id: string;
    readonly task_id: string;
    readonly selection: readonly [string, string];
  }[];
}

export interface Damage {
  readonly difference_count: number;
  readonly differences: readonly Difference[];
}

export interface PlanChange {
  readonly field: keyof typeof PLAN_FIELDS;
  readonly value: readonly [string | number, string | number];
}

/** What changed from one release to another, as both state it: nothing is verified. */
export interface ReleaseDiff {
  /** Digests of MANIFEST.json, which pin every file, as stated; null where there is none. */
  readonly manifest_sha256: readonly [string | null, string | null];
  /** Digests of release.json, which pin all numbers, or of the published documents, as stated. */
  readonly release_sha256: readonly [string, string];
  /** The same bytes in every file; for published documents the same digest. */
  readonly same_release: boolean;
  /** The same release.json by its digest. */
  readonly same_numbers: boolean;
  /** By release, what is not as its own MANIFEST.json lists it; null for a published release, which is not looked at. */
  readonly damage: readonly [Damage | null, Damage | null];
  /** Null unless both are folders. */
  readonly files: FileChanges | null;
  /** Choices behind the numbers that differ. */
  readonly plan: readonly PlanChange[];
  readonly models: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly kept: number;
  };
  /** Models of both, in the order of the second's ranks, unchanged ones included. */
  readonly board: readonly ModelChange[];
  readonly pairs: readonly PairChange[];
  readonly resolved_pairs: readonly [number, number];
  readonly top_model: readonly [string | null, string | null];
  /** Null where a release does not have its tasks or answers. */
  readonly tasks: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly kept: number;
    readonly other_map: readonly string[];
  } | null;
  readonly answers: AnswerChanges | null;
}

function setChange(first: readonly string[], second: readonly string[]) {
  const [before, after] = [new Set(first), new Set(second)];
  return {
    added: second.filter((id) => !before.has(id)),
    removed: first.filter((id) => !after.has(id)),
    kept: second.filter((id) => before.has(id)),
  };
}

function taskChanges(first: ReleaseView, second: ReleaseView): ReleaseDiff['tasks'] {
  if (first.tasks === null || second.tasks === null) return null;
  const before = new Map(first.tasks.map((task) => [task.id, task]));
  const { added, removed, kept } = setChange(
    first.tasks.map(({ id }) => id),
    second.tasks.map(({ id }) => id),
  );
  const after = new Map(second.tasks.map((task) => [task.id, task]));
  const other = kept.filter((id) => {
    const [a, b] = [before.get(id), after.get(id)];
    return a?.prompt !== b?.prompt || a?.scores.some((score, i) => score !== b?.scores[i]);
  });
  return { added, removed, kept: kept.length, other_map: other };
}

type Answers = ReadonlyMap<string, { readonly digest: string; readonly selection: string | null }>;

async function answersOf(path: string): Promise<Answers | null> {
  const file = join(path, RELEASE_FILES.observationsArrow);
  if (!lstatSync(file, { throwIfNoEntry: false })) return null;
  const table = await readArrow(readInput(storedFile(file)), file);
  const column = (name: string) => table.column(name) ?? [];
  const [models, tasks, digests, selections] = ['model', 'task', 'response_sha256', 'selection'].map(column);
  return new Map(
    models?.map((model, i) => [
      joinedKey(dataText(model), dataText(tasks?.[i])),
      { digest: dataText(digests?.[i]), selection: (selections?.[i] as string | null) ?? null },
    ]),
  );
}

const EXAMPLES = 50;

function answerChanges(first: Answers | null, second: Answers | null): AnswerChanges | null {
  if (first === null || second === null) return null;
  const counts = { same: 0, other_record: 0, other_selection: 0, only_second: 0 };
  const examples: AnswerChanges['examples'][number][] = [];
  for (const [cell, after] of second) {
    const before = first.get(cell);
    if (!before) counts.only_second += 1;
    else if (before.digest === after.digest) counts.same += 1;
    else if (before.selection === after.selection) counts.other_record += 1;
    else {
      counts.other_selection += 1;
      const [model_id, task_id] = JSON.parse(cell) as [string, string];
      const selection = [before.selection ?? 'none', after.selection ?? 'none'] as const;
      if (examples.length < EXAMPLES) examples.push({ model_id, task_id, selection });
    }
  }
  const only_first = [...first.keys()].filter((cell) => !second.has(cell)).length;
  return { ...counts, only_first, examples };
}

/** Compares two releases, ours or published: files, plan, models, scores, intervals, ranks, groups, pairs, tasks, answers. */
export async function releaseDiff(options: {
  readonly first: ReleaseView;
  readonly second: ReleaseView;
  /** Where they lie; answers are compared only between two folders. */
  readonly paths: readonly [string, string];
}): Promise<ReleaseDiff> {
  const { first, second, paths } = options;
  const [a, b] = [first.leaderboard, second.leaderboard];
  const { added, removed, kept } = setChange(
    a.models.map(({ modelId }) => modelId),
    b.models.map(({ modelId }) => modelId),
  );
  const [left, right] = [folderFiles(first, paths[0]), folderFiles(second, paths[1])];
  const files = left && right ? fileChanges(left.files, right.files) : null;
  const damage = (of: typeof left) => of && { difference_count: of.difference_count, differences: of.differences };
  const same = first.digest === second.digest;
  return {
    manifest_sha256: [first.address, second.address],
    release_sha256: [first.digest, second.digest],
    same_release: files
      ? files.changed.length + files.added.length + files.removed.length === 0
      : same && first.kind === second.kind,
    same_numbers: same,
    damage: [damage(left), damage(right)],
    files,
    plan: planChanges(first.plan, second.plan),
    models: { added, removed, kept: kept.length },
    board: modelChanges(a, b),
    pairs: pairChanges(a, b),
    resolved_pairs: [a.resolvedPairs, b.resolvedPairs],
    top_model: [topModel(a), topModel(b)],
    tasks: taskChanges(first, second),
    answers:
      first.kind === 'folder' && second.kind === 'folder'
        ? answerChanges(await answersOf(paths[0]), await answersOf(paths[1]))
        : null,
  };
}

const PLAN_FIELDS = {
  generator: ({ rng }) => rng,
  seed: ({ seed }) => seed.toString(),
  strata: ({ strata }) => strata,
  scheme: ({ scheme }) => scheme,
  draws: ({ draws }) => draws,
  flips: ({ flips }) => flips,
  alpha: ({ alpha }) => alpha,
  order: ({ order }) => order,
  ranks: ({ ranks }) => ranks,
  bootstrap: ({ bootstrap }) => bootstrap,
  test: ({ test }) => test,
  exact: ({ exact }) => exact,
  multiplicity: ({ multiplicity }) => multiplicity,
  against: ({ against }) => against ?? 'none',
  interval: ({ interval }) => interval,
  rank_sets: ({ rank_sets: sets }) => sets,
  margin: ({ margin }) => margin ?? 'none',
  missing: ({ missing }) => missing,
} satisfies Readonly<Record<string, (plan: InferencePlan) => string | number>>;

function planChanges(first: InferencePlan, second: InferencePlan): PlanChange[] {
  return (Object.keys(PLAN_FIELDS) as (keyof typeof PLAN_FIELDS)[])
    .map((field) => ({ field, value: [PLAN_FIELDS[field](first), PLAN_FIELDS[field](second)] as const }))
    .filter(({ value: [before, after] }) => before !== after);
}

/** Id of the model that beats all others. */
function topModel({ models, top }: Leaderboard): string | null {
  return top === null ? null : models[top]!.modelId;
}
