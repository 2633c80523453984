import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallTable } from '../support/service-table.js';

/** Debian's: what the pages promise works with a plain Python and nothing installed. */
const PYTHON = '/usr/bin/python3';
const TASKS = resolve('fixtures/tasks-small.json');
const STUB = resolve('tests/support/python/stub_trainer.py');
const MAIN = resolve('dist/cli/main.js');

interface Row {
  readonly task_id: string;
  readonly prompt: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly optimal_selection: string;
  readonly selection_scores_bps: Readonly<Record<string, number>>;
}
const tasks: readonly Row[] = JSON.parse(readFileSync(TASKS, 'utf8')).tasks.slice(0, 3);
const lineOf = (key: string) => `FINAL_SELECTION: ${[...key].join(',')}`;
const GENERATIONS = 2;
const completions = tasks.flatMap((row) =>
  [lineOf(row.optimal_selection), 'nothing', lineOf('ABC')].slice(0, GENERATIONS),
);
completions[5] = lineOf('ABC');
/** Looked up in the maps by hand. */
const rewards = [1, 0, 1, 0, 1, tasks[2]!.selection_scores_bps.ABC! / 10_000];
const table = smallTable().csv;

async function python(...args: readonly string[]) {
  const child: ChildProcess = spawn(PYTHON, [STUB, resolve('docs/python'), ...args], { stdio: 'pipe' });
  const rows = tasks.map(({ task_id, prompt, choices, selection_scores_bps }) => ({
    task_id,
    prompt,
    choices,
    selection_scores_bps,
  }));
  child.stdin!.end(JSON.stringify({ rows, completions, generations: GENERATIONS, table }));
  let out = '';
  let err = '';
  child.stdout!.on('data', (data) => {
    out += data;
  });
  child.stderr!.on('data', (data) => {
    err += data;
  });
  await new Promise((done) => child.once('close', done));
  expect(err).toBe('');
  return JSON.parse(out);
}

function expectRewards(result: Awaited<ReturnType<typeof python>>): void {
  for (const way of ['texts', 'chats', 'map_as_text', 'by_id', 'verified']) expect(result[way], way).toEqual(rewards);
  expect(result.threads_agree).toBe(true);
  expect(result.unknown.slice(0, 2)).toEqual(['FlavourbenchError', 'TASK_UNKNOWN']);
  expect(result.after).toEqual({ rewards: [0], parser: 'v4' });
  expect(result.scores).toMatchObject([{ task_id: tasks[0]!.task_id, score: 100 }]);
  expect(result.audit.leader).toMatch(/^m0 /);
}

describe.skipIf(!existsSync(PYTHON))('the wrappers for Python of docs/python', () => {
  it('give a trainer and an environment the rewards of the maps over a pipe', async () => {
    const result = await python('pipe', [process.execPath, MAIN].join('\x1f'), TASKS);
    expectRewards(result);
    expect(result.end).toBe(0);
  });

  it('give the same rewards over HTTP, with a token', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flavourbench-python-'));
    const token = 'a-token-of-this-test';
    writeFileSync(join(folder, 'token'), `${token}\n`);
    const args = ['serve', '--tasks', TASKS, '--port', '0', '--token-file', join(folder, 'token'), '--no-log'];
    const server = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const address = await new Promise<string>((found) =>
        server.stdout.once('data', (data) => found(`${data}`.trim())),
      );
      expectRewards(await python('http', address, token));
    } finally {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('come to at most 60 lines and import nothing but the standard library', () => {
    const text = readFileSync('docs/python/flavourbench_pipe.py', 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    const imported = ['flavourbench_pipe', 'flavourbench_http', 'rewards'].flatMap((name) =>
      [...readFileSync(`docs/python/${name}.py`, 'utf8').matchAll(/^(?:import|from) (\S+)/gm)].map(
        (found) => found[1]!,
      ),
    );
    const standard = ['base64', 'http.client', 'json', 'subprocess', 'threading', 'urllib.parse', 'flavourbench_pipe'];
    expect(imported.filter((name) => !standard.includes(name))).toEqual([]);
  });
});
