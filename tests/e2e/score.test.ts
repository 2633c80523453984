import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';
import { cliInline } from '../support/cli-inline.js';
import { noShared, shared } from '../support/shared.js';
import { taskRow } from '../tasks/support.js';

let dir: string;
let tasks: string;
let answers: string;
const families = ['substitution', 'pairing', 'constraint'];
const at = (name: string) => join(dir, name);
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'score-'));
  tasks = at('tasks.jsonl');
  answers = at('answers.jsonl');
  writeFileSync(tasks, lines(families.map((family) => taskRow(family, { family }))));
  const response = 'FINAL_SELECTION: A,B,D';
  writeFileSync(
    answers,
    lines(['b', 'a'].flatMap((model) => families.map((task_id) => ({ model, task_id, response })))),
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the commands tasks and core', () => {
  it('verify, describe and show task sets and cores', async () => {
    const verified = cli(['tasks', 'verify', tasks]);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(/^OK: .*: 3 tasks, task rows, bound to no published digest/);
    const stats = await cliInline(['tasks', 'stats', tasks, '--json']);
    expect(JSON.parse(stats.stdout)).toHaveLength(3);
    const shown = await cliInline(['tasks', 'show', tasks, 'pairing']);
    expect(shown.stdout).toMatch(/ 1 +FGH +100\.00 +spelt, millet, barley/);
    expect(shown.stdout).toContain('Pick three grains for pairing.');
    expect(await cliInline(['tasks', 'show', tasks, 'pair'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean pairing?'),
    });
  });

  it('name the first difference of a damaged task set and exit with 4', async () => {
    const path = at('changed.jsonl');
    writeFileSync(path, lines([taskRow('a', { optimal_margin_bps: 3 })]));
    expect(await cliInline(['tasks', 'verify', path])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        /^flavourbench: VERIFY_FAILED: .*: optimal_margin_bps: expected 4600, found 3 \(task a\)\n {2}hint:/,
      ),
    });
    const json = await cliInline(['tasks', 'verify', path, '--json']);
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'VERIFY_FAILED', exit: 4 });
  });
});

describe('the commands score, verify-report, rescore, reward and template', () => {
  it('score one model, hold the report to a digest, and verify it', async () => {
    const report = at('report.json');
    const args = ['score', answers, '--tasks', tasks, '--model', 'a', '--out', report, '--force'];
    const free = await cliInline([...args, '--no-inference']);
    expect(free).toMatchObject({ code: 0, stderr: '' });
    expect(free.stdout).toMatch(/not issued; over readable answers: 1\.00\nnot comparable/);
    const digest = JSON.parse(readFileSync(report, 'utf8')).task_set_semantic_sha256;
    expect(free.stdout).toContain(`--expect-tasks ${digest}`);
    const more = ['--draws', '100', '--flips', '100'];
    const bound = await cliInline([...args, ...more, '--expect-tasks', digest, '--json']);
    expect(JSON.parse(bound.stdout)).toMatchObject({ comparable: true, flavourbench_score: 1 });
    const other = await cliInline([...args, '--expect-tasks', '0'.repeat(64)]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('DIGEST_MISMATCH') });
    const check = ['verify-report', report, '--tasks', tasks, '--responses', answers];
    const verified = await cliInline([...check, '--model', 'a']);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toContain('scored again and agrees');
    expect((await cliInline([...check, '--model', 'c'])).code).toBe(2);
    expect((await cliInline(['verify-report', report, '--tasks', tasks])).code).toBe(2);
  });

  it('score no tasks that two environments scored', async () => {
    const set = (digit: string, own: readonly string[]) => {
      const rows = own.map((family) => taskRow(family, { family }));
      writeFileSync(at(`${digit}.json`), JSON.stringify({ environment: { sha256: digit.repeat(64) }, tasks: rows }));
      return at(`${digit}.json`);
    };
    const both = [set('1', families.slice(0, 1)), set('2', families.slice(1))];
    const run = await cliInline(['score', answers, '--model', 'a', '--out', at('two.json'), '--tasks', ...both]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(/ENVIRONMENT_MIXED: .*1{64} .*2{64}/)]);
  });

  it('take any unsigned 64-bit seed', async () => {
    const report = at('seeded.json');
    const args = ['score', answers, '--tasks', tasks, '--model', 'a', '--out', report, '--force'];
    const more = ['--draws', '50', '--flips', '50'];
    for (const seed of ['0', '18446744073709551615']) {
      expect((await cliInline([...args, ...more, '--seed', seed])).code).toBe(0);
      const check = ['verify-report', report, '--tasks', tasks, '--responses', answers];
      expect((await cliInline([...check, '--model', 'a', '--seed', seed])).code).toBe(0);
    }
  });

  it('name a file that is no report at all', async () => {
    writeFileSync(at('list.json'), '[1]');
    expect(await cliInline(['verify-report', at('list.json')])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/list\.json: the document: .*found \[1\]\n {2}hint: /),
    });
  });

  it('quote ids that hold commas and quotes in tables', async () => {
    const odd = at('odd-ids.jsonl');
    writeFileSync(odd, lines([taskRow('a,"b', { family: 'pairing' })]));
    writeFileSync(at('one.jsonl'), lines([{ model: 'm,1', task_id: 'a,"b', selection: 'FGH' }]));
    const rows = at('odd.csv');
    await cliInline(['rescore', at('one.jsonl'), '--tasks', odd, '--rows', rows]);
    expect(readFileSync(rows, 'utf8')).toContain('\n"m,1","a,""b",ok,FGH,10000\n');
  });

  it('write no file when their input is wrong', async () => {
    const out = at('none.json');
    const twice = await cliInline(['score', answers, '--tasks', tasks, '--out', out]);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('CELL_DUPLICATE') });
    const rows = at('none.csv');
    writeFileSync(at('odd.jsonl'), '{"task_id":"other"}\n');
    const odd = await cliInline(['rescore', at('odd.jsonl'), '--tasks', tasks, '--rows', rows]);
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('TASK_UNKNOWN') });
    const good = ['--tasks', tasks, '--no-inference'];
    const place = join(answers, 'below-a-file');
    const halves = [
      ['score', answers, ...good, '--model', 'a', '--out', out, '--per-task', place],
      ['score', answers, ...good, '--model', 'a', '--out', place, '--per-task', rows],
      ['rescore', answers, '--tasks', tasks, '--out', out, '--rows', place],
      ['rescore', answers, '--tasks', tasks, '--out', place, '--rows', rows],
    ];
    for (const args of halves)
      expect(await cliInline(args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('FILE_SYSTEM'),
      });
    expect([out, rows].some(existsSync)).toBe(false);
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('rescore many models, the same bytes twice, in order of appearance', async () => {
    const args = ['rescore', answers, '--tasks', tasks, '--json'];
    const [one, two] = [await cliInline(args), await cliInline([...args, '--rows', at('rows.csv')])];
    expect(one.stdout).toBe(two.stdout);
    const { results } = JSON.parse(one.stdout);
    expect(results.models.map(({ model }: { model: string }) => model)).toEqual(['b', 'a']);
    expect(results.models[0]).toMatchObject({ rows: 3, mean_of_readable: 1, optimal: 0 });
    expect(readFileSync(at('rows.csv'), 'utf8').split('\n').slice(0, 2)).toEqual([
      'model,task,outcome,selection,score_bps',
      'b,substitution,ok,ABD,100',
    ]);
  });

  it('pass over inline reasoning and name it, in results, documents and totals', async () => {
    const file = 'fixtures/cases/answers/think-inline.jsonl';
    const rescore = async (...more: string[]) => {
      const rows = at('thought.csv');
      const call = ['rescore', file, '--tasks', 'fixtures/tasks-small.json', '--rows', rows, '--force', ...more];
      const { code, stdout } = await cliInline(call);
      expect(code).toBe(0);
      return { stdout, rows: readFileSync(rows, 'utf8').trimEnd().split('\n').slice(1) };
    };
    const now = await rescore();
    expect(now.rows.map((row) => row.split(',').slice(2, 4).join())).toEqual(['open_reasoning,', 'ok,DEF', 'ok,DEF']);
    expect(now.stdout).toContain(
      'answers read with parser v4; inline reasoning in 3, passed over\n  open 1, closed 1, orphan 1\n',
    );
    const document = JSON.parse((await rescore('--json')).stdout);
    expect(document.plan.parser).toBe('flavourbench-selection-set-parser-v4');
    expect(document.results.models[0]).toMatchObject({ outcomes: { open_reasoning: 1 }, inline_reasoning_answers: 1 });
    const before = await rescore('--parser', 'v3');
    expect(before.rows.map((row) => row.split(',').slice(2, 4).join())).toEqual([
      'ok,ABC',
      'contradictory,',
      'contradictory,',
    ]);
    expect(before.stdout).toContain('answers read with parser v3\n');
  });

  it('reward one answer, and give out templates that score nothing', async () => {
    const asked = ['reward', '--tasks', tasks, '--task-id', 'pairing', '--completion'];
    const best = await cliInline([...asked, 'FINAL_SELECTION: h,g,f']);
    expect(JSON.parse(best.stdout)).toMatchObject({ reward: 1, score: 100, selection: 'FGH' });
    const none = await cliInline([...asked, 'FINAL_SELECTION:']);
    expect(JSON.parse(none.stdout)).toMatchObject({
      reward: 0,
      score: null,
      score_bps: null,
      outcome: 'empty_selection',
    });
    const blank = at('template.jsonl');
    expect((await cliInline(['template', '--tasks', tasks, '--out', blank])).code).toBe(0);
    const scored = await cliInline(['score', blank, '--tasks', tasks, '--out', at('blank.json')]);
    expect(scored.code).toBe(3);
    expect(scored.stdout).toContain('coverage: 0/3 (0.0%)');
    // An incomplete report gives way to the next of its place; a complete one does not.
    const again = await cliInline(['score', blank, '--tasks', tasks, '--out', at('blank.json')]);
    expect([again.code, again.stderr]).toEqual([3, expect.stringMatching(/INCOMPLETE: no score/)]);
    const whole = ['--model', 'a', '--tasks', tasks, '--out', at('blank.json'), '--no-inference'];
    expect((await cliInline(['score', answers, ...whole])).code).toBe(0);
    expect(await cliInline(['score', blank, '--tasks', tasks, '--out', at('blank.json')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('OUTPUT_EXISTS'),
    });
  });
});

describe.skipIf(noShared)('the released benchmark from the command line', () => {
  const sets = () =>
    readdirSync(shared('data/tasksets'))
      .sort()
      .reverse()
      .map((name) => shared(`data/tasksets/${name}`));
  const plan = () => shared(`data/plan/${readdirSync(shared('data/plan'))[0]}`);

  it('prints Table 2 and the core', async () => {
    const stats = await cliInline(['tasks', 'stats', ...sets(), '--core', plan()]);
    expect(stats.stdout).toMatch(/substitution +178 +45\.2 +5\.6 +56\n/);
    expect(stats.stdout).toMatch(/pairing +178 +45\.0 +5\.6 +56\n/);
    expect(stats.stdout).toMatch(/constraint +178 +3\.4 +37\.3 +4\n/);
    const core = await cliInline(['core', 'show', plan(), '--keys']);
    expect(core.stdout).toContain(
      '02131d2b608c1d5fe725e90cda04e41a07fe71b9d2ea4f90728e39f20325e325  fb-executable-substitution-136',
    );
    expect(core.stdout).toContain('534 tasks in 6 strata, hash order and digests agree');
  });

  it('scores the recorded files against the task sets and the plan', async () => {
    const out = at('recorded.json');
    const score = (name: string) =>
      cliInline([
        ...['score', shared(`golden/lab/${name}`), '--tasks', ...sets()],
        ...['--core', plan(), '--out', out, '--no-inference', '--per-task', at('per-task.jsonl')],
        ...['--parser', 'v3', '--force'],
      ]);
    expect(await score('responses-534-valid.jsonl')).toMatchObject({ code: 0, stderr: '' });
    const same = (name: string, path: string) =>
      expect(readFileSync(path, 'utf8')).toBe(readFileSync(shared(`golden/lab/${name}`), 'utf8'));
    same('report-534-valid-noinf.json', out);
    same('per-task-534-valid.jsonl', at('per-task.jsonl'));
    const partial = await score('responses-partial.jsonl');
    expect(partial.code).toBe(3);
    expect(partial.stdout).toContain('missing          fb-executable-substitution-040');
    expect(partial.stderr).toContain('6 tasks without an answer, 40 without a readable one');
    same('report-partial.json', out);
  });
});

describe('score --compare', () => {
  const scored = (name: string, ...more: string[]) =>
    cliInline([
      'score',
      answers,
      '--tasks',
      tasks,
      '--no-inference',
      '--model',
      'a',
      '--out',
      at(name),
      '--force',
      ...more,
    ]);

  it('compares with another report of the same tasks and parser, task by task', async () => {
    await scored('first.json');
    const response = 'FINAL_SELECTION: A,B,C';
    writeFileSync(at('others.jsonl'), lines(families.map((task_id) => ({ model: 'a', task_id, response }))));
    const other = ['score', at('others.jsonl'), '--tasks', tasks, '--no-inference', '--out', at('second.json')];
    const { stdout } = await cliInline([...other, '--compare', at('first.json'), '--json']);
    const rows = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')).per_task as { score_bps: number }[];
    const signs = rows('second.json').map(({ score_bps }, i) =>
      Math.sign(score_bps - rows('first.json')[i]!.score_bps),
    );
    expect(JSON.parse(stdout).compared).toEqual({
      difference: null,
      ...{ higher: signs.filter((sign) => sign > 0).length, lower: signs.filter((sign) => sign < 0).length },
      equal: signs.filter((sign) => sign === 0).length,
    });
    expect((await scored('again.json', '--compare', at('first.json'))).stdout).toMatch(/as many on 3/);
  });

  it('refuses a mix of parsers or of task sets, with both, and writes nothing', async () => {
    await scored('first.json');
    const parser = await scored('v3.json', '--parser', 'v3', '--compare', at('first.json'));
    expect([parser.code, parser.stderr]).toEqual([
      2,
      expect.stringMatching(/REPORTS_MIXED: .*parser .*v4 stands here, .*v3/),
    ]);
    expect(existsSync(at('v3.json'))).toBe(false);
    writeFileSync(at('two.jsonl'), lines(families.map((family) => taskRow(family, { family, prompt: 'Pick three.' }))));
    const mixed = await cliInline([
      ...['score', answers, '--tasks', at('two.jsonl'), '--no-inference', '--model', 'a', '--out', at('no.json')],
      ...['--compare', at('first.json')],
    ]);
    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      expect.stringMatching(/REPORTS_MIXED: .*task set [0-9a-f]{64} .* has [0-9a-f]{64}/),
    ]);
  });
});
