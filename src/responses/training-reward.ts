import { assertTrainable, type CoreGuard } from '../tasks/leaderboard.js';
import { PORTFOLIOS } from '../tasks/task.js';
import { fail } from '../util/error.js';
import type { Completion } from './chat-completion.js';
import { DEFAULT_PARSER, type SetParser } from './parser.js';
import { assertBatch, type ChoiceMap, type ScoreMap, trlReward } from './reward.js';

export interface TrainingRewardOptions {
  /** Ids of the completions' tasks; needed where a core is given, and named in errors. */
  readonly taskIds?: readonly string[];
  /** Task ids of a core of one's own, which may not supervise either; with `coreGuard` its tasks under other ids too. */
  readonly core?: ReadonlySet<string> | CoreGuard;
  /** v4 unless given. */
  readonly parser?: SetParser;
}

/** What was found outside the leaderboard, by the object of its map: a trainer asks about the same few hundred again and again. */
const allowed = new WeakMap<ScoreMap, { readonly names: string; readonly scores: Uint16Array }>();

/** Tells whether a task was found outside the leaderboard before, and its objects hold the same still. */
function isAllowed(map: ScoreMap, names: string, scores: Uint16Array): boolean {
  const before = allowed.get(map);
  return before !== undefined && before.names === names && before.scores.every((score, at) => score === scores[at]);
}

const isGuard = (core: ReadonlySet<string> | CoreGuard): core is CoreGuard => 'ids' in core;

function namesOf(choices: ChoiceMap | undefined): readonly string[] {
  if (choices === undefined) return [];
  return Array.isArray(choices)
    ? choices
    : [...'ABCDEFGH'].map((label) => (choices as Readonly<Record<string, string>>)[label] ?? '');
}

/**
 * Gives the rewards of `trlReward` for training: the same rewards, but a task of the leaderboard is refused whatever it is called,
 * however its labels stand and its candidates are spelled (compiler e.7).
 * Errors: LEADERBOARD_MAP; USAGE for batches of unequal length, or a core without task ids; those of `trlReward`.
 */
export function trainingReward(
  completions: readonly Completion[],
  selectionScoresBps: readonly ScoreMap[],
  choices: readonly ChoiceMap[],
  { taskIds, core, parser = DEFAULT_PARSER }: TrainingRewardOptions = {},
): number[] {
  assertBatch(completions, selectionScoresBps, choices, parser);
  if (core !== undefined && taskIds?.length !== completions.length) {
    fail(
      'USAGE',
      null,
      `task_ids has ${taskIds?.length ?? 'no'} entries, completions has ${completions.length}`,
      'A core is kept out by id: give the id of each task.',
    );
  }
  const guard = core === undefined || isGuard(core) ? core : { ids: core };
  selectionScoresBps.forEach((map, i) => {
    const names = namesOf(choices[i]);
    const spelled = names.join('\n');
    const scores = Uint16Array.from(PORTFOLIOS, (key) => map[key] ?? 0);
    if (guard === undefined && isAllowed(map, spelled, scores)) return;
    const id = taskIds?.[i] ?? `of completion ${i}`;
    assertTrainable([{ id, choices: names, scores }], guard);
    if (guard === undefined) allowed.set(map, { names: spelled, scores });
  });
  return trlReward(completions, selectionScoresBps, choices, parser);
}
