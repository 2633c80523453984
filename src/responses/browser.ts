// Everything here runs in a page; index.ts adds what reads files.
export { type Answer, readAnswer } from './answer.js';
export type { PlacedAnswer } from './answer-rows.js';
export type { ChatMessage, Completion } from './chat-completion.js';
export { OUTCOMES, type Outcome, type Selection } from './outcome.js';
export {
  DEFAULT_PARSER,
  type ParsedSelection,
  type ParseOptions,
  type ParserVersion,
  parseAnswer,
  parserName,
  parseSelection,
  type SetParser,
} from './parser.js';
export { type ParserContract, parserContract } from './parser-contract.js';
export { labReport, type Report, type ReportOptions } from './report.js';
export { reportJsonSchema, responseRowJsonSchema } from './report-schema.js';
export { type RescoreResults, type Rescorer, rescorer } from './rescore.js';
export {
  reward,
  type Scored,
  scoreAnswer,
  trlReward,
} from './reward.js';
export { gatherSubmission, type Submission } from './submission.js';
export type { ModelTally } from './tally.js';
export { type TaskRewards, taskRewards } from './task-rewards.js';
export { responseTemplate } from './template.js';
export { type TrainingRewardOptions, trainingReward } from './training-reward.js';
