import { readFileSync } from 'node:fs';
import type { CandidatePool } from '../../src/analyses/candidates.js';
import { readTaskFiles } from '../../src/tasks/task-files.js';
import { TASK_SETS } from './released-files.js';
import { shared } from './shared.js';

/** The synthetic candidate pool: validity and scores of 27 models on 960 candidates. */
export function goldenPool(): CandidatePool {
  const [header, ...lines] = readFileSync(shared('golden/analyses/pool.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const models = header!.filter((name) => name.startsWith('valid:')).map((name) => name.slice('valid:'.length));
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
export const releasedTasks = () => readTaskFiles(TASK_SETS()).byId;

export const CORE_SEED = 'flavourbench-all-model-complete-common-core-v1';
export const PANELS = ['panel_1', 'panel_2'];
export const FAMILIES = ['substitution', 'pairing', 'constraint'];
