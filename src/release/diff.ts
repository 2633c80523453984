import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readArrow } from '../util/arrow.js';
import { readInput } from '../util/file.js';
import type { Board, BoardModel, BoardPair } from './board.js';
import { RELEASE_FILES } from './layout.js';
import type { ReleaseView } from './release.js';

export interface ModelChange {
  readonly model_id: string;
  readonly score: readonly [number, number];
  readonly rank: readonly [number, number];
  readonly group: readonly [number, number];
}

export interface PairChange {
  readonly left_model_id: string;
  readonly right_model_id: string;
  /** Significant in the second release only, in the first only, or in both with the sign turned. */
  readonly change: 'gained' | 'lost' | 'turned';
  readonly difference: readonly [number, number];
  readonly holm_p: readonly [number, number];
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

/** What changed from one release to another. */
export interface ReleaseDiff {
  readonly release_sha256: readonly [string, string];
  readonly same_release: boolean;
  readonly models: { readonly added: readonly string[]; readonly removed: readonly string[] };
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

/** Pairs by their two ids in order, seen from the first. */
function pairsOf(board: Board): Map<string, BoardPair> {
  const id = (index: number) => board.models[index]?.id as string;
  return new Map(
    board.pairs.flatMap((pair) => {
      const turned: BoardPair = {
        ...pair,
        left: pair.right,
        right: pair.left,
        difference: -pair.difference,
      };
      return [
        [`${id(pair.left)}\0${id(pair.right)}`, pair],
        [`${id(pair.right)}\0${id(pair.left)}`, turned],
      ] as const;
    }),
  );
}

function changeOf(a: BoardPair, b: BoardPair): PairChange['change'] | null {
  if (a.significant !== b.significant) return b.significant ? 'gained' : 'lost';
  const turned = a.significant && Math.sign(a.difference) !== Math.sign(b.difference);
  return turned ? 'turned' : null;
}

function boardChanges(first: Board, second: Board): ModelChange[] {
  const before = new Map(first.models.map((model) => [model.id, model]));
  return [...second.models]
    .sort((a, b) => a.rank - b.rank)
    .flatMap((model) => {
      const old: BoardModel | undefined = before.get(model.id);
      return old
        ? {
            model_id: model.id,
            score: [old.score, model.score] as const,
            rank: [old.rank, model.rank] as const,
            group: [old.group, model.group] as const,
          }
        : [];
    });
}

function pairChanges(first: Board, second: Board): PairChange[] {
  const before = pairsOf(first);
  const id = (index: number) => second.models[index]?.id as string;
  return second.pairs.flatMap((pair) => {
    const old = before.get(`${id(pair.left)}\0${id(pair.right)}`);
    const change = old && changeOf(old, pair);
    return old && change
      ? {
          left_model_id: id(pair.left),
          right_model_id: id(pair.right),
          change,
          difference: [old.difference, pair.difference] as const,
          holm_p: [old.holm, pair.holm] as const,
        }
      : [];
  });
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
  const table = await readArrow(readInput(file), file);
  const column = (name: string) => table.column(name) ?? [];
  const [models, tasks, digests, selections] = [
    'model',
    'task',
    'response_sha256',
    'selection',
  ].map(column);
  return new Map(
    models?.map((model, i) => [
      `${model}\0${tasks?.[i]}`,
      { digest: String(digests?.[i]), selection: (selections?.[i] as string | null) ?? null },
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
      const [model_id, task_id] = cell.split('\0') as [string, string];
      const selection = [before.selection ?? 'none', after.selection ?? 'none'] as const;
      if (examples.length < EXAMPLES) examples.push({ model_id, task_id, selection });
    }
  }
  const only_first = [...first.keys()].filter((cell) => !second.has(cell)).length;
  return { ...counts, only_first, examples };
}

/** Compares two releases, ours or published: models, scores, ranks, groups, pairs, tasks, answers. */
export async function releaseDiff(options: {
  readonly first: ReleaseView;
  readonly second: ReleaseView;
  /** Where they lie; answers are compared only between two folders. */
  readonly paths: readonly [string, string];
}): Promise<ReleaseDiff> {
  const { first, second, paths } = options;
  const [a, b] = [first.board, second.board];
  const { added, removed } = setChange(
    a.models.map(({ id }) => id),
    b.models.map(({ id }) => id),
  );
  return {
    release_sha256: [first.digest, second.digest],
    same_release: first.digest === second.digest,
    models: { added, removed },
    board: boardChanges(a, b),
    pairs: pairChanges(a, b),
    resolved_pairs: [a.resolvedPairs, b.resolvedPairs],
    top_model: [a.topModel, b.topModel],
    tasks: taskChanges(first, second),
    answers:
      first.kind === 'folder' && second.kind === 'folder'
        ? answerChanges(await answersOf(paths[0]), await answersOf(paths[1]))
        : null,
  };
}
