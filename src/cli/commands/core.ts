import type { Command } from 'commander';
import { registerCoreShow } from './core/show.js';

export function register(program: Command): void {
  const core = program.command('core').description('The common core: tasks every model answered.');
  registerCoreShow(core);
}
