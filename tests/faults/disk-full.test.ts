import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliRun, cli } from '../support/cli.js';

const TASKS = resolve('fixtures/tasks-small.json');
const ANSWERS = resolve('fixtures/responses-small.jsonl');
const { model_id: MODEL } = JSON.parse(readFileSync(ANSWERS, 'utf8').split('\n')[0]!);
const RESCORE = ['rescore', ANSWERS, '--tasks', TASKS];

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'full-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));
const at = (name: string) => join(cwd, name);

/** Runs the command line in a shell of its own. */
function inShell(before: string, args: readonly string[], after = ''): CliRun {
  const script = `${before} "$@" ${after}`;
  const program = [process.execPath, resolve('dist/cli/main.js'), ...args];
  const run = spawnSync('bash', ['-c', script, 'bash', ...program], { cwd, encoding: 'utf8' });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** No file may grow past some KiB: as on a full disk, the write that meets the end is cut short and only the next one fails. */
const small = (args: readonly string[], after?: string, kib = 4) => inShell(`ulimit -f ${kib}; exec`, args, after);

describe('a disk that fills up', () => {
  it.each([
    ['rows that are streamed', [...RESCORE, '--rows', 'big'], 'big'],
    ['a document', [...RESCORE, '--rows', 'big', '--out', 'small.json'], 'big'],
    [
      'rows of a score',
      ['score', ANSWERS, '--tasks', TASKS, '--model', MODEL, '--allow-partial', '--per-task', 'big'],
      'big',
    ],
  ])('ends a command with exit 5 and leaves nothing behind: %s', (_, args, name) => {
    const run = small(args);
    expect(run.code).toBe(5);
    expect(run.stderr).toMatch(new RegExp(`FILE_SYSTEM: ${name}: .*EFBIG`));
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('under standard output is told, and cuts no output off in silence', () => {
    const run = small([...RESCORE, '--json'], '> out.json', 1);
    expect(run.code).toBe(5);
    expect(run.stderr).toContain('standard output');
    const device = inShell('exec', [...RESCORE, '--json'], '> /dev/full');
    expect(device).toMatchObject({ code: 5, stderr: expect.stringContaining('"exit":5') });
    const table = inShell('exec', RESCORE, '> /dev/full');
    expect(table.code).toBe(5);
    expect(table.stderr).toContain('FILE_SYSTEM: standard output: no space left (ENOSPC)');
    expect(table.stderr).not.toContain('    at ');
  });

  it('under standard error changes no exit code of a command', () => {
    expect(inShell('exec', ['infer', '--scores', 'nope.csv'], '2> /dev/full').code).toBe(2);
  });

  it('leaves the earlier result of an inference as it was', () => {
    const rows = ['a', 'b', 'c', 'd'].flatMap((model, i) =>
      Array.from({ length: 24 }, (_, t) => `${model},t${t},p${t % 2},f${t % 3},c${t},${(i * t) % 7}`),
    );
    writeFileSync(at('m.csv'), `model,task,panel,family,cluster,value\n${rows.join('\n')}\n`);
    const args = ['infer', '--scores', 'm.csv', '--out', 'out', '--quiet', '--flips', '20', '--draws'];
    expect(cli([...args, '20'], { cwd }).code).toBe(0);
    const contents = () => readdirSync(at('out')).map((name) => [name, readFileSync(at(`out/${name}`), 'latin1')]);
    const before = contents();
    expect(before).toHaveLength(7);
    const run = small([...args, '30']);
    expect(run.code).toBe(5);
    expect(run.stderr).toMatch(/FILE_SYSTEM: out\/\w+\.(arrow|json|csv|html): /);
    expect(contents()).toEqual(before);
  });

  it.each([1, 4, 8])('under a ledger ends in LEDGER_WRITE_FAILED when files hold %i KiB', (kib) => {
    const plan = readFileSync('fixtures/plans/demo.yaml', 'utf8')
      .replace('path: panel-1.json', `path: ${TASKS}`)
      .replace(/.*panel-2.json.*\n/, '');
    writeFileSync(at('plan.yaml'), plan);
    const run = small(['collect', 'plan.yaml', '--ledger', 'L'], '', kib);
    expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining('LEDGER_WRITE_FAILED') });
    const resumed = cli(['collect', 'plan.yaml', '--ledger', 'L'], { cwd });
    expect(resumed.code).toBe(0);
    expect(cli(['ledger', 'verify', 'L'], { cwd }).code).toBe(0);
  });
});
