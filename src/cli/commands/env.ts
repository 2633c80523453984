import type { Command } from 'commander';
import { registerQueries } from './env/query.js';
import { registerStore } from './env/store.js';

/** Adds `env` and its subcommands. */
export function register(program: Command): void {
  const env = program.command('env').description('Import, list and query environments (ingredient spaces).');
  registerStore(env);
  registerQueries(env);
}
