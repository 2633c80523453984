import type { Command } from 'commander';
import { LABELS, PORTFOLIOS, type Task } from '../../../tasks/task.js';
import { readTaskFiles } from '../../../tasks/task-files.js';
import { fail, shown } from '../../../util/error.js';
import { fixed } from '../../../util/format.js';
import { nearestSpellings } from '../../../util/spelling.js';
import { plain, printJson, printLine, printTable } from '../../print.js';

interface Ranked {
  readonly rank: number;
  readonly key: string;
  readonly score: number;
}

/** Portfolios from best to worst; equal scores share a rank. */
function rankedMap(task: Task): readonly Ranked[] {
  const order = PORTFOLIOS.map((key, action) => ({ key, score: task.scores[action]! }));
  order.sort((a, b) => b.score - a.score);
  return order.map(({ key, score }) => ({
    rank: 1 + order.findIndex((other) => other.score === score),
    key,
    score,
  }));
}

function find(tasks: ReadonlyMap<string, Task>, id: string): Task {
  const task = tasks.get(id);
  if (task !== undefined) return task;
  const holding = [...tasks.keys()].filter((other) => other.includes(id));
  const near = holding.length > 0 ? holding.slice(0, 3) : nearestSpellings(id, [...tasks.keys()], 3);
  fail(
    'TASK_UNKNOWN',
    null,
    `no task ${shown(id)} among ${tasks.size}`,
    `${near.length > 0 ? `Did you mean ${near.map(plain).join(', ')}? ` : ''}\`tasks list FILE\` shows all.`,
  );
}

/** Adds `tasks show`. */
export function registerTaskShow(tasks: Command): void {
  tasks
    .command('show')
    .description("A task's prompt, its choices and its score map from best to worst.")
    .argument('<file>', 'task-set document or task rows')
    .argument('<task>', 'task id')
    .option('--json', 'print the task as JSON')
    .action((file: string, id: string, flags: { json?: boolean }) => {
      const task = find(readTaskFiles([file]).byId, id);
      const names = (key: string) => [...key].map((label) => task.choices[LABELS.indexOf(label)] ?? label).join(', ');
      const rows = rankedMap(task);
      if (flags.json) {
        const { scores: _, ...rest } = task;
        printJson({ ...rest, map: rows.map((row) => ({ ...row, names: names(row.key) })) });
        return;
      }
      printLine(
        `${plain(task.id)}  ${plain(task.family)}  ${plain(task.panel)}  stratum ${task.stratum}  anchor ${plain(task.anchor)}`,
      );
      printLine(`exact chance ${fixed(task.chance / 100, 2)}, best minus second ${fixed(task.margin / 100, 2)}\n`);
      if (task.prompt !== '') {
        for (const line of task.prompt.split('\n')) printLine(`  ${plain(line)}`);
        printLine('');
      }
      task.choices.forEach((name, i) => {
        printLine(`  ${LABELS.charAt(i)}  ${plain(name)}`);
      });
      printLine('');
      printTable(
        ['rank', 'labels', 'score', 'portfolio'],
        rows.map((row) => [row.rank, row.key, fixed(row.score / 100, 2), names(row.key)]),
      );
    });
}
