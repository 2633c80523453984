import type { ScoreMatrix } from '../../core/matrix.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { plannedDesign, visibleDifference } from '../../inference/decisions/neighbours.js';
import { byRank } from '../../inference/model-ranks.js';
import type { Inference } from '../../inference/result.js';
import { plannedStrata } from '../../inference/strata.js';

/**
 * Finds the true difference, points, between two neighbours that these tasks find four times in five; null where it is not known, or lies
 * past the range of the values.
 */
export function visibleIn(matrix: ScoreMatrix, { plan, models, tasks, pairSummary }: Inference): number | null {
  const design = clusterDesign(matrix, plannedStrata(matrix, plan));
  const needed = pairSummary?.clustersNeeded ?? null;
  const planned = plannedDesign({ design, tasks, needed, plan, models: models.length });
  const visible = visibleDifference(
    planned,
    byRank(models).map(({ index }) => index),
  );
  const low = matrix.values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = matrix.values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return visible !== null && visible * matrix.scale < high - low ? visible : null;
}
