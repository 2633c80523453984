import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, type Option } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { FlavourError } from '../../src/util/error.js';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'vocabulary-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Words that mean one thing in every command that has them, with what they take. */
const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
  '--out': ['<path>', '<file>', '<folder>', '<page.html>'],
  '--draws': ['<n>'],
  '--flips': ['<n>'],
  '--threads': ['<n>'],
  '--seed': ['<n>', '<text>'],
  '--backend': ['<name>', '<names...>'],
  '--models': ['<list>'],
  '--without': ['<list>'],
  '--strata': ['<name>'],
  '--rng': ['<name>'],
  '--model': ['<id>', '<specs...>'],
  '--scheme': ['<name>'],
  '--alpha': ['<x>'],
  '--test': ['<name>'],
  '--multiplicity': ['<name>'],
  '--interval': ['<name>'],
  '--core': ['<plan>'],
  '--missing': ['<rule>'],
  '--clusters': ['<file>'],
  '--roster': ['<file>'],
  '--chance': ['<file>'],
  '--metric': ['<name>'],
  '--filter': ['<name>'],
  '--parser': ['<version>'],
  '--margin': ['<points>'],
  '--against': ['<model>'],
  '--tasks': ['<files...>'],
  '--responses': ['<files...>', '<file>'],
  '--scores': ['<file>'],
  '--compare': ['<file>', '<report>'],
  '--names': ['<file>'],
  '--only': ['<names>'],
  '--families': ['<file>'],
  '--only-families': ['<list>', '<names...>'],
  '--keep': ['<file>'],
  '--json': [''],
  '--quiet': [''],
  '--force': [''],
};

/** Commands where a word means something else, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'env import --without': 'names of a space, which has no models',
};

/** The words of a command that resamples. */
const WHOLE = ['--draws', '--flips', '--seed', '--rng', '--strata', '--threads'];

/** Commands that resample, by what their help shows. */
const RESAMPLING = [
  'score',
  'infer',
  'rank-audit',
  'power',
  'coverage',
  ...['precision', 'filter', 'checkpoints', 'substitutions', 'all'].map((name) => `sensitivity ${name}`),
  'transfer contrast',
  'transfer demo',
  'bench',
];

/** These freeze a plan and draw nothing. */
const FREEZES = ['infer plan', 'transfer plan', 'sensitivity plan checkpoints', 'sensitivity plan substitutions'];

/** A value that an option takes, where not any text will do. */
const FIRST: Readonly<Record<string, string>> = {
  '--sizes': '5',
  '--maps': 'a=b',
  '--env': 'pantry',
  '--tasks': 'fixtures/tasks-small.json',
};

/** Options that take the same files as the command does, or whose own first value is refused before. */
const SAME: Readonly<Record<string, string>> = {
  'maps --tasks': 'task files either way',
  'sensitivity plan checkpoints --maps': 'the file of the first map is looked for first, and is not there',
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
  const below = (command: Command, path: string): Leaf[] => [
    ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [{ path, command }] : []),
    ...command.commands.flatMap((each) => below(each, `${path} ${each.name()}`.trim())),
  ];
  return below(program, '');
}

const taken = ({ flags }: Option): string => /[<[].*$/.exec(flags)?.[0] ?? '';

describe('the vocabulary of options', () => {
  it('has one meaning for one word', async () => {
    const odd = (await leaves()).flatMap(({ path, command }) =>
      command.options
        .filter(
          (option) =>
            !option.hidden && option.long! in VOCABULARY && !VOCABULARY[option.long!]!.includes(taken(option)),
        )
        .map((option) => `${path} ${option.long}`),
    );
    expect(odd.filter((each) => !(each in ELSEWHERE))).toEqual([]);
  });

  it('is whole in every command that resamples: each word is taken, or refused with the reason', async () => {
    const whole = [...WHOLE, '--out'];
    const resampling = (await leaves()).filter(
      ({ path, command }) =>
        command.options.some(({ long, hidden }) => !hidden && ['--draws', '--flips', '--datasets'].includes(long!)) &&
        !FREEZES.includes(path),
    );
    expect(resampling.map(({ path }) => path)).toEqual(RESAMPLING);
    for (const { path, command } of [
      ...resampling,
      ...(await leaves()).filter((leaf) => leaf.path === 'release build'),
    ])
      expect(
        whole.filter((word) => !command.options.some(({ long }) => long === word)),
        path,
      ).toEqual([]);
  });

  it('says why where a command has no use for a word, and what to do', async () => {
    const refused: string[] = [];
    for (const { path, command } of await leaves())
      for (const option of command.options.filter((each) => each.hidden && WHOLE.includes(each.long!))) {
        let error: unknown;
        try {
          option.parseArg?.('numpy', undefined);
        } catch (caught) {
          error = caught;
        }
        if (!(error instanceof FlavourError)) continue;
        refused.push(`${path} ${option.long}`);
        expect(error.code, path).toBe('USAGE');
        expect(error.message, path).toMatch(/^--[a-z]+ numpy: .{15}/);
        expect(error.hint, path).toMatch(/\.$/);
      }
    expect(refused.length).toBeGreaterThan(15);
    const { code, stderr } = await cliInline(['rank-audit', path, '--rng', 'numpy']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('`flavourbench infer FILE --rng numpy`')]);
    expect((await cliInline(['rank-audit', path, '--rng', 'philox', ...small])).code).toBe(0);
  });

  it('is known to every command: a word that it lacks is answered by what the command is', async () => {
    const words = [...WHOLE.filter((word) => word !== '--seed'), '--models', '--out'];
    const odd: string[] = [];
    let lacking = 0;
    for (const { path: name, command } of await leaves())
      for (const word of words) {
        if (command.options.some(({ long }) => long === word)) continue;
        const needed = command.options
          .filter(({ mandatory, defaultValue }) => mandatory && defaultValue === undefined)
          .flatMap(({ long, argChoices }) => [long!, argChoices?.[0] ?? '3']);
        const given = command.registeredArguments.filter(({ required }) => required).map(() => join(dir, 'nothing'));
        const { code, stderr } = await cliInline([...name.split(' '), ...given, ...needed, word, '3']);
        lacking += 1;
        if (code !== 2 || !stderr.includes(`USAGE: ${word}: \`${name}\` `) || !/hint: .*\.$/m.test(stderr))
          odd.push(`${name} ${word}: ${code} ${stderr}`);
      }
    expect(odd).toEqual([]);
    expect(lacking).toBeGreaterThan(200);
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

describe('an option that takes every word behind it', () => {
  it('is explained in every command that takes files, or leaves it to them', async () => {
    const odd: string[] = [];
    let tried = 0;
    for (const { path: words, command } of await leaves()) {
      if (command.registeredArguments.length === 0) continue;
      for (const option of command.options.filter(
        ({ variadic, hidden, long }) => variadic && !hidden && long !== '--pair',
      )) {
        const required = command.options
          .filter((other) => other.mandatory && other !== option && other.defaultValue === undefined)
          .flatMap((other) => [other.long!, other.argChoices?.[0] ?? join(dir, 'nothing')]);
        const value = option.argChoices?.[0] ?? FIRST[option.long!] ?? 'one';
        const run = await cliInline([...words.split(' '), ...required, option.long!, value, join(dir, 'nothing.csv')]);
        tried += 1;
        if (run.code !== 2 && run.code !== 3) odd.push(`${words} ${option.long}: ${run.code}`);
        else if (
          !run.stderr.includes(`${option.long} takes every word behind it up to the next option`) &&
          !(`${words} ${option.long}` in SAME)
        )
          odd.push(`${words} ${option.long}: ${run.stderr}`);
      }
    }
    expect(odd).toEqual([]);
    expect(tried).toBeGreaterThan(40);
  });

  it('leaves to the files what stands behind two models', async () => {
    const one = await cliInline(['power', '--pair', 'a', 'b', path, '--datasets', '5', '--flips', '50', '--json']);
    const two = await cliInline(['power', path, '--pair', 'a', 'b', '--datasets', '5', '--flips', '50', '--json']);
    expect(one).toEqual(two);
    expect(one.code, one.stderr).toBe(0);
  });

  it('is named where it took the file that is missing', async () => {
    const { code, stderr } = await cliInline(['rescore', '--tasks', 'fixtures/tasks-small.json', 'answers.jsonl']);
    expect(code).toBe(2);
    expect(stderr).toContain("missing required argument 'files'");
    expect(stderr).toContain(
      '--tasks takes every word behind it up to the next option, here fixtures/tasks-small.json answers.jsonl: put files in front of it, or write --tasks=',
    );
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
