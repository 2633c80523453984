import { z } from 'zod';
import type { Completion } from '../../responses/chat-completion.js';
import { DEFAULT_PARSER, SET_PARSERS } from '../../responses/parser.js';
import type { ChoiceMap, ScoreMap } from '../../responses/reward.js';
import { trainingReward } from '../../responses/training-reward.js';
import { fail } from '../../util/error.js';
import type { Operation } from './operation.js';

const map = z
  .record(z.string(), z.int().min(0).max(10_000))
  .describe('The score of each of the 56 selections, 0 to 10000.');
const choices = z
  .union([z.array(z.string()), z.record(z.string(), z.string())])
  .describe('Eight names in the order of the labels, or an object A to H.');

const request = z.strictObject({
  completions: z
    .array(z.unknown())
    .min(1)
    .max(65_536)
    .describe('Texts, or lists of chat messages of which the last counts; what is none earns 0.'),
  task_ids: z.array(z.string()).optional().describe('Task of each completion; without maps, a task of the service.'),
  selection_scores_bps: z.array(map).optional().describe('Score map of each completion, with its choices.'),
  choices: z.array(choices).optional().describe('Choices of each completion, with its map.'),
  parser: z.enum(SET_PARSERS).optional().describe('Parser of the completions; v4 unless given.'),
});
const answer = z.object({
  rewards: z.array(z.number()).describe('0 to 1, in the order of the completions.'),
  parser: z.enum(SET_PARSERS).describe('Parser that read the completions.'),
});

/** Gives rewards for training: a task of the leaderboard, or of the core of the service, is refused whatever it is called (compiler e.7). */
export const reward: Operation<z.infer<typeof request>, z.infer<typeof answer>> = {
  name: 'reward',
  summary: 'Rewards of completions, 0 to 1, for training: maps of the leaderboard are refused.',
  request,
  answer,
  run({ completions, task_ids, selection_scores_bps: maps, choices: names, parser = DEFAULT_PARSER }, service) {
    const texts = completions as readonly Completion[];
    if (maps === undefined && names === undefined && task_ids !== undefined)
      return { rewards: service.rewards(texts, task_ids, parser), parser };
    if (maps === undefined || names === undefined)
      fail(
        'USAGE',
        null,
        'neither task_ids nor selection_scores_bps with choices',
        'Send task_ids of tasks of the service, or a map and choices with each completion.',
      );
    const given = { taskIds: task_ids, core: service.core, parser };
    return { rewards: trainingReward(texts, maps as ScoreMap[], names as ChoiceMap[], given), parser };
  },
};
