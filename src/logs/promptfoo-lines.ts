import type { LogFormat } from './log-format.js';
import { isPromptfooRow, promptfooRead } from './promptfoo-results.js';

/** Results of promptfoo as JSON Lines, one row a line (reading 2.3). */
export const PROMPTFOO_LINES: LogFormat = {
  name: 'promptfoo',
  log: 'promptfoo results in JSON Lines',
  recognise: ({ first }) => isPromptfooRow(first),
  read: (log, options) => {
    const { rows, warnings } = log.rows();
    const placed = rows.map(({ row, line }) => ({ row, place: { file: log.file, line } }));
    return { ...promptfooRead(placed, options), warnings };
  },
};
