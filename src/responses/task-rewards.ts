import { assertTrainable, type CoreGuard } from '../tasks/leaderboard.js';
import type { Task } from '../tasks/task.js';
import { BEST_BPS } from '../tasks/task-row.js';
import { fail, shown } from '../util/error.js';
import { nearestOrAll } from '../util/spelling.js';
import { taskChoices } from './answer.js';
import { type Completion, completionText } from './chat-completion.js';
import { DEFAULT_PARSER, parseAnswer, type SetParser } from './parser.js';

interface TaskRewardsOptions {
  /** Tasks by id. */
  readonly tasks: ReadonlyMap<string, Task>;
  /** A core of one's own, which may not supervise either. */
  readonly core?: CoreGuard;
}

/**
 * Gives the rewards of completions, 0 to 1, each as an answer to the task of its id; what cannot be read earns 0. Errors: USAGE for lists of
 * unequal length; TASK_UNKNOWN; LEADERBOARD_MAP; SCHEMA_INVALID for a task without choices.
 */
export type TaskRewards = (
  completions: readonly Completion[],
  taskIds: readonly string[],
  parser?: SetParser,
) => number[];

/**
 * Opens the rewards of tasks that are at hand, for training: those of `trainingReward` over their maps, but a task is held against the leaderboard
 * once (compiler e.7).
 */
export function taskRewards({ tasks, core }: TaskRewardsOptions): TaskRewards {
  const allowed = new Map<string, Task>();
  const trainable = (id: string, i: number): Task => {
    const task = tasks.get(id);
    if (task === undefined) {
      fail(
        'TASK_UNKNOWN',
        { path: `task_ids[${i}]` },
        `task ${shown(id)} is in no task file`,
        nearestOrAll(id, [...tasks.keys()]) ??
          'Name task files with --tasks at the start, or send maps and choices with the completions.',
      );
    }
    assertTrainable([task], core);
    allowed.set(id, task);
    return task;
  };
  return (completions, taskIds, parser = DEFAULT_PARSER) => {
    const { length } = completions;
    if (taskIds.length !== length)
      fail(
        'USAGE',
        null,
        `task_ids has ${taskIds.length} entries, completions has ${length}`,
        'Give the id of the task of each completion.',
      );
    const rewards = new Array<number>(length).fill(0);
    for (let i = 0; i < length; i += 1) {
      const task = allowed.get(taskIds[i]!) ?? trainable(taskIds[i]!, i);
      const code = parseAnswer(completionText(completions[i]), taskChoices(task), parser);
      if (code >= 0) rewards[i] = task.scores[code]! / BEST_BPS;
    }
    return rewards;
  };
}
