import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomic } from '../../src/io/file.js';
import { CONTROLS, plainJson } from '../../src/util/text.js';
import { cliInline } from '../support/cli-inline.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MATRIX = `model,task,panel,family,cluster,value\n${['a', 'b']
  .flatMap((model, i) => [0, 1, 2].map((t) => `${model},t${t},p,f,c${t},${i * 100 + t * 7}\n`))
  .join('')}`;

describe('a call that cannot be understood', () => {
  it.each([
    ['an unknown option', ['--alpah', '1'], "unknown option '--alpah' (Did you mean --alpha?)"],
    ['a word for a number', ['--alpha', 'x'], "option '--alpha <x>' argument 'x' is invalid"],
    ['no draws', ['--draws', '0'], 'A whole number of at least 1 is expected'],
    ['a seed of 65 bits', ['--seed', '18446744073709551616'], 'An unsigned 64-bit integer'],
  ])('such as %s is an error like any other', async (_, args, words) => {
    const plain = await cliInline(['infer', ...args]);
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toMatch(/^flavourbench: USAGE: [^\n]*\n {2}hint: [^\n]*\n$/);
    expect(plain.stderr).toContain(words);
    const json = await cliInline(['infer', ...args, '--json']);
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'USAGE', exit: 2 });
  });

  it('such as a word too many is an error like any other', async () => {
    const { code, stderr } = await cliInline(['bench', 'matrix.csv']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('USAGE: too many arguments')]);
  });

  it('is not one that asks for help', async () => {
    const help = await cliInline(['score', '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('(default: 20260821)');
    expect((await cliInline(['verify-report', '--help'])).code).toBe(0);
  });
});

describe('what the command line prints', () => {
  it('holds no control character of a path', async () => {
    const path = join(folder, 'a\u001b[31mb\nflavourbench: OK');
    const error = await cliInline(['infer', '--scores', path]);
    expect(error.stderr.split('\n')).toHaveLength(3);
    expect(error.stderr).toContain('a\\u001b[31mb\\u000aflavourbench: OK: does not exist');
    const matrix = join(folder, 'm.csv');
    writeFileSync(matrix, MATRIX);
    const small = ['--draws', '20', '--flips', '20'];
    const out = join(folder, 'o\u001b[31m\u0007');
    const { stdout } = await cliInline(['infer', '--scores', matrix, ...small, '--out', out]);
    expect(stdout).toMatch(/^Written to .*o\\u001b\[31m\\u0007$/m);
  });
});

describe('an output in a place where nothing can be written', () => {
  it.each([
    ['a file', () => join(folder, 'file'), /file: something else has this name/],
    ['below a file', () => join(folder, 'file/x'), /file\/x: a file stands where a folder/],
    ['where the kernel makes no folder', () => '/proc/x', /\/proc\/x: no such file or folder/],
  ])('is refused with the reason: %s', async (_, out, words) => {
    writeFileSync(join(folder, 'file'), '');
    const matrix = join(folder, 'm.csv');
    writeFileSync(matrix, MATRIX);
    const small = ['--draws', '20', '--flips', '20', '--quiet'];
    const run = await cliInline(['infer', '--scores', matrix, ...small, '--out', out()]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
  });

  it('is named as the user wrote it', async () => {
    const { printError } = await import('../../src/cli/print-error.js');
    mkdirSync(join(folder, 'taken'));
    const said: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = ((text: string) => said.push(text) > 0) as typeof write;
    try {
      writeAtomic(join(folder, 'taken'), 'x');
    } catch (error) {
      expect(printError(error, false)).toBe(2);
    } finally {
      process.stderr.write = write;
    }
    expect(said.join('')).toContain(`${join(folder, 'taken')}: is a folder`);
  });
});

describe('JSON on a terminal', () => {
  const controls = [...'\u0000\u0007\u001b\u007f\u0085\u009b\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\uffff'];

  it('is the same value with every control character as an escape', () => {
    const text = fc.array(fc.constantFrom(...controls, 'a', '"', '\\', 'é', '\u00a0')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const json = plainJson(JSON.stringify(value, null, 2));
        expect(JSON.parse(json)).toEqual(value);
        expect(json.replaceAll('\n', '').match(CONTROLS)).toBeNull();
      }),
    );
  });

  it('is so of results and of errors', async () => {
    const name = join(folder, `turned\u202e\u009b31m`);
    const missing = await cliInline(['infer', '--scores', name, '--json']);
    expect(missing.stderr.replaceAll('\n', '').match(CONTROLS)).toBeNull();
    expect(JSON.parse(missing.stderr).error.where.file).toBe(name);
    const made = await cliInline(['plan', 'init', name, '--json']);
    expect(made.code).toBe(0);
    expect(made.stdout.replaceAll('\n', '').match(CONTROLS)).toBeNull();
  });
});
