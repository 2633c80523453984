import * as Plot from '@observablehq/plot';
import { columnsOf } from '../util/arrow.js';
import { renderFigure } from '../util/figure.js';
import { type AnalysisReport, modelAxis, nameMargin, percent, three } from './report.js';
import type { RosterResult } from './roster.js';

/** Omissions as a table, a figure and a paragraph. */
export function rosterReport(result: RosterResult): AnalysisReport {
  const { omissions, tasks, most_influential: most } = result;
  const changed = omissions.filter(({ kept_tasks }) => kept_tasks < tasks);
  const moved = omissions.filter(({ leader_kept }) => !leader_kept);
  const worst = omissions.find(({ omitted }) => omitted === most);
  const models = [...omissions]
    .sort((a, b) => a.kept_tasks - b.kept_tasks)
    .map(({ omitted }) => omitted);
  return {
    columns: columnsOf(omissions, {
      omitted: ['text', (row) => row.omitted],
      kept_tasks: ['int32', (row) => row.kept_tasks],
      kept_share: ['float64', (row) => row.kept_share],
      least_available: ['int32', (row) => row.least_available],
      rank_spearman: ['float64', (row) => row.rank_spearman],
      pair_order_agreement: ['float64', (row) => row.pair_order_agreement],
      mean_absolute_shift: ['float64', (row) => row.mean_absolute_shift],
      maximum_absolute_shift: ['float64', (row) => row.maximum_absolute_shift],
      leader: ['text', (row) => row.leader],
      leader_kept: ['bool', (row) => row.leader_kept],
    }),
    words: `Leaving one model out and selecting the tasks anew changes the task set for ${changed.length} of ${omissions.length} models. The most influential is ${most}: without it ${percent(worst?.kept_share ?? 1, 1)} of the ${tasks} tasks stay, and the other models keep a rank correlation of ${three(worst?.rank_spearman ?? 1)} and ${percent(worst?.pair_order_agreement ?? 1, 1)} of their pair orders. ${moved.length === 0 ? 'No omission changes the leader' : `${moved.length} omissions change the leader: ${moved.map(({ omitted }) => omitted).join(', ')}`}. It shows what one model's failures decide; it does not show what a roster of other models would decide.`,
    figure: (theme) =>
      renderFigure({
        theme,
        width: 700,
        height: 44 + 19 * models.length,
        title: 'What one model decides about the task set',
        subtitle: `Share of the ${tasks} selected tasks that stay when a model is left out.`,
        caption: 'Hollow: the leader of the others changes.',
        plot: (c) => ({
          marginLeft: nameMargin(models),
          marginRight: 56,
          marginBottom: 40,
          x: { label: null, domain: [0, 1], tickFormat: '%', grid: true },
          y: modelAxis(models),
          marks: [
            Plot.ruleY(omissions, {
              y: 'omitted',
              x2: 'kept_share',
              stroke: c.grid,
              strokeWidth: 2,
            }),
            Plot.dot(omissions, {
              x: 'kept_share',
              y: 'omitted',
              r: 4,
              stroke: c.blue,
              strokeWidth: 1.5,
              fill: (d: { leader_kept: boolean }) => (d.leader_kept ? c.blue : c.background),
            }),
          ],
        }),
      }),
  };
}
