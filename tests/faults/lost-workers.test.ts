import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { openThreads } from '../../src/engine/workers/threads.js';
import { buildDesign } from '../support/random-design.js';

const TASKS = resolve('fixtures/tasks-small.json');
const BROKEN = 'this is no program';
/** Ways in which the script of a thread cannot be loaded; null: there is none. */
const LOST: readonly [string, string | null, RegExp][] = [
  ['missing', null, /Cannot find module/],
  ['no program', BROKEN, /Unexpected identifier|SyntaxError/],
  ['one that throws', 'throw new Error("a library is missing")', /a library is missing/],
  ['one that imports what is not there', 'import "./nowhere.js"; export function run() {}', /nowhere\.js/],
  ['one that ends its thread', 'process.exit(3)', /exit/],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lost-workers-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A script of these words. */
function script(name: string, text: string | null): URL {
  const path = join(folder, `${name.replaceAll(' ', '-')}.mjs`);
  if (text !== null) writeFileSync(path, text);
  return pathToFileURL(path);
}

describe('threads whose script cannot be loaded', () => {
  it.each(LOST)('refuse every task, one after the other, when it is %s', async (name, text, reason) => {
    const threads = openThreads<string, string>({ script: script(name, text), threads: 2, workerData: null });
    const ends = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((task) => threads.run(task)));
    const later = await Promise.allSettled([threads.run('f')]);
    await threads.stop();
    for (const end of [...ends, ...later])
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'WORKER_DIED', exit: 2 } });
    const said = [...ends, ...later].map((end) => String((end as PromiseRejectedResult).reason.message));
    expect(said.filter((text) => !reason.test(text))).toEqual([]);
  });

  it('serve again once it can be loaded', async () => {
    const later = script('later', null);
    const threads = openThreads<number, number>({ script: later, threads: 1, workerData: null });
    await expect(threads.run(1)).rejects.toMatchObject({ code: 'WORKER_DIED' });
    await expect(threads.run(1)).rejects.toMatchObject({ code: 'WORKER_DIED' });
    script('later', 'export const run = (n) => n + 1;');
    expect(await threads.run(1)).toBe(2);
    await threads.stop();
    await expect(threads.run(1)).rejects.toMatchObject({ code: 'WORKER_DIED' });
  });

  it.each(LOST)('end a resampling in place of letting it wait, when it is %s', async (name, text) => {
    const worker = script(`engine ${name}`, text);
    const engine = await createEngine({ backend: 'pool', threads: 2, worker });
    const design = buildDesign({
      ...{ rows: 4, tasks: 40, clusters: 40, strata: 2, chance: false, largest: 100 },
      ...{ degenerate: false, negative: false, seed: 1 },
    });
    const random = { kind: 'philox', seed: 4n, stream: 1 } as const;
    for (let turn = 0; turn < 2; turn += 1)
      await expect(engine.flips(design, { draws: 1000, random })).rejects.toMatchObject({ code: 'WORKER_DIED' });
    await engine.close();
  });
});

describe('an installation that lacks the script of its threads', () => {
  let program: string;
  beforeAll(() => {
    for (const name of ['dist', 'build', 'kernels', 'package.json'])
      cpSync(resolve(name), join(folder, 'installed', name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'installed', 'node_modules'));
    program = join(folder, 'installed', 'dist');
  });

  it.each([
    ['missing', null],
    ['broken', BROKEN],
  ])('tells a batch so, in place of ending as if it were done: the script is %s', (name, text) => {
    const worker = join(program, 'responses', 'batch', 'worker.js');
    rmSync(worker, { force: true });
    if (text !== null) writeFileSync(worker, text);
    const row = `${JSON.stringify({ model_id: 'm', task_id: 't', response: 'FINAL_SELECTION: A,B,C' })}\n`;
    writeFileSync(join(folder, 'answers.jsonl'), row.repeat(40_000));
    const out = join(folder, `out-${name}`);
    const run = spawnSync(
      process.execPath,
      [
        join(program, 'cli', 'main.js'),
        ...['rescore', join(folder, 'answers.jsonl'), '--tasks', TASKS, '--out', out, '--threads', '2'],
      ],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect({ code: run.status, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^flavourbench: WORKER_DIED: .*worker\.js: a thread of it ended: /m);
    expect(readdirSync(out)).not.toContain('summary.json');
  });
});

it('a command that has nothing left to wait for before it is done ends as a failure', () => {
  const never = join(folder, 'never.cjs');
  writeFileSync(never, 'WebAssembly.instantiate = () => new Promise(() => {});\n');
  const run = spawnSync(
    process.execPath,
    ['--require', never, resolve('dist/bundle/run.cjs'), 'rank-audit', 'fixtures/tables/duckdb-long.csv.zst'],
    { encoding: 'utf8', timeout: 60_000 },
  );
  expect({ code: run.status, stdout: run.stdout }).toEqual({ code: 1, stdout: '' });
  expect(run.stderr).toContain('nothing was left to wait for before the command was done');
});
