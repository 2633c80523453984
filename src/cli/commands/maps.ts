import type { Command } from 'commander';
import { registerCompare } from './maps/compare.js';
import { registerRecompute } from './maps/recompute.js';

/** Adds `maps` and `maps compare`. `compare` has options of the names that `maps` has: options belong to the command they follow. */
export function register(program: Command): void {
  program.enablePositionalOptions();
  const maps = program
    .command('maps')
    .description('Recompute reward maps under another environment, or compare two sets of maps.')
    .enablePositionalOptions();
  registerRecompute(maps);
  registerCompare(maps);
}
