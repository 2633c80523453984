import type { Command } from 'commander';
import { registerBuild } from './release/build.js';
import { registerDiff } from './release/diff.js';
import { registerDraw } from './release/draw.js';
import { registerReport } from './release/report.js';
import { registerVerify } from './release/verify.js';

/** Adds `release` to the program. */
export function register(program: Command): void {
  const release = program.command('release').description('Build a release, verify it, compare two, draw it.');
  registerBuild(release);
  registerVerify(release);
  registerDiff(release);
  registerDraw(release);
  registerReport(release);
}
