import { columnsOf } from '../../io/arrow.js';
import { type AnalysisReport, percent, three } from '../report.js';
import type { RosterResult } from './omission.js';

/** Omissions as a table, a figure and a paragraph. */
export function rosterReport(result: RosterResult): AnalysisReport {
  const { omissions, tasks, most_influential: most } = result;
  const changed = omissions.filter(({ kept_tasks }) => kept_tasks < tasks);
  const moved = omissions.filter(({ leader_kept }) => !leader_kept);
  const worst = omissions.find(({ omitted }) => omitted === most);
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
    figure: async (options) => (await import('./figure.js')).drawRoster(result, options),
  };
}
