import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { type LogCell, listed, nearest, scoreOf } from './cell.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT = 'Give { "ALGORITHM": [[run 1: one score a task], [run 2], ...], ... }, the same tasks in every run.';

/**
 * A dictionary of scores as rliable takes it, in JSON (reading 2.10): per algorithm runs x tasks, or runs x tasks x frames,
 *
 *     { "DQN": [[0.1, 0.9], [0.2, 0.8]], "PPO": [[0.3, 0.7], [0.1, 0.6]] }
 *
 * The runs are attempts; tasks have no names but their numbers. Of several frames the last is taken, or the one that --filter names.
 */
export const RLIABLE: LogFormat = {
  name: 'rliable',
  log: 'an rliable score dictionary in JSON',
  filters: true,
  recognise: ({ document }) => {
    const runs = isObject(document) ? Object.values(document) : [];
    return runs.length > 0 && runs.every((list) => Array.isArray(list) && list.length > 0 && list.every(isScoreRow));
  },
  read: readScores,
};

const isScoreRow = (row: unknown): row is readonly unknown[] =>
  Array.isArray(row) && row.length > 0 && row.every(isEntry);
const isEntry = (entry: unknown): boolean => entry === null || typeof entry === 'number' || isFrames(entry);
const isFrames = (entry: unknown): entry is readonly unknown[] =>
  Array.isArray(entry) && entry.length > 0 && entry.every((value) => value === null || typeof value === 'number');

function readScores({ file, document }: OpenedLog, options: LogOptions): LogRead {
  const algorithms = Object.entries(document as JsonObject) as [string, readonly (readonly unknown[])[]][];
  const tasks = algorithms[0]![1][0]!.length;
  const frames = isFrames(algorithms[0]![1][0]![0]) ? algorithms[0]![1][0]![0].length : 0;
  const filters = Array.from({ length: frames }, (_, i) => String(i + 1));
  const { filter = filters.at(-1) ?? null } = options;
  if (filter !== null && !filters.includes(filter))
    fail(
      'SCHEMA_INVALID',
      { file },
      `no frame ${shown(filter)}; ${listed(filters)}`,
      `${nearest('--filter', filter, filters)}${HINT}`,
    );
  const cells = algorithms.flatMap(([model, runs]) =>
    runs.flatMap((run, r) => {
      if (run.length !== tasks)
        fail(
          'SCHEMA_INVALID',
          { file, path: `${model}[${r}]` },
          `${counted(run.length, 'task')}, elsewhere ${tasks}`,
          HINT,
        );
      return run.map((entry, t): LogCell => {
        const place = { file, path: `${model}[${r}][${t}]` };
        if (isFrames(entry) ? entry.length !== frames : frames > 0)
          fail('SCHEMA_INVALID', place, `${frames === 0 ? 'one score' : `${frames} frames`} expected`, HINT);
        const value = scoreOf(isFrames(entry) ? entry[Number(filter) - 1] : entry);
        if (value === undefined) fail('SCHEMA_INVALID', place, `a number expected, found ${shown(entry)}`, HINT);
        return {
          model,
          family: 'rliable',
          sample: String(t + 1),
          repeat: r + 1,
          value,
          metric: 'score',
          filter,
          place,
        };
      });
    }),
  );
  return { cells, metrics: ['score'], filters };
}
