import type { Command } from 'commander';
import { readTaskFiles } from '../../../tasks/task-files.js';
import { fail, shown } from '../../../util/error.js';
import { nearestHint } from '../../../util/spelling.js';
import { plain, printJson, printTable } from '../../print.js';

interface ListFlags {
  readonly family?: string;
  readonly json?: boolean;
}

/** Adds `tasks list`. */
export function registerTaskList(tasks: Command): void {
  tasks
    .command('list')
    .description('Ids of the tasks, with family, panel, stratum and anchor.')
    .argument('<files...>', 'task-set documents or task rows')
    .option('--family <name>', 'only the tasks of one family')
    .option('--json', 'print the list as JSON')
    .action((files: string[], { family, json }: ListFlags) => {
      const { tasks: all } = readTaskFiles(files);
      const list = family === undefined ? all : all.filter((task) => task.family === family);
      if (list.length === 0) {
        const families = [...new Set(all.map((task) => task.family))];
        fail(
          'TASK_UNKNOWN',
          null,
          `no task of family ${shown(family)}; there are ${families.join(', ')}`,
          nearestHint(family ?? '', families, (name) => `--family ${name}`),
        );
      }
      const rows = list.map(({ id, family, panel, stratum, anchor }) => ({ id, family, panel, stratum, anchor }));
      if (json) return printJson(rows);
      printTable(
        ['task', 'family', 'panel', 'stratum', 'anchor'],
        rows.map((row) => [plain(row.id), plain(row.family), plain(row.panel), row.stratum, plain(row.anchor)]),
      );
    });
}
