import { z } from 'zod';
import { answerReading, readAnswer } from '../../responses/answer.js';
import { OUTCOMES, selectionOf } from '../../responses/outcome.js';
import { DEFAULT_PARSER, SET_PARSERS, type SetParser } from '../../responses/parser.js';
import { BEST_BPS } from '../../tasks/task-row.js';
import { failure } from '../../util/error.js';
import type { Service } from '../service.js';
import type { Operation } from './operation.js';

export const parserField = z.enum(SET_PARSERS).optional().describe('Parser of the answers; v4 unless given.');

/** A row of answers as files hold them: every key that `rescore` reads is read here. */
const answerRow = z
  .looseObject({ task_id: z.string() })
  .describe('An answer as a line of a response file: task_id, and response or selection; model_id may be given.');

/** What an answer is worth. */
export const scoredRow = z.object({
  task_id: z.string(),
  model_id: z.string().optional().describe('As the row names it.'),
  outcome: z.enum(OUTCOMES).describe('ok, or why there is no selection.'),
  selection: z.string().nullable().describe('The three labels that were chosen, such as ACF.'),
  score: z.number().nullable().describe('0 to 100; null where the answer cannot be read.'),
  score_bps: z.int().nullable().describe('The same in hundredths.'),
  inline_reasoning: z.boolean().describe('Reasoning in the text was passed over.'),
});
export type ScoredRow = z.infer<typeof scoredRow>;

const request = z.strictObject({ answers: z.array(answerRow).min(1).max(65_536), parser: parserField });
const answer = z.object({ parser: z.enum(SET_PARSERS), scores: z.array(scoredRow) });

/** Where an answer stands: in a list, or on a line. */
interface RowPlace {
  readonly file: string;
  readonly line?: number;
  readonly item?: number;
}

/** Scores one row of answers and says its code (`answerReading`). Errors: SCHEMA_INVALID, TASK_UNKNOWN. */
export function scoreRow(service: Service, row: unknown, place: RowPlace, parser: SetParser) {
  const given = readAnswer(row, place);
  const task = service.task(given.task, { file: place.file, line: place.line, row: place.item });
  const { code, reasoned } = answerReading(given, task, parser);
  const { outcome, key } = selectionOf(code);
  const bps = code < 0 ? null : task.scores[code]!;
  const scored: ScoredRow = {
    task_id: given.task,
    ...(given.model === '' ? {} : { model_id: given.model }),
    outcome,
    selection: key,
    score: bps === null ? null : (100 * bps) / BEST_BPS,
    score_bps: bps,
    inline_reasoning: reasoned,
  };
  return { scored, code, model: given.model, task };
}

/** Scores answers to tasks of the service, each by itself. */
export const score: Operation<z.infer<typeof request>, z.infer<typeof answer>> = {
  name: 'score',
  summary: 'Score answers to tasks of the service, each by itself.',
  request,
  answer,
  run({ answers, parser = DEFAULT_PARSER }, service) {
    if (service.tasks.size === 0)
      throw failure('TASK_UNKNOWN', null, 'the service has no tasks', 'Start it with --tasks FILE...');
    const place = (i: number) => ({ file: 'answers', item: i + 1 });
    return { parser, scores: answers.map((row, i) => scoreRow(service, row, place(i), parser).scored) };
  },
};
