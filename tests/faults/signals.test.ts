import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const TASKS = resolve('fixtures/tasks-small.json');

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'signals-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** Starts the command line, signals it once `ready` holds, and waits for its end. */
async function stopped(
  args: readonly string[],
  signals: readonly NodeJS.Signals[],
  ready: () => boolean,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const end = once(child, 'close');
  while (!ready() && child.exitCode === null) await new Promise((next) => setTimeout(next, 5));
  for (const signal of signals) child.kill(signal);
  const [code] = await end;
  return { code, stderr };
}

describe('a signal to the built command', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends any command with exit 5, a message and no temporary file: %s',
    async (signal) => {
      const rows = readFileSync('fixtures/responses-small.jsonl', 'utf8');
      writeFileSync(join(cwd, 'many.jsonl'), rows.repeat(4000));
      const args = ['rescore', 'many.jsonl', '--tasks', TASKS, '--rows', 'rows.csv'];
      const run = await stopped(args, [signal], () => readdirSync(cwd).length > 1);
      expect(run).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(`ABORTED: stopped by ${signal}`),
      });
      expect(readdirSync(cwd)).toEqual(['many.jsonl']);
    },
  );
});
