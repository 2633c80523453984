import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'surplus-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const written = (name: string, text: string) => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};
const scores = written('scores.csv', 'model,q1,q2,q3\nalpha,1,0,1\nbeta,0,1,1\n');
const families = written('fam.csv', 'task,family\nq1,a\nq2,b\nq3,b\n');
const clusters = written('clu.csv', '"task";"cluster"\nq1;a\nq2;b\nq3;b\n');
const other = written('other.csv', 'model,q1,q2,q3\nalpha,1,0,1\nbeta,0,1,0\n');
const TASKS = 'fixtures/tasks-small.json';

describe('a word that a command has no place for', () => {
  it.each([
    [['rank-audit', scores, 'nonsense'], 'nonsense: does not exist', '--against nonsense, --models nonsense'],
    [['infer', scores, 'nonsense'], 'nonsense: does not exist', '--models nonsense, --without nonsense'],
    [['rank-audit', scores, 'alpha > beta'], 'alpha > beta: does not exist', "--fail-unless 'alpha > beta'."],
    [['rank-audit', scores, 'max-t'], 'max-t: does not exist', 'here: --multiplicity max-t.'],
    [['coverage', scores, 'holm'], 'holm: does not exist', 'here: --multiplicity holm.'],
    [['rank-audit', scores, 'table'], 'table: does not exist', 'here: --table.'],
    [['rank-audit', scores, '0.05'], '0.05: does not exist', 'here: --alpha 0.05 or --margin 0.05.'],
    [['power', scores, '0.8'], '0.8: does not exist', '--difference 0.8, --power 0.8 or --alpha 0.8.'],
    [['rank-audit', scores, '500'], '500: does not exist', '--draws 500, --flips 500'],
    [['rank-audit', scores, 'page.html'], 'page.html: does not exist', '--out page.html'],
    [['rank-audit', scores, families], '2 files; a matrix is one file', `has an option: --families ${families}.`],
    [['infer', clusters, scores], '2 files; a matrix is one file', `has an option: --clusters ${clusters}.`],
    [
      ['sensitivity', 'weights', scores, families, clusters],
      '3 files; a matrix is one file',
      `--families ${families} --clusters ${clusters}.`,
    ],
    [
      ['power', scores, other],
      '2 files; a matrix is one file',
      `\`flavourbench rank-audit ${scores} --compare ${other}\``,
    ],
    [['sensitivity', scores], 'stands where sensitivity expects', `\`flavourbench sensitivity precision ${scores}\``],
    [['bench', 'wasm'], 'too many arguments', 'here: --backend wasm.'],
    [['compile', 'pantry', 'seed'], 'too many arguments', '--seed TEXT'],
    [['score', 'answers.jsonl', TASKS, '--tasks', TASKS], 'too many arguments', `here: --tasks ${TASKS}.`],
    [['collect', 'plan.yaml', dir], 'too many arguments', `--ledger ${dir}`],
    [['env', 'neighbors', 'pantry', 'basil', '5'], 'too many arguments', '--count 5'],
    [['core', 'show', 'a', 'b'], 'too many arguments', 'takes b: leave it out.'],
  ])('is answered with the option that takes it: %j', async (call, what, hint) => {
    const { code, stderr } = await cliInline(call);
    expect(code).toBe(2);
    expect(stderr).toContain(what);
    expect(stderr.slice(stderr.indexOf('hint:'))).toContain(hint);
  });

  it('is no word for the first file, which a call needs as it is', async () => {
    const { stderr } = await cliInline(['rank-audit', 'nonsense']);
    expect(stderr).toContain('nonsense: does not exist');
    expect(stderr).toContain('Check the path');
  });

  it('is no name of a model where the only texts are dates', async () => {
    const dates = written('dates.csv', 'date,task,value\n2024-01-01,a,1\n2024-01-02,b,0\n');
    const { code, stderr } = await cliInline([dates]);
    expect(code).toBe(2);
    expect(stderr).toContain('no column is known to name the models');
    expect(stderr).toContain('hint: Add a column model.\n');
  });
});
