import { z } from 'zod';
import { incomplete } from '../../core/matrix.js';
import { matrixFromAnswers } from '../../core/matrix-answers.js';
import { statedCells } from '../../core/stated-cells.js';
import { runInference } from '../../inference/infer.js';
import { inferenceDocument } from '../../inference/inference-document.js';
import { type InputFile, inputFile } from '../../io/envelope.js';
import { readAnswer } from '../../responses/answer.js';
import { SET_PARSERS } from '../../responses/parser.js';
import { fail } from '../../util/error.js';
import type { Service } from '../service.js';
import type { Operation } from './operation.js';
import { planAsked, tableFields, tableOptions, tableScores } from './table-fields.js';

const request = z.strictObject({
  ...tableFields,
  answers: z
    .array(z.looseObject({ task_id: z.string() }))
    .optional()
    .describe('Answers to the tasks of the service instead of a table: rows of a response file with model_id.'),
  parser: z.enum(SET_PARSERS).optional().describe('Parser of the answers; v4 unless given.'),
  options: tableOptions.optional().describe('Options of `flavourbench infer`, under the same words.'),
});

const answer = z.object({
  warnings: z.array(z.string()).describe('Sentences without a full stop that belong to every reading of the result.'),
  document: z
    .looseObject({ schema: z.string(), results_sha256: z.string() })
    .describe('inference.json, as the command writes it.'),
});

type Request = z.infer<typeof request>;

/** Makes the matrix of the answers of a request to the ranked tasks of the service. Errors: INCOMPLETE; those of `matrixFromAnswers` and `assertComparable`. */
function answeredMatrix({ answers = [], parser, options = {} }: Request, service: Service) {
  const rows = answers.map((row, i) => {
    const place = { file: 'answers', line: i + 1 };
    return { answer: readAnswer(row, place), ...place, row: () => null };
  });
  const { models, without, missing } = options;
  const read = matrixFromAnswers({ answers: rows, tasks: service.ranked, parser, rule: missing, models, without });
  const stated = statedCells();
  const tasks = new Map(service.ranked.map((task) => [task.id, task]));
  for (const one of rows) {
    const task = tasks.get(one.answer.task);
    if (task !== undefined) stated.note(one.answer.model, task, one.answer.key, one);
  }
  stated.check(read.leftOut);
  if (read.matrix === null) throw incomplete(read.missing, read.cells);
  return { ...read, matrix: read.matrix, warnings: [], fromAnswers: true };
}

/** Runs the whole inference of a leaderboard over a table or over answers (statistics 5 to 12). */
export const infer: Operation<Request, z.infer<typeof answer>> = {
  name: 'infer',
  summary: 'Full inference over a table of scores, or over answers to tasks of the service.',
  request,
  answer,
  long: true,
  async run(asked, service) {
    const { answers, parser: _, options, ...table } = asked;
    const tabled = table.table ?? table.base64;
    if (answers !== undefined && tabled !== undefined)
      fail('USAGE', null, 'both answers and a table', 'Send one of the two.');
    const scores = answers === undefined ? await tableScores(table, options) : undefined;
    const read = scores ?? answeredMatrix(asked, service);
    const files: readonly InputFile[] = scores?.read.map(({ bytes }) => inputFile('scores', bytes)) ?? [
      inputFile('responses', Buffer.from(JSON.stringify(answers))),
    ];
    const engine = await service.engine();
    const { matrix, bounds } = read;
    const plan = planAsked(options);
    const inference = await runInference({ matrix, bounds, plan, otherTest: plan.test !== undefined, engine });
    const warnings = [...inference.warnings, ...read.warnings];
    const { document } = inferenceDocument({
      ...read,
      inference,
      inputs: files,
      run: {
        ...{ backend: engine.backend, threads: engine.threads, reason: engine.reason ?? 'as asked', warnings },
        ...(scores === undefined ? {} : { read: scores.reading }),
      },
    });
    return { warnings, document: document as unknown as z.infer<typeof answer>['document'] };
  },
};
