import type { ScoreMatrix } from '../core/matrix.js';
import { ordinalRanksDescending, panelMajor, stratifiedScores } from '../inference/rank-agreement.js';
import type { RankedModel } from './analysis.js';

/** The models of a matrix under their ids, ranked by score over strata of panel and family; ties in their order. */
export function rankedByScore(matrix: ScoreMatrix): RankedModel[] {
  const ranks = ordinalRanksDescending(stratifiedScores(matrix, panelMajor(matrix)));
  return matrix.models.map((id, m) => ({ id, name: id, short: id, rank: ranks[m]! }));
}
