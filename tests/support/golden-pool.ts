import { readFileSync } from 'node:fs';
import type { CandidatePool } from '../../src/sensitivity/roster.js';
import { readTaskFiles } from '../../src/tasks/taskset.js';
import { shared } from './shared.js';

const SETS = [
  'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
  '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
];

/** The synthetic candidate pool: validity and scores of 27 models on 960 candidates. */
export function goldenPool(): CandidatePool {
  const [header, ...lines] = readFileSync(shared('golden/analyses/pool.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const models = header!
    .filter((name) => name.startsWith('valid:'))
    .map((name) => name.slice('valid:'.length));
  const valid = new Uint8Array(models.length * lines.length);
  const scores = new Float64Array(valid.length);
  lines.forEach((cells, t) => {
    models.forEach((_, m) => {
      valid[m * lines.length + t] = Number(cells[4 + m]);
      scores[m * lines.length + t] = Number(cells[4 + models.length + m]);
    });
  });
  return {
    models,
    tasks: lines.map(([id, panel, family, category]) => ({
      id: id!,
      panel: panel!,
      family: family!,
      category: category!,
    })),
    valid,
    scores,
  };
}

/** The released tasks by id. */
export const releasedTasks = () =>
  readTaskFiles(SETS.map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`)))
    .byId;

export const CORE_SEED = 'flavourbench-all-model-complete-common-core-v1';
export const PANELS = ['panel_1', 'panel_2'];
export const FAMILIES = ['substitution', 'pairing', 'constraint'];
