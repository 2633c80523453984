import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { PATIENCE } from '../support/explorer.js';
import { askServer, JSON_TYPE } from '../support/http-client.js';

const TASKS = resolve('fixtures/tasks-small.json');
interface Row {
  readonly task_id: string;
  readonly selection_scores_bps: Readonly<Record<string, number>>;
}
const task = (JSON.parse(readFileSync(TASKS, 'utf8')).tasks as readonly Row[])[1]!;

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-serve-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('flavourbench serve', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, [resolve('dist/cli/main.js'), 'serve', '--port', '0', ...args], {
      stdio: 'pipe',
    });
    children.push(child);
    let err = '';
    child.stderr.on('data', (data) => {
      err += data;
    });
    const ended = once(child, 'close');
    return {
      child,
      ended: async () => {
        const [code, signal] = (await ended) as [number | null, string | null];
        return { code: code ?? signal, err };
      },
      line: async () => String((await once(child.stdout, 'data'))[0]).trim(),
    };
  }

  it('asks for a token before it listens elsewhere, and for one that is long enough', async () => {
    const token = join(folder, 'token');
    writeFileSync(token, 'short\n');
    const [open, short] = await Promise.all([start('--host', '0.0.0.0').ended(), start('--token-file', token).ended()]);
    expect(open).toEqual({ code: 2, err: expect.stringMatching(/USAGE: --host 0\.0\.0\.0 without a token/) });
    expect(short).toEqual({ code: 2, err: expect.stringMatching(/a token of 5 characters/) });
  });

  it('serves the explorer, which reads a table where it is opened and asks the server for nothing more', async () => {
    const { child, ended, line } = start('--no-log');
    const address = await line();
    const table = join(folder, 'dropped.csv');
    writeFileSync(table, 'model,a,b,c\nfirst,1,1,1\nsecond,0,0,1\n');
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    const asked: string[] = [];
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE);
      page.on('request', (request) => asked.push(request.url()));
      page.on('pageerror', ({ message }) => asked.push(message));
      const answer = await page.goto(address);
      expect(answer!.headers()['content-security-policy'] ?? (await page.content())).toMatch(/sha256-/);
      await page.setInputFiles('input[type=file]:not([webkitdirectory])', table);
      await page.waitForSelector('text=second');
      // Workers are of blobs that the page makes.
      expect(asked.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:'))).toEqual([address]);
    } finally {
      await browser.close();
      child.kill('SIGTERM');
    }
    expect((await ended()).code).toBe(0);
  });

  it('ends under load with every answer whole, and none half', async () => {
    const { child, ended, line } = start('--tasks', TASKS);
    const to = Number(new URL(await line()).port);
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    const count = 500;
    const completions = Array.from({ length: count }, () => 'FINAL_SELECTION: A,B,C');
    const body = JSON.stringify({ completions, task_ids: completions.map(() => task.task_id) });
    const rewards = completions.map(() => task.selection_scores_bps.ABC! / 10_000);
    const wanted = JSON.stringify({ rewards, parser: 'v4' });
    const outcomes: string[] = [];
    // Each goes on asking until the server takes nothing more.
    const client = async (): Promise<void> => {
      for (;;) {
        const outcome = await askServer({ path: '/v1/reward', body, to, token: '', agent, headers: JSON_TYPE }).then(
          ({ status, text }) => (status === 200 && text === wanted ? 'whole' : `${status} ${text.length}`),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        );
        outcomes.push(outcome);
        if (outcome !== 'whole') return;
      }
    };
    const clients = Promise.all(Array.from({ length: 40 }, client));
    await expect.poll(() => outcomes.length, { timeout: 120_000 }).toBeGreaterThan(80);
    child.kill('SIGTERM');
    await clients;
    const { code, err } = await ended();
    agent.destroy();
    expect(code).toBe(0);
    expect(outcomes.filter((one) => one === 'whole').length).toBeGreaterThan(80);
    // A request that came after the end was refused whole: its connection was closed before a byte of an answer.
    expect(outcomes.filter((one) => !['whole', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(one))).toEqual([]);
    const logged = err
      .trim()
      .split('\n')
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text));
    expect(logged.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(
      outcomes.filter((one) => one === 'whole').length,
    );
    expect(logged[0].time).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});
