import * as Plot from '@observablehq/plot';
import { columnsOf } from '../util/arrow.js';
import { renderFigure } from '../util/figure.js';
import type { CheckpointResult } from './checkpoints.js';
import { type AnalysisReport, percent, three } from './report.js';

/** Boards under other maps as a table, a figure and a paragraph. */
export function checkpointsReport(results: readonly CheckpointResult[]): AnalysisReport {
  const rows = results.flatMap(({ checkpoint, board }) =>
    board.map((row) => ({ checkpoint, ...row })),
  );
  const marks = results.flatMap(
    ({ checkpoint, rank_spearman, pair_order_agreement, bootstrap }) => [
      {
        checkpoint,
        kind: 'rank correlation',
        value: rank_spearman,
        low: bootstrap.rank_spearman.low,
        high: bootstrap.rank_spearman.high,
      },
      {
        checkpoint,
        kind: 'pair order',
        value: pair_order_agreement,
        low: bootstrap.pair_order_agreement.low,
        high: bootstrap.pair_order_agreement.high,
      },
    ],
  );
  const low = Math.min(0.8, ...marks.map((mark) => Math.floor(mark.low * 10) / 10));
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
    figure: (theme) =>
      renderFigure({
        theme,
        width: 640,
        height: 70 + 64 * results.length,
        title: 'The same answers under other reward models',
        subtitle:
          'Agreement of the models’ order with the released maps; bars: 95% anchor bootstrap.',
        plot: (c) => ({
          marginLeft: 110,
          marginRight: 150,
          marginBottom: 40,
          x: { label: null, domain: [low, 1], grid: true },
          y: { label: null, type: 'band', domain: results.map(({ checkpoint }) => checkpoint) },
          marks: [
            ...(['rank correlation', 'pair order'] as const).flatMap((kind, i) => {
              const own = marks.filter((mark) => mark.kind === kind && mark.value !== null);
              const colour = i === 0 ? c.blue : c.gold;
              const dy = i === 0 ? -10 : 10;
              return [
                Plot.ruleY(own, {
                  y: 'checkpoint',
                  x1: 'low',
                  x2: 'high',
                  stroke: colour,
                  strokeWidth: 3,
                  dy,
                }),
                Plot.dot(own, { x: 'value', y: 'checkpoint', r: 5, fill: colour, dy }),
                Plot.text(own, {
                  x: 1,
                  y: 'checkpoint',
                  dx: 10,
                  dy,
                  textAnchor: 'start',
                  text: (d: { kind: string; value: number }) => `${d.value.toFixed(3)} ${d.kind}`,
                  fill: c.ink,
                }),
              ];
            }),
          ],
        }),
      }),
  };
}
