import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'fit-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const at = (name: string) => join(dir, name);

/** Names that differ at their ends alone, with letters past ASCII. */
const named = (letter: string) => `anbieter-é/${letter.repeat(90)}-instruct`;
const scores = (shift: number) =>
  [
    `model,${Array.from({ length: 24 }, (_, t) => `${'a-benchmark-of-many-words/'.repeat(3)}q${t}`).join()}`,
    ...['a', 'b', 'c'].map(
      (letter, m) =>
        `${named(letter)},${Array.from({ length: 24 }, (_, t) => Number((t * 7 + m * 5 + shift) % 11 > 3 + m)).join()}`,
    ),
  ].join('\n');
writeFileSync(at('before.csv'), scores(0));
writeFileSync(at('after.csv'), scores(1));
const [, ...tasks] = scores(0).split('\n')[0]!.split(',');
writeFileSync(at('families.csv'), `task,family\n${tasks.map((task, t) => `${task},f${t % 2}`).join('\n')}\n`);

const TASKS = 'fixtures/tasks-small.json';
const ANSWERS = 'fixtures/responses-small.jsonl';
const OLD = 'fixtures/version-1';
const BASE = `an-organisation/${'a-model-of-many-words-'.repeat(4)}@${'0123456789'.repeat(4)}`;

/** Generations of a study: the base model, and two seeds of either training. */
const runs = [null, 1, 2, 1, 2].map((seed, i) => ({
  training_seed: seed,
  condition: ['pretrained_base', 'sft_format_control', 'sft_epicure_optimum'][Math.ceil(i / 2)]!,
}));
writeFileSync(
  at('generations.jsonl'),
  (JSON.parse(readFileSync(TASKS, 'utf8')).tasks as { task_id: string }[])
    .flatMap(({ task_id }) => runs.map((run) => ({ ...run, task_id, completion: 'FINAL_SELECTION: A,B,C' })))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join(''),
);
const few = ['--draws', '200', '--flips', '200'];

/** Every command that prints a table, a figure or a list, in an order in which each finds what it needs. */
const CALLS: readonly (readonly string[])[] = [
  ['rank-audit', at('before.csv'), ...few],
  ['rank-audit', at('before.csv'), '--table', ...few],
  ['rank-audit', at('before.csv'), '--compare', at('after.csv'), ...few],
  ['infer', at('before.csv'), '--out', at('inferred'), ...few],
  ['infer', at('before.csv'), '--out', at('replayed'), '--rng', 'numpy', ...few],
  ['infer', '--responses', ANSWERS, '--tasks', TASKS, '--out', at('answered'), ...few],
  ['power', at('before.csv'), '--datasets', '20', '--flips', '200'],
  ['coverage', at('before.csv'), '--datasets', '10', '--draws', '200', '--flips', '200'],
  ...['precision', 'generalizability', 'weights', 'all'].map((name) => [
    ...['sensitivity', name, at('before.csv'), '--families', at('families.csv'), '--draws', '100'],
  ]),
  ...[
    ['list', TASKS],
    ['stats', TASKS],
    ['show', TASKS, 'fb-executable-constraint-001'],
  ].map((rest) => ['tasks', ...rest]),
  ['env', 'list'],
  ...[
    ...[['show'], ['show', 'basil'], ['neighbors', 'basil'], ['pair', 'basil', 'tomato'], ['axis', 'sweet', 'basil']],
    ...[
      ['correlations'],
      ['morph', 'basil', 'sweet'],
      ['frontier', 'basil', 'tomato'],
      ['pairings', 'basil', 'tomato'],
    ],
    ['feasible', 'basil', 'butter', '--diet', 'vegan'],
  ].map(([what, ...rest]) => ['env', what!, 'pantry', ...rest]),
  ['fetch', '--list'],
  ['compile', 'fixtures/worlds/packing.json', '--seed', 's', '--out', at('tasks.json')],
  ['maps', TASKS, '--env', 'pantry', '--covered', '--out', at('maps.jsonl')],
  ['maps', 'compare', TASKS, at('maps.jsonl')],
  ['score', ANSWERS, '--tasks', TASKS, '--model', 'simulated/skill-45', '--out', at('report.json')],
  ['rescore', ANSWERS, '--tasks', TASKS, '--out', at('rescored.json')],
  ['bench', '--model-count', '4', '--clusters', '12', '--draws', '200', '--backend', 'wasm'],
  ['ledger', 'status', `${OLD}/collection/ledger`],
  ['ledger', 'verify', `${OLD}/collection/ledger`],
  ['plan', 'check', `${OLD}/collection/plan.json`],
  ['collect', `${OLD}/collection/plan.json`, '--ledger', `${OLD}/collection/ledger`, '--dry-run'],
  ['core', 'show', `${OLD}/collection/core.json`],
  [
    ...['core', 'freeze', '--tasks', `${OLD}/collection/panel_1.jsonl`, '--ledger', `${OLD}/collection/ledger`],
    ...['--seed', 's', '--per-stratum', '1', '--roster', `${OLD}/collection/roster.txt`, '--out', at('core.json')],
  ],
  ...[
    ['split', '--tasks', TASKS, '--evaluation', '2', '--validation', '2', '--out', at('data')],
    ['plan', '--base', BASE, '--data', at('data'), '--out', at('study')],
    ['recipe', '--base', BASE, '--arm', 'sft', '--seed', '1', '--data', at('data'), '--out', at('run.py')],
    ['evaluate', '--tasks', TASKS, '--generations', at('generations.jsonl'), '--out', at('evaluated')],
    [
      ...['contrast', '--tasks', TASKS, '--completions', at('generations.jsonl'), '--split', TASKS],
      ...['--draws', '100', '--flips', '200', '--out', at('contrasted')],
    ],
    ['demo', '--tasks', TASKS, '--maps', 'pantry', '--draws', '100', '--flips', '200', '--out', at('probe')],
  ].map((rest) => ['transfer', ...rest]),
  ['release', 'build', '--tasks', TASKS, '--responses', ANSWERS, '--out', at('built')],
  ['release', 'verify', `${OLD}/release`, '--quick'],
  ['release', 'diff', `${OLD}/release`, `${OLD}/collection/release`],
];

/** Commands whose files are never of other content, or stand in a folder of their own. */
const UNFORCED: ReadonlySet<string> = new Set(['transfer']);

/** Those that have colours or figures, and a few more. */
const SOME = CALLS.filter(([name, second]) => ['rank-audit', 'infer', 'fetch'].includes(name!) || second === 'weights');

/** A word that is whole, to be copied, may pass over the end of the line. */
const isOneWord = (line: string) => !line.trim().includes(' ');

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

interface Run {
  readonly call: string;
  readonly code: number | null;
  readonly stderr: string;
  readonly lines: readonly string[];
}

/** Runs calls where standard output is a terminal of 80 columns, or a pipe, under an environment. */
async function runAll(env: Readonly<Record<string, string>>, isTerminal: boolean, calls: typeof CALLS) {
  for (const name of ['LC_ALL', 'LC_CTYPE', 'LANG', 'TERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS'])
    vi.stubEnv(name, env[name] ?? '');
  const own = Object.getOwnPropertyDescriptors(process.stdout);
  Object.defineProperty(process.stdout, 'isTTY', { value: isTerminal, configurable: true, writable: true });
  Object.defineProperty(process.stdout, 'columns', { value: 80, configurable: true, writable: true });
  vi.resetModules();
  try {
    const { cliInline } = await import('../support/cli-inline.js');
    const { columnsOf } = await import('../../src/cli/table-text.js');
    const runs: Run[] = [];
    for (const call of calls) {
      const { code, stdout, stderr } = await cliInline(
        [...call, '--force'].slice(0, call.includes('--out') && !UNFORCED.has(call[0]!) ? undefined : -1),
      );
      runs.push({ call: call.slice(0, 3).join(' '), code, stderr, lines: stdout.split('\n') });
    }
    return { runs, columnsOf };
  } finally {
    for (const name of ['isTTY', 'columns'] as const)
      if (own[name]) Object.defineProperty(process.stdout, name, own[name]);
      else Reflect.deleteProperty(process.stdout, name);
  }
}

const withoutColours = (line: string) => line.replaceAll(/\u001b\[[0-9;]*m/g, '');

const past80 = (runs: readonly Run[], columnsOf: (text: string) => number) =>
  runs.flatMap(({ call, lines }) =>
    lines
      .map(withoutColours)
      .filter((line) => columnsOf(line) > 80 && !isOneWord(line))
      .map((line) => `${call}: ${line}`),
  );
const holding = (runs: readonly Run[], what: RegExp) =>
  runs.flatMap(({ call, lines }) =>
    lines
      .map(withoutColours)
      .filter((line) => what.test(line))
      .map((line) => `${call}: ${line}`),
  );

describe('what commands print', () => {
  it('fits a terminal of 80 columns, all of them, in the C locale and with forced colours in ASCII', async () => {
    const { runs, columnsOf } = await runAll({ LC_ALL: 'C', FORCE_COLOR: '1' }, true, CALLS);
    const failed = runs.filter(({ code }) => code !== 0 && code !== 3 && code !== 4);
    expect(failed.map(({ call, stderr }) => `${call}: ${stderr}`)).toEqual([]);
    expect(runs.filter(({ lines }) => lines.join('').length < 20)).toEqual([]);
    expect(past80(runs, columnsOf)).toEqual([]);
    expect(holding(runs, /[^\u0020-\u007e]/)).toEqual([]);
    expect(runs.filter(({ lines }) => lines.some((line) => line.includes('\u001b['))).length).toBeGreaterThan(0);
  });

  it('has long names cut in the middle, in letters of all kinds, in a terminal and in a pipe alike', async () => {
    for (const isTerminal of [true, false]) {
      const { runs, columnsOf } = await runAll({ TERM: 'xterm', LANG: 'de_DE.UTF-8' }, isTerminal, SOME);
      const tables = runs.map(({ call, lines }) => ({
        call,
        lines: isTerminal ? lines : lines.filter((line) => line.includes('…')),
      }));
      expect(past80(tables as Run[], columnsOf)).toEqual([]);
      const cut = runs.filter(({ lines }) => lines.some((line) => /anbieter-é\/a*….*instruct/.test(line)));
      expect(new Set(cut.map(({ call }) => call.split(' ')[0]))).toEqual(new Set(['rank-audit', 'infer']));
    }
  });

  it('is ASCII without an escape on a dumb terminal, and without colour where NO_COLOR says so', async () => {
    const dumb = await runAll({ TERM: 'dumb', LC_ALL: 'de_DE.UTF-8' }, true, SOME);
    for (const { call, lines } of dumb.runs)
      expect(
        lines.filter((line) => /[^\u0020-\u007e]/.test(line)),
        call,
      ).toEqual([]);
    const plain = await runAll({ NO_COLOR: '1', FORCE_COLOR: '1', TERM: 'xterm' }, true, SOME);
    for (const { call, lines } of plain.runs)
      expect(
        lines.filter((line) => line.includes('\u001b')),
        call,
      ).toEqual([]);
  });
});
