import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'wrong-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const written = (name: string, text: string) => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};
const TASKS = 'fixtures/tasks-small.json';
const ANSWERS = 'fixtures/responses-small.jsonl';
const scores = written('scores.csv', 'model,q1,q2,q3\nalpha,1,0,1\nbeta,0,1,1\n');

describe('a file of another kind', () => {
  it.each([
    [['infer', TASKS], 'is a task set', `--responses ANSWERS --tasks ${TASKS}`],
    [['rank-audit', TASKS], 'is a task set', '--responses ANSWERS'],
    [
      ['infer', 'fixtures/responses-small.jsonl'],
      'holds answers',
      'flavourbench infer --responses fixtures/responses-small.jsonl --tasks',
    ],
    [['tasks', 'stats', scores], 'is a table, no tasks', `\`flavourbench ${scores}\``],
    [['score', TASKS, '--tasks', TASKS], 'is a task set, no answers', `flavourbench score ANSWERS --tasks ${TASKS}`],
    [['rescore', TASKS, '--tasks', TASKS], 'is a task set, no answers', '--tasks'],
    [['score', TASKS], 'is a task set, no answers', `flavourbench score ANSWERS --tasks ${TASKS}`],
    [['rescore', scores], 'is a table, no answers', `flavourbench ${scores}`],
    [['score', ANSWERS], '--tasks is missing', `flavourbench score ${ANSWERS} --tasks TASKS`],
    [['score'], '--tasks is missing', 'flavourbench score ANSWERS --tasks TASKS'],
    [['score', ANSWERS, '--tasks', ANSWERS], 'holds answers, no tasks', `flavourbench score ${ANSWERS} --tasks TASKS`],
    [['rescore', ANSWERS, '--tasks', scores], 'is a table, no tasks', 'compile'],
    [['infer', '--responses', TASKS, '--tasks', ANSWERS], 'holds answers, no tasks', `score ${ANSWERS}`],
    [['reward', '--tasks', ANSWERS, '--task-id', 'x', '--completion', 'y'], 'holds answers, no tasks', '--tasks TASKS'],
    [['maps', ANSWERS, '--env', 'pantry', '--out', 'x.jsonl'], 'holds answers, no tasks', 'score'],
    [['tasks', 'list', ANSWERS], 'holds answers, no tasks', 'score'],
    [
      ['rank-audit', scores, written('names.txt', 'alpha\nbeta\n')],
      '2 files; a matrix is one file',
      'names.txt is a list of names: --names ',
    ],
    [
      ['rank-audit', written('nested.json', '{"a":{"run":{"x":{"y":1}}},"b":{"run":{"x":{"y":2}}}}')],
      'no column holds values',
      'an object of 2 keys, each of which holds an object ("run")',
    ],
    [
      ['rank-audit', written('page.html', '<table border="1" class="dataframe"><tr><th>model</th></tr></table>\n')],
      'is a table of HTML',
      '[0].to_csv("scores.csv", index=False)',
    ],
    [
      ['explore', written('infinite.csv', 'model,q1,q2\na,1e999,1\nb,0,1\n'), '--out', join(dir, 'infinite.html')],
      'column "q1" is "1e999"',
      'past every number that is held',
    ],
    [
      ['explore', written('bytes.bin', '\u0000\u0001'), '--out', join(dir, 'bytes.html')],
      'is no text: from byte 0 on it holds zeros',
      'fetch the file again',
    ],
    [
      ['rank-audit', written('r.json', '[{"q1": 1, "q2": 0}, {"q1": 0, "q2": 1}]')],
      'none is known to name the models',
      'reset_index()',
    ],
  ])('is called by its name: %j', async (call, what, hint) => {
    const { code, stderr } = await cliInline(call);
    expect(code).toBe(2);
    expect(stderr).toContain(what);
    expect(stderr.slice(stderr.indexOf('hint:'))).toContain(hint);
  });

  it('that may lie on its side is asked about in the answer itself', async () => {
    const rows = Array.from({ length: 25 }, (_, t) => `q${t},${t % 2},${Number(t % 3 > 0)},1`);
    const { stdout } = await cliInline([
      written('side.csv', `,a,b,c\n${rows.join('\n')}\n`),
      '--draws',
      '50',
      '--flips',
      '50',
    ]);
    expect(stdout.replaceAll('\n', ' ')).toContain('Next: is it turned? --transpose;');
  });
});

describe('a name that is not there', () => {
  it.each([
    [['infer', scores, '--against', 'alfa'], '"alpha"'],
    [['power', scores, '--pair', 'alfa', 'betta'], 'The nearest is "beta"'],
    [['infer', scores, '--models', 'alpha,betta'], '"beta"'],
    [['infer', scores, '--roster', written('roster.txt', 'alpha\nbetta\n')], '"beta"'],
    [['rank-audit', scores, '--fail-unless', 'alpha > betta'], '"beta"'],
    [['rank-audit', scores, '--drop', 'qq1'], '"q1"'],
    [
      ['score', 'fixtures/responses-small.jsonl', '--tasks', TASKS, '--model', 'simulated/skill-46'],
      '"simulated/skill-45"',
    ],
    [
      ['reward', '--tasks', TASKS, '--task-id', 'fb-executable-constraint-01', '--completion', 'x'],
      'fb-executable-constraint-0',
    ],
    [['tasks', 'show', TASKS, 'fb-executable-constraint-0001'], 'fb-executable-constraint-001'],
    [['fetch', 'epicure-cor'], 'epicure-core'],
    [['bench', '--backend', 'wsm'], 'wasm'],
    [['env', 'neighbors', 'pantry', 'basill'], 'basil'],
    [['env', 'axis', 'pantry', 'swet', 'basil'], 'sweet'],
    [
      ['maps', TASKS, '--env', 'pantry', '--only-families', 'substitution,paring', '--out', join(dir, 'm.jsonl')],
      'pairing',
    ],
    [
      ['compile', 'pantry', '--seed', 'x', '--only-families', 'substitution,paring', '--out', join(dir, 't.json')],
      'pairing',
    ],
    [['env', 'neighbors', 'panty', 'basil'], 'The nearest is pantry'],
    [['infer', scores, '--missing', 'bound'], 'The nearest is bounds'],
    [['rank-audit', 'fixtures/logs/evalplus', '--metric', 'bas'], '--metric base'],
    [['rank-audit', 'fixtures/logs/lm-evaluation-harness', '--metric', 'exact'], '--metric exact_match'],
    [['rank-audit', 'fixtures/logs/lm-evaluation-harness', '--filter', 'strict'], '--filter strict-match'],
    [['rank-audit', 'fixtures/logs/helm', '--metric', 'exact_mach'], '--metric exact_match'],
    [['rank-audit', 'fixtures/logs/inspect-json', '--metric', 'macth'], '--metric match'],
    [['rank-audit', 'fixtures/logs/promptfoo-json', '--metric', 'scor'], '--metric score'],
    [['rank-audit', 'fixtures/logs/swe-bench', '--metric', 'resolved_submitted'], '--metric resolved_of_submitted'],
    [['rank-audit', 'fixtures/logs/mteb', '--metric', 'main'], '--metric main_score'],
    [['rank-audit', 'fixtures/logs/mteb', '--filter', 'tests'], '--filter test'],
    [
      [
        'rank-audit',
        written('metric.csv', 'model,task,metric,value\na,t,acc,1\na,t,f1,0\nb,t,acc,0\nb,t,f1,1\n'),
        '--metric',
        'ac',
      ],
      '--metric acc',
    ],
    [
      ['maps', TASKS, '--env', 'pantry', '--only-families', 'substitutoin', '--out', join(dir, 'm.jsonl')],
      'substitution',
    ],
  ])('is answered with the nearest one: %j', async (call, near) => {
    const { code, stderr } = await cliInline(call);
    expect(code, stderr).toBe(2);
    expect(stderr.slice(stderr.indexOf('hint:'))).toContain(near);
  });
});
