import { assertTrainable } from '../tasks/leaderboard.js';
import { PORTFOLIOS } from '../tasks/task.js';
import { fail } from '../util/error.js';
import type { SetParser } from './parser.js';
import { type ChoiceMap, type Completion, type ScoreMap, trlReward } from './reward.js';

export interface TrainingRewardOptions {
  /** Ids of the completions' tasks; needed where a core is given, and named in errors. */
  readonly taskIds?: readonly string[];
  /** Task ids of a core of one's own, which may not supervise either. */
  readonly core?: ReadonlySet<string>;
  /** v4 unless given. */
  readonly parser?: SetParser;
}

/** Maps already found outside the leaderboard: a trainer asks about the same few hundred again and again. */
const allowed = new WeakSet<ScoreMap>();

/**
 * Gives the rewards of `trlReward` for training: the same rewards, but a map of the leaderboard is refused whatever its task is called.
 * Errors: LEADERBOARD_MAP; USAGE for batches of unequal length, or a core without task ids; those of `trlReward`.
 */
export function trainingReward(
  completions: readonly Completion[],
  selectionScoresBps: readonly ScoreMap[],
  choices: readonly ChoiceMap[],
  { taskIds, core, parser }: TrainingRewardOptions = {},
): number[] {
  if (core !== undefined && taskIds?.length !== completions.length) {
    fail(
      'USAGE',
      null,
      `task_ids has ${taskIds?.length ?? 'no'} entries, completions has ${completions.length}`,
      'A core is kept out by id: give the id of each task.',
    );
  }
  selectionScoresBps.forEach((map, i) => {
    if (allowed.has(map) && core === undefined) return;
    const id = taskIds?.[i] ?? `of completion ${i}`;
    assertTrainable([{ id, scores: Uint16Array.from(PORTFOLIOS, (key) => map[key] ?? 0) }], core);
    allowed.add(map);
  });
  return trlReward(completions, selectionScoresBps, choices, parser);
}
