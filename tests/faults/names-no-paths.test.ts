import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';

/** Names that lead out of a folder, are something else to a system of files, or are longer than one takes. */
const HOSTILE = [
  ...['../../outside', '/tmp/outside', '..', '.', 'CON', 'a\u0000b', 'C:\\outside', '..\\..\\outside', '~/outside'],
  ...['-rf', '$(touch outside)', 'file:///tmp/outside', '.hidden', 'x'.repeat(300), 'a/b/c', '%2e%2e%2foutside'],
];
const TAME = HOSTILE.map((_, k) => `name-${k}`);
/** Tasks have names of their own: a table of models against models is refused. */
const tasksOf = (names: readonly string[]) => names.map((name) => `./${name}`);
const TASKS = 'fixtures/tasks-small.json';
const taskIds = (JSON.parse(readFileSync(TASKS, 'utf8')) as { tasks: { task_id: string }[] }).tasks.map(
  ({ task_id }) => task_id,
);

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'names-no-paths-'));
  for (const [kind, names] of [
    ['hostile', HOSTILE],
    ['tame', TAME],
  ] as const) {
    mkdirSync(at(kind, 'in'), { recursive: true });
    const cells = (m: number) => tasksOf(names).map((name, t) => ({ name, value: (m * 7 + t * 5) % 11 }));
    const rows = names.flatMap((model, m) =>
      cells(m).map(({ name, value }) => JSON.stringify({ model, task: name, score: value })),
    );
    writeFileSync(at(kind, 'in', 'scores.jsonl'), `${rows.join('\n')}\n`);
    const answers = names.flatMap((model_id) =>
      taskIds.map((task_id) => JSON.stringify({ model_id, task_id, response: 'FINAL_SELECTION: A,B,C' })),
    );
    writeFileSync(at(kind, 'in', 'answers.jsonl'), `${answers.join('\n')}\n`);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const filesIn = (path: string) => readdirSync(path, { recursive: true }).map(String).sort();

describe('names of models and tasks are no paths: the same files are written whatever they are', () => {
  it.each([
    ['rank-audit', (input: string) => ['rank-audit', join(input, 'scores.jsonl'), '--draws', '99', '--flips', '200']],
    ['infer', (input: string) => ['infer', join(input, 'scores.jsonl'), '--draws', '99', '--flips', '200']],
    [
      'infer of answers',
      (input: string) => [
        ...['infer', '--responses', join(input, 'answers.jsonl'), '--tasks', TASKS],
        ...['--draws', '99', '--flips', '200'],
      ],
    ],
    ['rescore', (input: string) => ['rescore', join(input, 'answers.jsonl'), '--tasks', TASKS, '--format', 'csv']],
    [
      'score',
      (input: string) => [
        ...['score', join(input, 'answers.jsonl'), '--tasks', TASKS],
        `--model=${(/hostile/.test(input) ? HOSTILE : TAME)[0]}`,
      ],
    ],
    ['power', (input: string) => ['power', join(input, 'scores.jsonl'), '--datasets', '2', '--flips', '200']],
    [
      'sensitivity',
      (input: string) => [
        ...['sensitivity', 'precision', '--responses', join(input, 'answers.jsonl'), '--tasks', TASKS],
        ...['--draws', '9', '--sizes', '6'],
      ],
    ],
  ])('%s', async (name, call) => {
    const written = async (kind: string) => {
      const run = await cliInline([...call(at(kind, 'in')), '--out', at(kind, name, 'out')]);
      return { code: run.code, error: run.stderr.split(':')[1] ?? '', files: filesIn(at(kind, name)) };
    };
    mkdirSync(at('tame', name));
    mkdirSync(at('hostile', name));
    const tame = await written('tame');
    expect(tame).toMatchObject({ code: 0, error: '' });
    expect(tame.files.length).toBeGreaterThan(0);
    const beside = readdirSync(join(folder, '..')).filter((path) => /outside/.test(path));
    expect(await written('hostile')).toEqual(tame);
    expect(filesIn(at('hostile')).filter((path) => /outside/.test(path))).toEqual([]);
    expect(readdirSync(join(folder, '..')).filter((path) => /outside/.test(path))).toEqual(beside);
    expect(readdirSync('.').filter((path) => /outside/.test(path))).toEqual([]);
  });

  it.each(HOSTILE)('no environment is called %j', async (name) => {
    const run = await cliInline(['env', 'import', 'fixtures/space', `--as=${name}`]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/USAGE|not a name/);
  });
});
