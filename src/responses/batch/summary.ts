import { csvText } from '../../io/csv.js';
import { OUTCOMES } from '../outcome.js';
import type { ModelTally } from '../tally.js';
import { REASONS } from './row-table.js';

/** Models by their mean with unreadable answers as 0, the highest first; those without one last, then by name. */
export function byScore(models: readonly ModelTally[]): ModelTally[] {
  return [...models].sort(
    (a, b) => (b.meanAll ?? -1) - (a.meanAll ?? -1) || (a.model < b.model ? -1 : a.model > b.model ? 1 : 0),
  );
}

/** Writes rows by model, family and reason as CSV: models by score, families as the tasks have them, reasons as they are listed. */
export function summaryCsv(models: readonly ModelTally[]): string {
  const points = (total: number, rows: number) => (rows === 0 ? '' : total / (100 * rows));
  return csvText(
    ['model', 'model_mean', 'model_mean_of_readable', 'family', 'outcome', 'reason', 'rows', 'mean'],
    byScore(models).flatMap(({ model, meanAll, meanReadable, families }) =>
      families.flatMap(({ family, outcomes, totalBps }) =>
        OUTCOMES.filter((outcome) => outcomes[outcome] > 0).map((outcome) => [
          model,
          meanAll ?? '',
          meanReadable ?? '',
          family,
          outcome,
          outcome === 'ok' ? '' : REASONS[outcome],
          outcomes[outcome],
          outcome === 'ok' ? points(totalBps, outcomes.ok) : '',
        ]),
      ),
    ),
  );
}
