import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { freshFolder } from '../support/folders.js';

const CLI = resolve('dist/cli/main.js');
const TASKS = resolve('fixtures/tasks-small.json');
const RECORDS = 864;

const filesIn = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((item) => item.isFile())
        .map(({ name }) => name)
    : [];

/** Imports, and kills with SIGKILL once so many files lie in the ledger; resolves to whether it came to its end. */
async function importUntil(dir: string, log: string, limit: number): Promise<boolean> {
  const child = spawn(process.execPath, [CLI, 'ledger', 'import', dir, log, '--tasks', TASKS, '--label', 'kill'], {
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code) => settle(code));
  });
  const running = () => child.exitCode === null && child.signalCode === null;
  while (running() && filesIn(dir).length < limit) await sleep(1);
  if (running()) child.kill('SIGKILL');
  return (await ended) === 0;
}

describe('an import killed with SIGKILL, again and again', () => {
  it('never journals a record that is not there, and ends with every answer once', async () => {
    const dir = join(freshFolder(), 'ledger');
    const log = join(freshFolder(), 'log.jsonl');
    // The same answer again is another sample of its task.
    writeFileSync(log, readFileSync('fixtures/responses-small.jsonl', 'utf8').repeat(4));
    let kills = 0;
    for (const limit of [2, 100, 257, 300, 520, 800]) {
      if (await importUntil(dir, log, limit)) break;
      kills += 1;
      if (existsSync(join(dir, 'attempts.jsonl'))) expect(verifyLedger(dir).problems).toEqual([]);
    }
    expect(kills).toBeGreaterThan(2);
    expect(await importUntil(dir, log, Number.POSITIVE_INFINITY)).toBe(true);
    expect(verifyLedger(dir)).toMatchObject({ problems: [], repairable: [], records: RECORDS });
    expect(filesIn(join(dir, 'records'))).toHaveLength(RECORDS);
  });
});
