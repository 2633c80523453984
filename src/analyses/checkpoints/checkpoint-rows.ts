import { byRank } from '../../inference/model-ranks.js';
import type { Agreement } from '../agreement.js';
import { tiedRanks } from '../model-order.js';
import type { CheckpointResult } from './other-maps.js';

/** Models whose ranks the figure of one column follows. */
export const FOLLOWED = 10;

/** A rank, and where it stands: models that share one stand beside one another. */
interface RankPlace {
  readonly rank: number;
  readonly rankTied: boolean;
  /** From 1, by rank, equal ranks by id. */
  readonly place: number;
}

/** Places models in the order of their ranks. */
export function rankPlaces(
  models: readonly { readonly modelId: string; readonly rank: number }[],
): ReadonlyMap<string, RankPlace> {
  const tied = tiedRanks(models.map(({ rank }) => rank));
  return new Map(
    byRank(models).map(({ modelId, rank }, k) => [modelId, { rank, rankTied: tied.has(rank), place: k + 1 }]),
  );
}

/** The order of the models under one set of other maps. */
export interface CheckpointRow extends Agreement {
  /** Median rank correlation of single maps. */
  readonly taskMap: number;
  readonly correlationRange: readonly [number, number];
  readonly pairRange: readonly [number, number];
  /** All that have the first rank. */
  readonly leaders: readonly string[];
  /** Rank of each model under these maps, by id. */
  readonly ranks: ReadonlyMap<string, RankPlace>;
}

/** Lists one row a checkpoint, as figure and table show it. */
export function checkpointRows(checkpoints: readonly CheckpointResult[]): CheckpointRow[] {
  return checkpoints.map(({ checkpoint, task_maps, board, rank_spearman, pair_order_agreement, bootstrap }) => ({
    label: checkpoint,
    taskMap: task_maps.rank_median,
    correlation: rank_spearman,
    correlationRange: [bootstrap.rank_spearman.low, bootstrap.rank_spearman.high],
    pairOrder: pair_order_agreement,
    pairRange: [bootstrap.pair_order_agreement.low, bootstrap.pair_order_agreement.high],
    leaders: board.flatMap(({ model_id, rank }) => (rank === 1 ? [model_id] : [])),
    ranks: rankPlaces(board.map(({ model_id, rank }) => ({ modelId: model_id, rank }))),
  }));
}
