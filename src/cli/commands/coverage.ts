import type { Command } from 'commander';
import { coverage } from '../../analyses/coverage/coverage.js';
import { pilotAnalysis } from '../pilot-analysis.js';
import { stoppable } from '../stop-signal.js';

/** Adds `coverage`. */
export function register(program: Command): void {
  pilotAnalysis(program, coverage, stoppable);
}
