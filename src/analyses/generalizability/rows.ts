import { type Generalizability, SOURCES, type Source } from './variance.js';

const LABEL: Readonly<Record<Source, string>> = {
  model: 'model',
  family: 'family',
  panel: 'panel',
  family_by_panel: 'family x panel',
  task_within_family_panel: 'task within stratum',
  model_by_task: 'model x task, residual',
};

/** One row a source of variance, in the order of the published table. */
export function varianceRows(result: Generalizability) {
  return SOURCES.map((source) => ({
    source,
    label: LABEL[source],
    sum_of_squares: result.sum_squares[source],
    fraction: result.fractions[source],
  }));
}
