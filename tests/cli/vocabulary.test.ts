import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, type Option } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'vocabulary-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Words that mean one thing in every command that has them, with what they take. */
const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
  '--out': ['<path>', '<file>', '<folder>'],
  '--draws': ['<n>'],
  '--flips': ['<n>'],
  '--threads': ['<n>'],
  '--models': ['<list>'],
  '--without': ['<list>'],
  '--strata': ['<name>'],
  '--rng': ['<name>'],
  '--scheme': ['<name>'],
  '--alpha': ['<x>'],
  '--test': ['<name>'],
  '--multiplicity': ['<name>'],
  '--interval': ['<name>'],
  '--tasks': ['<files...>'],
  '--responses': ['<files...>', '<file>'],
  '--scores': ['<file>'],
  '--json': [''],
  '--quiet': [''],
  '--force': [''],
};

/** Commands where a word means something else, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'env import --without': 'names of a space, which has no models',
  'bench --models': 'a number: the benchmark makes its matrix up',
};

/** Words that stood for one of the vocabulary. */
const REPLACED = ['--output', '--plot', '--bootstrap-resamples', '--sign-flip-resamples', '--resamples'];

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

async function leaves(): Promise<Leaf[]> {
  const program = new Command('flavourbench');
  for (const { load } of COMMANDS) (await load()).register(program);
  const below = (command: Command, path: string): Leaf[] =>
    command.commands.length === 0
      ? [{ path, command }]
      : command.commands.flatMap((each) => below(each, `${path} ${each.name()}`.trim()));
  return below(program, '');
}

const taken = ({ flags }: Option): string => /[<[].*$/.exec(flags)?.[0] ?? '';

describe('the vocabulary of options', () => {
  it('has one meaning for one word', async () => {
    const odd = (await leaves()).flatMap(({ path, command }) =>
      command.options
        .filter((option) => option.long! in VOCABULARY && !VOCABULARY[option.long!]!.includes(taken(option)))
        .map((option) => `${path} ${option.long}`),
    );
    expect(odd.filter((each) => !(each in ELSEWHERE))).toEqual([]);
  });

  it('shows no spelling that it had before', async () => {
    const shown = (await leaves()).flatMap(({ path, command }) =>
      command.options
        .filter((option) => !option.hidden && REPLACED.includes(option.long!))
        .map((option) => `${path} ${option.long}`),
    );
    expect(shown).toEqual([]);
  });

  it('lets every command over scores take its files as they stand', async () => {
    const over = (await leaves()).filter(({ command }) => command.options.some(({ long }) => long === '--quantize'));
    expect(over.length).toBeGreaterThan(10);
    for (const { path, command } of over)
      expect(
        command.registeredArguments.map((argument) => [argument.name(), argument.variadic]),
        path,
      ).toEqual([['files', true]]);
  });

  it('speaks of food only where tasks are culinary', async () => {
    const general = new Set([
      'infer',
      'rank-audit',
      'power',
      'coverage',
      'bench',
      'score',
      'rescore',
      'reward',
      'core',
      'collect',
      'plan',
    ]);
    const culinary = (await leaves())
      .filter(({ path }) => general.has(path.split(' ')[0]!))
      .filter(({ command }) => /culinar|ingredient|cook|food|recipe|flavour(?!bench)/i.test(command.helpInformation()))
      .map(({ path }) => path);
    expect(culinary).toEqual([]);
  });
});

const path = join(dir, 'scores.csv');
const values = (m: number) => Array.from({ length: 24 }, (_, t) => Number((t * 7 + m * 5) % 11 < 4 + 2 * m));
writeFileSync(
  path,
  ['model', ...values(0).map((_, t) => `t${t}`)]
    .join()
    .concat(...['a', 'b', 'c'].map((name, m) => `\n${name},${values(m).join()}`)),
);
const small = ['--draws', '100', '--flips', '200'];

describe('files and --scores', () => {
  it.each([
    ['infer', ...small],
    ['power', '--no-simulation'],
    ['coverage', '--datasets', '3', ...small],
    ['sensitivity generalizability'],
  ])('are the same to %s', async (name, ...options) => {
    const words = name.split(' ');
    const one = await cliInline([...words, path, ...options, '--json']);
    const two = await cliInline([...words, '--scores', path, ...options, '--json']);
    expect(one).toMatchObject({ code: 0, stdout: two.stdout });
    const both = await cliInline([...words, path, '--scores', path]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('files and --scores are both given')]);
  });
});

describe('an old spelling', () => {
  const tasks = ['--tasks', 'fixtures/tasks-small.json'];

  it('does what the new one does, with a note on standard error', async () => {
    const old = await cliInline(['template', ...tasks, '--output', join(dir, 'old.jsonl')]);
    expect(old).toMatchObject({ code: 0, stderr: 'flavourbench: --output is now --out\n' });
    const now = await cliInline(['template', ...tasks, '--out', join(dir, 'new.jsonl')]);
    expect(now).toMatchObject({ code: 0, stderr: '' });
    const quiet = await cliInline(['template', ...tasks, '--output', join(dir, 'old.jsonl'), '--json']);
    expect(quiet.stderr).toBe('');
    const both = await cliInline(['template', ...tasks, '--output', join(dir, 'x'), '--out', join(dir, 'y')]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('old spelling of --out')]);
  });
});

describe('an option that takes every word behind it', () => {
  it('is named where it took the file that is missing', async () => {
    const { code, stderr } = await cliInline(['rescore', '--tasks', 'fixtures/tasks-small.json', 'answers.jsonl']);
    expect(code).toBe(2);
    expect(stderr).toContain("missing required argument 'files'");
    expect(stderr).toContain('--tasks takes every word behind it up to the next option: put files in front of it');
  });
});

describe('power --difference', () => {
  it('comes from the range of the values', async () => {
    const plan = async (factor: number) => {
      const scaled = join(dir, `scaled-${factor}.csv`);
      writeFileSync(
        scaled,
        ['model', ...values(0).map((_, t) => `t${t}`)].join().concat(
          ...['a', 'b'].map(
            (name, m) =>
              `\n${name},${values(m)
                .map((value) => factor * value)
                .join()}`,
          ),
        ),
      );
      return JSON.parse((await cliInline(['power', scaled, '--no-simulation', '--json'])).stdout).plan.difference;
    };
    expect(await plan(1)).toBe(0.03);
    expect(await plan(100)).toBe(3);
    expect(await plan(7)).toBe(0.2);
  });
});
