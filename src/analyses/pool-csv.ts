import type { CsvTable } from '../io/csv.js';
import { readCsv } from '../io/read-file.js';
import { type FlavourError, fail, failure, shown } from '../util/error.js';
import type { CandidatePool } from './roster/omission.js';

/**
 * Reads a candidate pool: `task_id,panel,family,primary_category`, then one `valid:MODEL` (0 or 1) and one `bps:MODEL`
 * column a model. Errors: SCHEMA_INVALID with line and column, TASK_DUPLICATE.
 */
export function readPoolCsv(path: string): CandidatePool {
  const table: CsvTable = readCsv(path);
  const { header, rows, lines } = table;
  const column = (name: string): number => {
    const found = header.indexOf(name);
    if (found >= 0) return found;
    throw wrong(path, 1, `column ${shown(name)} is missing`);
  };
  const models = header.flatMap((name) => (name.startsWith('valid:') ? [name.slice(6)] : []));
  if (models.length === 0) throw wrong(path, 1, 'no column valid:MODEL');
  const [id, panel, family, category] = ['task_id', 'panel', 'family', 'primary_category'].map(column) as [
    number,
    number,
    number,
    number,
  ];
  const twice = models.find((model, m) => models.indexOf(model) !== m);
  if (twice !== undefined) throw wrong(path, 1, `model ${shown(twice)} has two columns`);
  const seen = new Set<string>();
  rows.forEach((cells, t) => {
    const task = cells[id]!;
    if (seen.has(task)) {
      fail('TASK_DUPLICATE', { file: path, line: lines[t]! }, `task ${shown(task)} stands twice`);
    }
    seen.add(task);
  });
  const places = models.map((model) => [column(`valid:${model}`), column(`bps:${model}`)] as const);
  const valid = new Uint8Array(models.length * rows.length);
  const scores = new Float64Array(valid.length);
  rows.forEach((cells, t) => {
    places.forEach(([bit, bps], m) => {
      const at = m * rows.length + t;
      if (cells[bit] !== '0' && cells[bit] !== '1') {
        throw wrong(path, lines[t]!, `valid:${models[m]}: 0 or 1 expected, found ${shown(cells[bit])}`);
      }
      valid[at] = Number(cells[bit]);
      const score = valid[at] === 0 && cells[bps] === '' ? 0 : Number(cells[bps]);
      if (!Number.isInteger(score) || score < 0 || score > 10_000) {
        throw wrong(path, lines[t]!, `bps:${models[m]}: 0 to 10000 expected, found ${shown(cells[bps])}`);
      }
      scores[at] = score;
    });
  });
  return {
    models,
    tasks: rows.map((cells) => ({
      id: cells[id]!,
      panel: cells[panel]!,
      family: cells[family]!,
      category: cells[category]!,
    })),
    valid,
    scores,
  };
}

function wrong(file: string, line: number, message: string): FlavourError {
  return failure(
    'SCHEMA_INVALID',
    { file, line },
    message,
    'Columns: task_id, panel, family, primary_category, valid:MODEL..., bps:MODEL...',
  );
}
