import { type Command, Option } from 'commander';
import { DEFAULT_PARSER, SET_PARSERS, type SetParser } from '../../responses/parser.js';
import { scoreAnswer } from '../../responses/reward.js';
import { assertTrainable, coreGuard } from '../../tasks/leaderboard.js';
import { readCorePlan, readTaskFiles } from '../../tasks/task-files.js';
import { fail, shown } from '../../util/error.js';
import { nearestOrAll } from '../../util/spelling.js';
import { printJson } from '../print.js';

interface RewardFlags {
  readonly tasks: string[];
  readonly taskId: string;
  readonly completion: string;
  readonly training?: boolean;
  readonly core?: string;
  readonly parser?: SetParser;
}

/** Adds `reward` to the program. */
export function register(program: Command): void {
  program
    .command('reward')
    .description('Reward of one answer, 0 to 1, as JSON; an answer that cannot be read earns 0.')
    .requiredOption('--tasks <files...>', 'task-set documents or task rows')
    .requiredOption('--task-id <id>', 'task')
    .requiredOption('--completion <text>', "the model's answer")
    .option('--training', 'the reward will train a model: refuse tasks of the leaderboard')
    .option('--core <plan>', 'likewise, and refuse the tasks of this core too')
    .addOption(new Option('--parser <version>', 'parser of the answer (default: v4)').choices(SET_PARSERS))
    .option('--json', 'print JSON, which this command always does')
    .action(({ tasks, taskId, completion, training, core, parser = DEFAULT_PARSER }: RewardFlags) => {
      const files = readTaskFiles(tasks);
      const task = files.byId.get(taskId);
      if (task === undefined) {
        fail(
          'TASK_UNKNOWN',
          null,
          `task ${shown(taskId)} is in no task file`,
          `${nearestOrAll(taskId, [...files.byId.keys()])} \`tasks list FILE\` shows all.`,
        );
      }
      if (training || core !== undefined) {
        const guard = core === undefined ? undefined : coreGuard(readCorePlan(core).ids, files.tasks);
        assertTrainable([task], guard);
      }
      const { outcome, key, scoreBps, reward, reasoned } = scoreAnswer(task, completion, parser);
      printJson({
        task_id: taskId,
        reward,
        // An unreadable answer earns nothing, and has no score.
        score: key === null ? null : scoreBps / 100,
        score_bps: key === null ? null : scoreBps,
        selection: key,
        outcome,
        parser,
        inline_reasoning: reasoned,
      });
    });
}
