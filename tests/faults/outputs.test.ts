import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';

const TASKS = resolve('fixtures/tasks-small.json');
const ANSWERS = resolve('fixtures/responses-small.jsonl');
const { model_id: MODEL } = JSON.parse(readFileSync(ANSWERS, 'utf8').split('\n')[0]!);
const SCORE = ['score', ANSWERS, '--tasks', TASKS, '--model', MODEL, '--allow-partial'];

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'outputs-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));
const at = (name: string) => join(cwd, name);
const left = () => readdirSync(cwd).filter((name) => name.startsWith('.'));

describe('an output of a command', () => {
  it('is never an input of the same call, forced or not', () => {
    copyFileSync(ANSWERS, at('x.jsonl'));
    copyFileSync(TASKS, at('t.json'));
    writeFileSync(at('m.csv'), 'model,task,panel,family,cluster,value\na,t,p,f,c,1\nb,t,p,f,c,2\n');
    for (const args of [
      ['rescore', 'x.jsonl', '--tasks', 't.json', '--out', 'x.jsonl'],
      ['rescore', 'x.jsonl', '--tasks', 't.json', '--rows', './x.jsonl', '--out', 'o.json'],
      ['rescore', 'x.jsonl', '--tasks', 't.json', '--rows', 't.json'],
      ['score', 'x.jsonl', '--tasks', 't.json', '--model', MODEL, '--out', 'x.jsonl'],
      ['template', '--tasks', 't.json', '--out', 't.json'],
    ]) {
      const run = cli([...args, '--force'], { cwd });
      expect(run, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toMatch(/OUTPUT_EXISTS: .* is an input of this call/);
    }
    expect(readFileSync(at('x.jsonl')).equals(readFileSync(ANSWERS))).toBe(true);
    expect(readFileSync(at('t.json')).equals(readFileSync(TASKS))).toBe(true);
    expect(readdirSync(cwd).sort()).toEqual(['m.csv', 't.json', 'x.jsonl']);
  });

  it('is not another output of the same call', () => {
    const args = ['rescore', ANSWERS, '--tasks', TASKS, '--rows', 'X', '--out', './X', '--force'];
    expect(cli(args, { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/OUTPUT_EXISTS: .*X: is another output of this call/),
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('goes into no folder that is reached through a link, and the folder itself is named', () => {
    mkdirSync(at('far'));
    writeFileSync(at('far/mine.txt'), 'mine');
    symlinkSync(at('far'), at('link'));
    writeFileSync(at('m.csv'), 'task,a,b\nx,1,2\ny,3,1\nz,2,2\n');
    for (const args of [
      ['infer', 'm.csv', '--draws', '9', '--flips', '9', '--out', 'link'],
      ['infer', 'm.csv', '--draws', '9', '--flips', '9', '--out', 'link//'],
      ['m.csv', '--out', 'link'],
      ['rescore', ANSWERS, '--tasks', TASKS, '--out', 'link'],
    ]) {
      const run = cli([...args, '--force'], { cwd });
      expect(run, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toMatch(/OUTPUT_NOT_REGULAR: link\/*: is a symbolic link to a folder/);
      expect(run.stderr).toContain(realpathSync(at('far')));
    }
    expect(readdirSync(at('far'))).toEqual(['mine.txt']);
    expect(left()).toEqual([]);
    const through = cli(['infer', 'm.csv', '--draws', '9', '--flips', '9', '--out', 'link/below'], { cwd });
    expect(through).toMatchObject({ code: 0 });
  });

  it('may stand only in the place of a file, never of a folder, link or pipe', () => {
    execFileSync('mkfifo', [at('pipe')]);
    writeFileSync(at('target'), 'kept');
    symlinkSync(at('target'), at('link'));
    for (const [path, kind] of [
      ['pipe', 'a named pipe'],
      ['link', 'a symbolic link'],
      ['.', 'a folder'],
      ['/dev/stdout', 'a symbolic link'],
    ] as const) {
      const run = cli([...SCORE, '--force', '--out', path], { cwd });
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`OUTPUT_NOT_REGULAR: ${path}: is ${kind}`);
    }
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('target'), 'utf8')).toBe('kept');
    expect(left()).toEqual([]);
  });

  it('replaces a file of other content only when forced; the same content again is fine', () => {
    writeFileSync(at('responses.jsonl'), 'an afternoon of answers');
    const template = ['template', '--tasks', TASKS];
    expect(cli(template, { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('OUTPUT_EXISTS: responses.jsonl: exists with other content'),
    });
    expect(readFileSync(at('responses.jsonl'), 'utf8')).toBe('an afternoon of answers');
    expect(cli([...template, '--force'], { cwd }).code).toBe(0);
    expect(cli(template, { cwd }).code).toBe(0);
    const rescore = ['rescore', ANSWERS, '--tasks', TASKS, '--out', 'o.json', '--rows', 'r.csv'];
    expect(cli(rescore, { cwd }).code).toBe(0);
    expect(cli(rescore, { cwd }).code).toBe(0);
    writeFileSync(at('r.csv'), 'other');
    rmSync(at('o.json'));
    expect(cli(rescore, { cwd }).code).toBe(2);
    expect(readdirSync(cwd).sort()).toEqual(['r.csv', 'responses.jsonl']);
  });
});

describe('a withheld result', () => {
  it('comes with a list of what is missing, and says that the files beside it are those of an earlier run', () => {
    const infer = (answers: string) =>
      cli(
        ['infer', '--responses', answers, '--tasks', TASKS, '--out', 'out', '--draws', '20'].concat([
          '--flips',
          '20',
          '--quiet',
        ]),
        { cwd },
      );
    expect(infer(ANSWERS).code).toBe(0);
    const rows = readFileSync(ANSWERS, 'utf8').trimEnd().split('\n');
    writeFileSync(at('short.jsonl'), `${rows.slice(1).join('\n')}\n`);
    const short = infer('short.jsonl');
    expect(short.code).toBe(3);
    expect(short.stderr).toContain('the other files in out are the result of an earlier run');
    expect(readdirSync(at('out'))).toContain('missing.csv');
    expect(infer(ANSWERS).code).toBe(0);
    expect(readdirSync(at('out'))).not.toContain('missing.csv');
  });
});
