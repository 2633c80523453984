import type { Agreement } from '../agreement.js';
import type { CheckpointResult } from './other-maps.js';

/** Models whose ranks the figure of one column follows. */
export const FOLLOWED = 10;

/** The leaderboard under one set of other maps. */
export interface CheckpointRow extends Agreement {
  /** Median rank correlation of single maps. */
  readonly taskMap: number;
  readonly correlationRange: readonly [number, number];
  readonly pairRange: readonly [number, number];
  readonly leader: string;
  /** Rank of each model under these maps, by id. */
  readonly ranks: ReadonlyMap<string, number>;
}

/** One row a checkpoint. */
export function checkpointRows(checkpoints: readonly CheckpointResult[]): CheckpointRow[] {
  return checkpoints.map(
    ({ checkpoint, task_maps, board, rank_spearman, pair_order_agreement, leader, bootstrap }) => ({
      label: checkpoint,
      taskMap: task_maps.rank_median,
      correlation: rank_spearman,
      correlationRange: [bootstrap.rank_spearman.low, bootstrap.rank_spearman.high],
      pairOrder: pair_order_agreement,
      pairRange: [bootstrap.pair_order_agreement.low, bootstrap.pair_order_agreement.high],
      leader,
      ranks: new Map(board.map(({ model_id, rank }) => [model_id, rank])),
    }),
  );
}
