import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { cli } from '../support/cli.js';
import { freshFolder } from '../support/folders.js';

const WRITER = resolve('tests/support/ledger-writer.js');
/** A set of processes of its own, in which the first process is number 1, as in a container. */
const INSIDE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const permitted = spawnSync(INSIDE[0]!, [...INSIDE.slice(1), 'true']).status === 0;
if (!permitted) process.stderr.write('SKIPPED: process namespaces are not permitted here (unshare --pid)\n');

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

/** Starts a writer of 4,000 cells and waits until it has the ledger. */
async function startWriter(dir: string, { before = [], claim = {} }: { before?: string[]; claim?: object } = {}) {
  const [program, ...args] = [...before, process.execPath, WRITER, dir, '4000', JSON.stringify(claim)];
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout!, 'data');
  child.stdout!.resume();
  return child;
}

/** Runs `ledger seal`, which writes; with `before` in front, as inside a container. */
function seal(dir: string, more: readonly string[] = [], before: readonly string[] = []) {
  const [program, ...args] = [...before, process.execPath, resolve('dist/cli/main.js'), 'ledger', 'seal', dir, ...more];
  return spawnSync(program!, args, { encoding: 'utf8' });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

function expectWhole(dir: string): void {
  expect(verifyLedger(dir)).toMatchObject({ problems: [], repairable: [] });
}

describe.skipIf(!permitted)('two writers in two sets of processes of one host', () => {
  it.each([
    ['the first outside, the second inside', [], INSIDE],
    ['the first inside, the second outside', INSIDE, []],
    ['each in its own', INSIDE, INSIDE],
  ])('never share a ledger, and the second has it once the first is killed: %s', async (_, first, second) => {
    const dir = freshFolder();
    const child = await startWriter(dir, { before: first });
    for (const more of [[], ['--take-over']]) {
      const refused = seal(dir, more, second);
      expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/LEDGER_LOCKED: .*: it is running/) });
    }
    await kill(child);
    const taken = seal(dir, [], second);
    expect(taken).toMatchObject({ status: 0, stderr: expect.stringContaining('took over the lock of process') });
    expectWhole(dir);
  });
});

describe.skipIf(!permitted)('a folder that was copied while somebody writes to it', () => {
  it('is another ledger, whose lock is respected where its holder cannot be seen', async () => {
    const dir = freshFolder();
    const child = await startWriter(dir, { before: INSIDE });
    const copy = freshFolder();
    spawnSync('cp', ['-a', `${dir}/.`, copy]);
    expect(seal(copy)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/LEDGER_LOCKED: .*its journal is another file/),
    });
    expect(seal(copy, ['--take-over'])).toMatchObject({ status: 0 });
    await kill(child);
    expect(seal(dir)).toMatchObject({ status: 0 });
    expectWhole(dir);
  });
});

describe('two writers whose process numbers mean nothing to each other', () => {
  // A holder that says it lives among other processes: what a container looks like from outside.
  const claim = { pid: 1, started: 'tick 1', pid_namespace: 'pid:[1]', host: 'container' };

  it('are kept apart by the kernel, and the second has the ledger once the first is killed', async () => {
    const dir = freshFolder();
    const child = await startWriter(dir, { claim });
    expect(seal(dir, ['--take-over'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/process 1, .*it is running/),
    });
    await kill(child);
    expect(seal(dir)).toMatchObject({ status: 0, stderr: expect.stringContaining('took over the lock of process 1') });
    expectWhole(dir);
  });

  it('of which one asked no kernel: it is respected until somebody says that it is gone', () => {
    const dir = freshFolder();
    expect(cli(['ledger', 'merge', dir, '--out', join(dir, 'none')]).code).toBe(2);
    const { pid_namespace: _, ...old } = claim;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    writeFileSync(join(dir, 'attempts.jsonl'), '');
    writeFileSync(join(dir, 'lock'), JSON.stringify({ ...old, boot_id: boot }));
    const refused = seal(dir);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/LEDGER_LOCKED: .*another container, or version 0\.1\.0/),
    });
    expect(refused.stderr).toContain('--take-over');
    expect(seal(dir, ['--take-over']).status).toBe(0);
    expectWhole(dir);
  });
});

describe('the remains of a killed writer', () => {
  it('that its parent never fetched hold nothing', async () => {
    const dir = freshFolder();
    const shell = spawn(
      'sh',
      ['-c', `"$0" "$@" & echo pid $!; exec sleep 100`, process.execPath, WRITER, dir, '4000'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(shell);
    let text = '';
    while (!/pid \d+[\s\S]*S /.test(text)) text += String((await once(shell.stdout!, 'data'))[0]);
    shell.stdout!.resume();
    const pid = Number(/pid (\d+)/.exec(text)![1]);
    process.kill(pid, 'SIGKILL');
    const state = () => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')[0];
    while (state() !== 'Z') await new Promise((next) => setTimeout(next, 5));
    expect(seal(dir)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`took over the lock of process ${pid}`),
    });
    expect(state()).toBe('Z');
    expectWhole(dir);
    expect(viewLedger(dir).state.takeovers).toBe(1);
  });
});
