import { isObject } from '../io/json.js';
import { fail } from '../util/error.js';
import type { LogFormat } from './log-format.js';
import { isPromptfooRow, PROMPTFOO_HINT, promptfooRead } from './promptfoo-results.js';

/** Results of promptfoo as one JSON document, with the rows in `results.results` or, in early versions, in `results` itself (reading 2.3). */
export const PROMPTFOO_JSON: LogFormat = {
  name: 'promptfoo',
  log: 'a promptfoo result',
  recognise: ({ document }) => isPromptfooRow(resultList(document)?.[0]),
  read: ({ file, document }, options) => {
    const rows = resultList(document)!.map((row, i) => {
      const place = { file, path: `results[${i}]` };
      if (!isObject(row)) fail('SCHEMA_INVALID', place, 'an object expected', PROMPTFOO_HINT);
      return { row, place };
    });
    return promptfooRead(rows, options);
  },
};

function resultList(document: unknown): readonly unknown[] | undefined {
  if (!isObject(document)) return undefined;
  const { results } = document;
  if (Array.isArray(results)) return results;
  return isObject(results) && Array.isArray(results.results) ? results.results : undefined;
}
