import * as Plot from '@observablehq/plot';
import { rowAxis } from '../draw/axis.js';
import { renderFigure, themeColours } from '../draw/figure.js';
import { measured } from '../draw/text.js';
import { columnsOf } from '../io/arrow.js';
import { type AnalysisReport, MODEL_ROW, percent, three } from './report.js';
import type { RosterResult } from './roster.js';

/** Omissions as a table, a figure and a paragraph. */
export function rosterReport(result: RosterResult): AnalysisReport {
  const { omissions, tasks, most_influential: most } = result;
  const changed = omissions.filter(({ kept_tasks }) => kept_tasks < tasks);
  const moved = omissions.filter(({ leader_kept }) => !leader_kept);
  const worst = omissions.find(({ omitted }) => omitted === most);
  const rows = [...omissions].sort((a, b) => a.kept_tasks - b.kept_tasks).map((omission, at) => ({ ...omission, at }));
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
    figure: (theme) => {
      const axis = rowAxis(rows.map(({ omitted }) => omitted));
      return renderFigure({
        theme,
        height: 44 + MODEL_ROW * rows.length,
        title: 'What one model decides about the task set',
        subtitle: `Share of the ${tasks} selected tasks that stay when a model is left out.`,
        legend: [
          { label: 'the same model leads the others', colour: themeColours(theme).blue },
          {
            label: 'another model leads',
            colour: themeColours(theme).blue,
            mark: 'ring' as const,
          },
        ],
        plot: (c) => ({
          marginLeft: axis.marginLeft,
          marginRight: 72,
          marginTop: 6,
          marginBottom: 38,
          x: { label: 'tasks kept', domain: [0, 1], tickFormat: '%', ticks: 5, grid: true },
          y: axis.y,
          marks: [
            Plot.ruleY(rows, {
              y: 'at',
              x1: 0,
              x2: 'kept_share',
              stroke: c.blue,
              strokeWidth: 1.5,
            }),
            Plot.dot(rows, {
              x: 'kept_share',
              y: 'at',
              r: 4,
              stroke: c.blue,
              strokeWidth: 1.5,
              fill: (d: { leader_kept: boolean }) => (d.leader_kept ? c.blue : c.background),
            }),
            Plot.text(rows, {
              y: 'at',
              frameAnchor: 'right',
              textAnchor: 'end',
              dx: 12 + measured('100.0%', 12),
              text: (d: { kept_share: number }) => percent(d.kept_share, 1),
              fill: c.ink,
            }),
          ],
          color: { type: 'identity' },
        }),
      });
    },
  };
}
