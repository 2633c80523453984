import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spendingOf } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

const CELLS = 60;
const INSIDE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const permitted = spawnSync(INSIDE[0]!, [...INSIDE.slice(1), 'true']).status === 0;
if (!permitted) process.stderr.write('SKIPPED: process namespaces are not permitted here (unshare --pid)\n');

let folder: string;
let server: FaultServer;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  server = await startFaultServer({ seed: 'two', prices: { prompt: 2, completion: 6 }, choose: () => 'trickle' });
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function plan(): string {
  return writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, CELLS) }],
    budget: { usd: '10' },
    models: [faultModel(server.url, 'openai', 't/a', { concurrency: 4 })],
  });
}

/** Starts `collect` as a process; with `before` in front, in a set of processes of its own. */
function collect(before: readonly string[], more: readonly string[] = []) {
  const words = [
    process.execPath,
    resolve('dist/cli/main.js'),
    'collect',
    'plan.json',
    '--ledger',
    'L',
    '--yes',
    '--json',
    ...more,
  ];
  const [program, ...args] = [...before, ...words];
  const env = { PATH: process.env.PATH, TEST_KEY: SECRET };
  const child = spawn(program!, args, { cwd: folder, env, detached: true });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr })) };
}

const until = (n: number) =>
  new Promise<void>((resolve) => {
    server.onAccepted = () => server.accepted.size >= n && resolve();
  });
const paidTwice = () => [...server.accepted.values()].filter((n) => n > 1).length;

describe('two collections of one plan into one ledger', () => {
  it.skipIf(!permitted)('in two sets of processes pay no cell twice, though the first is killed', async () => {
    plan();
    const some = until(8);
    const first = collect(INSIDE);
    await some;
    // Stopped it holds the lock still, however long the second takes to start.
    process.kill(-first.child.pid!, 'SIGSTOP');
    const second = await collect(INSIDE, ['--take-over']).ended;
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('it is running') });
    first.child.kill('SIGKILL');
    await first.ended;
    const rest = await collect(INSIDE).ended;
    expect(rest).toMatchObject({ code: 0, stderr: expect.stringContaining('took over the lock') });
    expect(paidTwice()).toBe(0);
    const { state } = viewLedger(join(folder, 'L'));
    expect(state.cells.size).toBe(CELLS);
    const { spent_micros, uncertain_micros } = spendingOf(state);
    expect(spent_micros).toBeLessThanOrEqual(server.costMicros);
    expect(server.costMicros).toBeLessThanOrEqual(spent_micros + uncertain_micros);
    expect(verifyLedger(join(folder, 'L'))).toMatchObject({ problems: [], repairable: [] });
  });

  it('stop each other where a writer that asks no kernel breaks in: the first says so, and the mixed ledger is salvaged', async () => {
    plan();
    const some = until(8);
    const first = collect([]);
    await some;
    // What a program of version 0.1.0 in another container does: its own lock file, and lines that it thinks follow.
    const journal = join(folder, 'L', 'attempts.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(
      join(folder, 'L', 'lock'),
      JSON.stringify({ pid: 1, started: 'tick 1', host: 'container', boot_id: 'b' }),
    );
    appendFileSync(journal, `${lines[2]}\n`);
    const ended = await first.ended;
    expect(ended.code).toBe(5);
    expect(JSON.parse(ended.stderr.trim().split('\n').at(-1)!).error).toMatchObject({ code: 'LEDGER_TAKEN', exit: 5 });
    const sent = server.accepted.size;
    expect(sent).toBeLessThan(CELLS);
    expect((await cliInline(['ledger', 'verify', join(folder, 'L')])).code).toBe(4);
    const salvage = ['ledger', 'salvage', join(folder, 'L'), '--out', join(folder, 'S')];
    expect(await cliInline(salvage)).toMatchObject({ code: 2, stderr: expect.stringContaining('--take-over') });
    const made = await cliInline([...salvage, '--take-over', '--json']);
    expect(made.code).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ lost_lines: [], lost_records: [], unplaced: [] });
    rmSync(join(folder, 'L'), { recursive: true });
    spawnSync('mv', [join(folder, 'S'), join(folder, 'L')]);
    expect((await collect([]).ended).code).toBe(0);
    expect(paidTwice()).toBe(0);
    const { spent_micros, uncertain_micros } = spendingOf(viewLedger(join(folder, 'L')).state);
    expect(spent_micros).toBeLessThanOrEqual(server.costMicros);
    expect(server.costMicros).toBeLessThanOrEqual(spent_micros + uncertain_micros);
    expect(verifyLedger(join(folder, 'L'))).toMatchObject({ problems: [], repairable: [] });
  });
});

describe('a disk of 160 KiB under a ledger', () => {
  const disk = () => join(folder, 'L');
  const mounted = (...options: string[]) =>
    spawnSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', disk()]).status === 0;

  it('ends the collection with exit 5, and a larger one ends it whole: nothing is paid twice', async (context) => {
    spawnSync('mkdir', [disk()]);
    if (!mounted('-o', 'size=160k')) {
      process.stderr.write('SKIPPED: no disk of its own can be mounted here (mount -t tmpfs)\n');
      return context.skip();
    }
    try {
      plan();
      const full = await collect([]).ended;
      expect(full.code).toBe(5);
      expect(JSON.parse(full.stderr.trim().split('\n').at(-1)!).error).toMatchObject({ code: 'LEDGER_WRITE_FAILED' });
      expect(server.accepted.size).toBeGreaterThan(0);
      expect(server.accepted.size).toBeLessThan(CELLS);
      spawnSync('mount', ['-o', 'remount,size=64m', disk()]);
      expect((await collect([]).ended).code).toBe(0);
      expect(paidTwice()).toBe(0);
      expect(verifyLedger(disk())).toMatchObject({ problems: [], repairable: [] });
      const { spent_micros, uncertain_micros } = spendingOf(viewLedger(disk()).state);
      expect(server.costMicros).toBeLessThanOrEqual(spent_micros + uncertain_micros);
    } finally {
      spawnSync('umount', [disk()]);
    }
  });
});
