import type { Command } from 'commander';
import { registerFreeze } from './core/freeze.js';
import { registerMatrix } from './core/matrix.js';
import { registerCoreShow } from './core/show.js';

export function register(program: Command): void {
  const core = program.command('core').description('The common core: tasks every model answered.');
  registerFreeze(core);
  registerMatrix(core);
  registerCoreShow(core);
}
