import type { Command } from 'commander';
import { power } from '../../analyses/power/power.js';
import { pilotAnalysis } from '../pilot-analysis.js';

/** Adds `power`. */
export function register(program: Command): void {
  pilotAnalysis(program, power);
}
