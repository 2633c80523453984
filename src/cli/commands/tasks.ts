import type { Command } from 'commander';
import { registerTaskShow } from './tasks/show.js';
import { registerTaskStats } from './tasks/stats.js';
import { registerTaskVerify } from './tasks/verify.js';

/** Adds `tasks verify | stats | show`. */
export function register(program: Command): void {
  const tasks = program.command('tasks').description('Verify, describe and show task sets.');
  registerTaskVerify(tasks);
  registerTaskStats(tasks);
  registerTaskShow(tasks);
}
