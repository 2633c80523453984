import type { Command } from 'commander';
import { coreTasks } from '../../../tasks/coreplan.js';
import { mapStatistics } from '../../../tasks/map-statistics.js';
import { readCorePlan, readTaskFiles } from '../../../tasks/task-files.js';
import { fixed } from '../../../util/format.js';
import { printJson, printLine, printTable } from '../../print.js';

/** Adds `tasks stats`. */
export function registerTaskStats(tasks: Command): void {
  tasks
    .command('stats')
    .description('Diagnostics of the score maps by family.')
    .argument('<files...>', 'task-set documents or task rows')
    .option('--core <plan>', 'only the tasks of a core plan')
    .option('--json', 'print the table as JSON')
    .action((files: string[], flags: { core?: string; json?: boolean }) => {
      const read = readTaskFiles(files);
      const list = flags.core === undefined ? read.tasks : coreTasks(readCorePlan(flags.core), read);
      const rows = mapStatistics(list);
      if (flags.json) {
        printJson(
          rows.map(({ family, tasks: count, chance, topGap, distinct }) => ({
            family,
            tasks: count,
            mean_chance: chance,
            median_top_gap: topGap,
            median_distinct_scores: distinct,
          })),
        );
        return;
      }
      printTable(
        ['family', 'tasks', 'chance', 'top gap', 'distinct'],
        rows.map((row) => [
          row.family,
          row.tasks,
          fixed(row.chance, 1),
          fixed(row.topGap, 1),
          Number.isInteger(row.distinct) ? row.distinct : fixed(row.distinct, 1),
        ]),
      );
      printLine(
        'chance: mean score of a uniformly random portfolio; top gap: median of best minus second best; distinct: median number of different scores among the 56.',
      );
    });
}
