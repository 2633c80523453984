import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type LogCell, scoreOf } from './cell.js';
import type { LogFormat, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT = 'Give the *_eval_all.json that LiveCodeBench writes into the folder of a model.';

/** What a problem is part of besides its question. */
const PARTS = ['test_id', 'id'] as const;

/**
 * Results of LiveCodeBench, `output/MODEL/SCENARIO_N_TEMPERATURE_eval_all.json` (reading 2.8): a list of problems,
 *
 *     { "question_id": "...", "graded_list": [true, false], "pass@1": 0.5 }
 *
 * Each graded answer is an attempt. Problems made of one question are one cluster. A problem without graded answers, or an answer without
 * a grade, is a missing cell. The model is the folder, the evaluation the scenario.
 */
export const LIVECODEBENCH: LogFormat = {
  name: 'LiveCodeBench',
  log: 'LiveCodeBench results',
  recognise: ({ document }) => Array.isArray(document) && isProblem(document[0]),
  read: readProblems,
};

const isProblem = (row: unknown): row is JsonObject => isObject(row) && 'question_id' in row && 'graded_list' in row;

function readProblems(log: OpenedLog): LogRead {
  const { file, folders } = log;
  const model = folders.at(-1) ?? 'model';
  const family = log.name.replace(/\.json$/, '').replace(/(?:_\d+_[\d.]+)?_eval_all$/, '');
  const cells = (log.document as readonly unknown[]).flatMap((row, i): LogCell[] => {
    const path = `[${i}]`;
    if (!isProblem(row)) fail('SCHEMA_INVALID', { file, path }, 'a problem with graded answers expected', HINT);
    const question = dataText(row.question_id);
    const part = PARTS.map((key) => row[key]).find((id) => typeof id === 'string' || typeof id === 'number');
    const sample = part === undefined ? question : `${question}/${String(part)}`;
    const grades: unknown = row.graded_list ?? [];
    if (!Array.isArray(grades))
      fail('SCHEMA_INVALID', { file, path: `${path}.graded_list` }, `a list expected, found ${shown(grades)}`, HINT);
    const answers: readonly unknown[] = grades.length === 0 ? [null] : grades;
    return answers.map((grade, n): LogCell => {
      const place = { file, path: `${path}.graded_list[${n}]` };
      const value = scoreOf(grade);
      if (value === undefined) fail('SCHEMA_INVALID', place, `true or false expected, found ${shown(grade)}`, HINT);
      return {
        model,
        family,
        sample,
        repeat: n + 1,
        value,
        metric: 'graded',
        filter: null,
        ...(part === undefined ? {} : { cluster: question }),
        place,
      };
    });
  });
  return { cells, metrics: ['graded'], filters: [] };
}
