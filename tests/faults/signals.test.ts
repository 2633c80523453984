import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { cliInline } from '../support/cli-inline.js';

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

describe('a pipe that nobody writes to', () => {
  const fifo = (name: string) => {
    spawnSync('mkfifo', [join(cwd, name)]);
    return name;
  };

  it.each([
    ['score', (pipe: string) => ['score', pipe, '--tasks', TASKS]],
    ['rescore', (pipe: string) => ['rescore', pipe, '--tasks', TASKS]],
    ['rank-audit', (pipe: string) => ['rank-audit', pipe]],
    ['infer', (pipe: string) => ['infer', pipe, '--out', 'out']],
    ['plan check', (pipe: string) => ['plan', 'check', pipe]],
    ['tasks stats', (pipe: string) => ['tasks', 'stats', pipe]],
  ])('keeps no command from ending at SIGTERM: %s', async (_, args) => {
    const pipe = fifo('pipe');
    const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args(pipe)], { cwd, stdio: 'ignore' });
    const end = once(child, 'close');
    // The other end can be opened once somebody waits; nothing is ever written to it.
    let writer: number | undefined;
    while (writer === undefined && child.exitCode === null) {
      try {
        writer = openSync(join(cwd, pipe), constants.O_WRONLY | constants.O_NONBLOCK);
      } catch {
        await new Promise((next) => setTimeout(next, 20));
      }
    }
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    const [code, signal] = await end;
    clearTimeout(late);
    closeSync(writer!);
    expect([code, signal]).toEqual([null, 'SIGTERM']);
  });

  it.each([
    ['the folder', (name: string) => fifo(name)],
    [
      'the journal',
      (name: string) => {
        mkdirSync(join(cwd, name));
        fifo(join(name, 'attempts.jsonl'));
      },
    ],
    [
      'the lock',
      (name: string) => {
        mkdirSync(join(cwd, name));
        writeFileSync(join(cwd, name, 'attempts.jsonl'), '');
        fifo(join(name, 'lock'));
      },
    ],
    [
      'the records',
      (name: string) => {
        mkdirSync(join(cwd, name));
        writeFileSync(join(cwd, name, 'attempts.jsonl'), '');
        fifo(join(name, 'records'));
      },
    ],
  ])('in the place of %s of a ledger is refused at once by every command', async (_, make) => {
    make('L');
    const calls = [
      ['status', 'L'],
      ['verify', 'L'],
      ['explain', 'L', 'ab'],
      ['failures', 'L'],
      ['seal', 'L'],
      ['quarantine', 'L', '--model', 'm', '--reason', 'r'],
      ['import', 'L', resolve('fixtures/responses-small.jsonl'), '--tasks', TASKS, '--label', 'l'],
      ['merge', 'L', '--out', 'M'],
      ['salvage', 'L', '--out', 'M'],
      ['pack', 'L', '--out', 'P'],
    ];
    const before = process.cwd();
    process.chdir(cwd);
    try {
      for (const call of calls) {
        const run = await cliInline(['ledger', ...call]);
        expect([call[0], run.code]).toEqual([call[0], 2]);
        expect(run.stderr).toMatch(/INPUT_NOT_REGULAR|USAGE|INPUT_NOT_FOUND/);
      }
    } finally {
      process.chdir(before);
    }
  });

  it('is not a link, which no command follows to a ledger', async () => {
    mkdirSync(join(cwd, 'true'));
    writeFileSync(join(cwd, 'true', 'attempts.jsonl'), '');
    symlinkSync(join(cwd, 'true'), join(cwd, 'L'));
    for (const path of ['L', 'L/'])
      for (const call of ['status', 'verify', 'failures', 'seal'])
        expect(await cliInline(['ledger', call, join(cwd, path)])).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('is a symbolic link'),
        });
  });

  it('is not a link for a command that writes, merges, packs, imports or reads it either', async () => {
    mkdirSync(join(cwd, 'true'));
    writeFileSync(join(cwd, 'true', 'attempts.jsonl'), '');
    const link = join(cwd, 'L');
    symlinkSync(join(cwd, 'true'), link);
    const out = ['--out', join(cwd, 'out')];
    const calls = [
      ['collect', resolve('fixtures/version-1/collection/plan.json'), '--ledger', link, '--yes'],
      ['ledger', 'merge', link, ...out],
      ['ledger', 'pack', link, ...out],
      ['ledger', 'salvage', link, ...out],
      ['ledger', 'import', link, resolve('fixtures/responses-small.jsonl'), '--tasks', TASKS, '--label', 'l'],
      ['ledger', 'quarantine', link, '--model', 'm', '--reason', 'r'],
      ['ledger', 'explain', link, 'ab'],
      ['core', 'freeze', '--ledger', link, '--tasks', TASKS, '--seed', 's', '--per-stratum', 'auto', ...out],
      ['release', 'build', '--ledger', link, '--tasks', TASKS, ...out],
    ];
    for (const call of calls) {
      const { code, stderr } = await cliInline(call);
      expect([call.slice(0, 2), code, stderr]).toEqual([
        call.slice(0, 2),
        2,
        expect.stringMatching(/L.*is a symbolic link/),
      ]);
    }
    expect(readdirSync(cwd).sort()).toEqual(['L', 'true']);
    expect(readdirSync(join(cwd, 'true'))).toEqual(['attempts.jsonl']);
  });

  it('has a journal that is a file, not a device behind a link', async () => {
    mkdirSync(join(cwd, 'L'));
    symlinkSync('/dev/zero', join(cwd, 'L', 'attempts.jsonl'));
    for (const call of ['status', 'verify', 'failures', 'seal'])
      expect(await cliInline(['ledger', call, join(cwd, 'L')])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('INPUT_NOT_REGULAR'),
      });
  });
});

const root = process.getuid?.() === 0;

describe.skipIf(!root)('a node of a device (made by root alone)', () => {
  /** A character device that never ends, as /dev/zero is. */
  const device = (name: string) => execFileSync('mknod', [join(cwd, name), 'c', '1', '5']);
  const called = async (...call: string[]) => {
    const { code, stderr } = await cliInline(call);
    return { code, stderr };
  };

  it.each([
    ['the folder', (name: string) => device(name), /USAGE: .*a ledger is a folder, found a pipe or a device/],
    [
      'the journal',
      (name: string) => {
        mkdirSync(join(cwd, name));
        device(`${name}/attempts.jsonl`);
      },
      /INPUT_NOT_REGULAR/,
    ],
  ])('in the place of %s of a ledger is refused by every command', async (_, make, words) => {
    make('L');
    for (const call of ['status', 'verify', 'failures', 'seal'])
      expect(await called('ledger', call, join(cwd, 'L'))).toEqual({ code: 2, stderr: expect.stringMatching(words) });
  });

  it('is no input of a command, whatever it is called', async () => {
    device('m.csv');
    spawnSync('mknod', [join(cwd, 'block'), 'b', '7', '200']);
    symlinkSync('/dev/zero', join(cwd, 'link.json'));
    const refused = { code: 2, stderr: expect.stringMatching(/INPUT_NOT_REGULAR: .*is a device; a file is expected/) };
    for (const name of ['m.csv', 'block', 'link.json']) {
      expect(await called('rank-audit', join(cwd, name))).toEqual(refused);
      expect(await called('rescore', join(cwd, name), '--tasks', TASKS)).toEqual(refused);
    }
    expect((await called('rank-audit', '/dev/null')).stderr).toContain('is empty');
  });
});

describe('a number past what is counted', () => {
  it.each([
    [['infer', 'm.csv', '--flips', '2147483648'], /USAGE: .*At most 2147483647 is possible/],
    [['infer', 'm.csv', '--draws', '999999999999999999'], /USAGE: .*At most 2147483647 is possible/],
    [['power', 'm.csv', '--difference', '1', '--datasets', '1e9'], /BOUND_EXCEEDED: .* would take about \d+ hours/],
    [['coverage', 'm.csv', '--datasets', '1e9'], /BOUND_EXCEEDED: .* would take about \d+ hours/],
  ])('is refused before anything is computed: %s', async ([name, file, ...more], words) => {
    writeFileSync(join(cwd, 'm.csv'), 'task,a,b\nt1,1,2\nt2,3,4\nt3,1,5\nt4,2,2\n');
    const run = await cliInline([name!, join(cwd, file!), ...more]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(words);
  });
});

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

describe('a signal to a command that computes', () => {
  /** How a command ends that is sent SIGTERM after some milliseconds. */
  const endOf = async (args: readonly string[], after: number) => {
    const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { cwd, stdio: 'ignore' });
    const end = once(child, 'close');
    await new Promise((next) => setTimeout(next, after));
    expect(child.exitCode, 'it ended before it was stopped').toBe(null);
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    const how = await end;
    clearTimeout(late);
    return how;
  };

  it('ends power, compile and a command that has only begun at once, as the system ends any process', async () => {
    const rows = Array.from({ length: 40 }, (_, t) => `t${t},${t % 7},${(t * 5) % 11}\n`);
    writeFileSync(join(cwd, 'm.csv'), `task,a,b\n${rows.join('')}`);
    const power = [
      'power',
      'm.csv',
      '--difference',
      '1',
      '--flips',
      '1000000',
      '--datasets',
      '100000',
      '--threads',
      '1',
    ];
    const compile = ['compile', '--env', 'pantry', '--seed', 's', '--out', 'tasks.json'];
    expect(await endOf(power, 4000)).toEqual([null, 'SIGTERM']);
    for (const after of [150, 700, 1500]) expect(await endOf(compile, after)).toEqual([null, 'SIGTERM']);
    expect(readdirSync(cwd)).toEqual(['m.csv']);
  });
});

describe('work of many minutes', () => {
  it.each([
    ['infer', ['--flips', '2e9'], /2,000,000,000 sign flips will take about \d+m\d+s on 1 thread and 0\.1 GiB/],
    ['coverage', ['--datasets', '1e6'], /1,000,000 data sets of .* flips and .* draws will take about \d+[hm]/],
    [
      'power',
      ['--datasets', '1e6', '--flips', '1e6'],
      /1,000,000 data sets of 1,000,000 flips will take about \d+[hm]/,
    ],
  ])('says what it will take before it starts: %s', async (name, more, words) => {
    const rows = Array.from({ length: 40 }, (_, t) => `t${t},${t % 7},${(t * 5) % 11}\n`);
    writeFileSync(join(cwd, 'm.csv'), `task,a,b\n${rows.join('')}`);
    let heard = '';
    const child = spawn(process.execPath, [resolve('dist/cli/main.js'), name, 'm.csv', '--threads', '1', ...more], {
      cwd,
    });
    child.stderr.on('data', (chunk: Buffer) => {
      heard += chunk;
      if (heard.includes('\n')) child.kill('SIGKILL');
    });
    const [, signal] = await once(child, 'close');
    expect(heard).toMatch(words);
    expect(signal).toBe('SIGKILL');
  });
});
