import type { Command } from 'commander';
import { registerTaskList } from './tasks/list.js';
import { registerTaskShow } from './tasks/show.js';
import { registerTaskStats } from './tasks/stats.js';
import { registerTaskVerify } from './tasks/verify.js';

/** Adds `tasks verify | stats | list | show`. */
export function register(program: Command): void {
  const tasks = program.command('tasks').description('Verify, describe, list and show task sets.');
  registerTaskVerify(tasks);
  registerTaskStats(tasks);
  registerTaskList(tasks);
  registerTaskShow(tasks);
}
