import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line and waits for it. */
export function cli(args: readonly string[], options: { cwd?: string } = {}): CliRun {
  const run = spawnSync(process.execPath, [resolve('dist/cli/main.js'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}
