import { columnsOf } from '../../io/arrow.js';
import type { RankedModel } from '../analysis.js';
import { type AnalysisReport, percent, three } from '../report.js';
import type { CheckpointResult } from './other-maps.js';

/** Boards under other maps as a table, a figure and a paragraph. */
export function checkpointsReport(results: readonly CheckpointResult[]): AnalysisReport {
  const rows = results.flatMap(({ checkpoint, board }) => board.map((row) => ({ checkpoint, ...row })));
  return {
    columns: columnsOf(rows, {
      checkpoint: ['text', (row) => row.checkpoint],
      model: ['text', (row) => row.model_id],
      score: ['float64', (row) => row.score],
      rank: ['int32', (row) => row.rank],
      original_score: ['float64', (row) => row.original_score],
      original_rank: ['int32', (row) => row.original_rank],
    }),
    words: `${results.map(({ checkpoint, task_maps, rank_spearman, pair_order_agreement, bootstrap, leader, leader_kept }) => `Under ${checkpoint} the maps of single tasks keep a median rank correlation of ${three(task_maps.rank_median)} and the same optimum on ${percent(task_maps.same_optimum_rate, 1)} of tasks; the models keep a rank correlation of ${three(rank_spearman)} (bootstrap ${three(bootstrap.rank_spearman.low)} to ${three(bootstrap.rank_spearman.high)}) and ${percent(pair_order_agreement, 1)} of pair orders, and ${leader} ${leader_kept ? 'still leads' : 'leads instead'}.`).join(' ')} The answers are the same; only the reward model changed. It shows how far the order hangs on one reward model, not which reward model is right.`,
    figure: async (options) =>
      (await import('./figure.js')).drawCheckpoints(results, { ...options, models: rankedModels(results) }),
  };
}

/** The models of the document in its order, under their ids. */
const rankedModels = (results: readonly CheckpointResult[]): RankedModel[] =>
  (results[0]?.board ?? []).map(({ model_id: id, original_rank: rank }) => ({ id, name: id, rank }));
