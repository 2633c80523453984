import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'rows-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const tasks = Array.from({ length: 24 }, (_, t) => t);
const cell = (m: number, t: number) => (m === 3 && t % 3 > 0 ? '' : (t * 7 + m * 5) % 11 < 6 + m ? 1 : 0);
const names = ['one', 'two', 'three', 'thin, model'];
const table = join(dir, 'gaps.csv');
writeFileSync(
  table,
  `model,${tasks.map((t) => `t${t}`).join()}\n${names.map((name, m) => `"${name}",${tasks.map((t) => cell(m, t)).join()}`).join('\n')}\n`,
);
const list = join(dir, 'left-out.txt');
writeFileSync(list, 'thin, model\n');

const small = ['--draws', '200', '--flips', '500'];
const calls: Readonly<Record<string, readonly string[]>> = {
  'rank-audit': ['rank-audit', table, ...small],
  infer: ['infer', '--scores', table, '--scale', '1', ...small],
  power: ['power', '--scores', table, '--scale', '1', '--difference', '0.2', '--no-simulation'],
  coverage: ['coverage', '--scores', table, '--scale', '1', '--datasets', '3', ...small],
  sensitivity: ['sensitivity', 'generalizability', '--scores', table, '--scale', '1'],
};

describe.each(Object.entries(calls))('%s over a table with gaps', (_, call) => {
  it('names the thin model and the calls that give a result', async () => {
    const { code, stderr } = await cliInline(call);
    expect(code).toBe(3);
    expect(stderr).toContain('16 of 96 cells are missing');
    expect(stderr).toContain('Without "thin, model" the other 3 models share 24 tasks');
  });

  it('leaves a model out by name or by file, and says so in its document', async () => {
    for (const written of ['thin, model', list]) {
      const { code, stdout } = await cliInline([...call, '--without', written, '--json']);
      expect(code).toBe(0);
      const document = JSON.parse(stdout);
      expect(JSON.stringify(document.results)).not.toContain('thin, model');
      expect(JSON.stringify(document.run.warnings)).toContain('left out: \\"thin, model\\"');
    }
    const { stderr } = await cliInline([...call, '--models', 'one,tow']);
    expect(stderr).toMatch(/MODEL_UNKNOWN: --models names "tow".*nearest is "two"/s);
  });

  it('keeps the tasks of all models on request, and refuses bounds where it cannot use them', async () => {
    const { code, stdout } = await cliInline([...call, '--missing', 'common-tasks', '--json']);
    expect(code).toBe(0);
    const { run } = JSON.parse(stdout);
    expect(JSON.stringify(run.warnings)).toContain('every model has 8 of 24 tasks');
    const odd = await cliInline([...call, '--missing', 'often']);
    expect(odd.code).toBe(2);
  });
});

describe('rank-audit', () => {
  it('takes --common-tasks for --missing common-tasks, with a note', async () => {
    const old = await cliInline(['rank-audit', table, ...small, '--common-tasks']);
    expect(old).toMatchObject({ code: 0, stderr: expect.stringContaining('now --missing common-tasks') });
    const json = ['--json'];
    const one = await cliInline(['rank-audit', table, ...small, '--common-tasks', ...json]);
    const two = await cliInline(['rank-audit', table, ...small, '--missing', 'common-tasks', ...json]);
    expect(one.stdout).toBe(two.stdout);
    const both = await cliInline(['rank-audit', table, ...small, '--common-tasks', '--missing', 'withhold']);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --missing alone') });
  });
});

describe('power and coverage', () => {
  it('have no use for bounds', async () => {
    for (const name of ['power', 'coverage', 'sensitivity']) {
      const { code, stderr } = await cliInline([...calls[name]!, '--missing', 'bounds']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('needs every value')]);
    }
  });
});

describe('infer', () => {
  it('lists cells with another number of attempts beside the result that it withholds', async () => {
    const path = join(dir, 'attempts.csv');
    writeFileSync(path, 'model,task,epoch,value\na,t,1,1\na,t,2,0\nb,t,1,1\na,u,1,1\na,u,2,1\nb,u,1,0\nb,u,2,1\n');
    const out = join(dir, 'out');
    const call = ['infer', '--scores', path, '--scale', '1', ...small];
    const { code, stderr } = await cliInline([...call, '--out', out]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('ATTEMPTS_UNEQUAL')]);
    expect(readFileSync(join(out, 'missing.csv'), 'utf8')).toBe('model,task,reason\nb,t,1 attempt\n');
    expect((await cliInline([...call, '--attempts', '1'])).code).toBe(0);
  });

  it('keeps the tasks that every model answers, out of answers too', async () => {
    const rows = readFileSync('fixtures/responses-small.jsonl', 'utf8').trim().split('\n');
    const path = join(dir, 'answers.jsonl');
    writeFileSync(path, `${rows.slice(1).join('\n')}\n`);
    const call = ['infer', '--responses', path, '--tasks', 'fixtures/tasks-small.json', ...small];
    const withheld = await cliInline(call);
    expect(withheld.code).toBe(3);
    const { code, stdout } = await cliInline([...call, '--missing', 'common-tasks', '--json']);
    expect(code).toBe(0);
    expect(JSON.stringify(JSON.parse(stdout).run.warnings)).toContain('1 task that some model lacks was left out');
  });
});

describe('families and tasks', () => {
  const long = join(dir, 'families.csv');
  const rows = names
    .slice(0, 3)
    .flatMap((name, m) =>
      tasks.map((t) => `${name},t${t},${t % 3 ? 'odd, too' : 'even'},${cell(m, t)}`.replace('odd, too', '"odd, too"')),
    );
  writeFileSync(long, `model,task,family,score\n${rows.join('\n')}\n`);
  const audit = async (...options: string[]) => {
    const { code, stdout, stderr } = await cliInline(['rank-audit', long, ...small, '--json', ...options]);
    return { code, stderr, document: code === 0 ? JSON.parse(stdout) : null };
  };
  const scoreOf = (m: number, take: (t: number) => boolean) => {
    const own = tasks.filter(take);
    return own.reduce((sum, t) => sum + Number(cell(m, t)), 0) / own.length;
  };

  it('are weighed and left out by name, by file and by family', async () => {
    const ids = join(dir, 'ids.txt');
    writeFileSync(ids, 't0\nt7\n');
    const weighed = await audit('--family-weights', 'even=3', '--without-tasks', ids, '--without-tasks', 't4,t5');
    const gone = new Set([0, 7, 4, 5]);
    const first = weighed.document.results.models.find(({ model }: { model: string }) => model === 'one');
    const [even, odd] = [scoreOf(0, (t) => t % 3 === 0 && !gone.has(t)), scoreOf(0, (t) => t % 3 > 0 && !gone.has(t))];
    expect(first.score).toBeCloseTo((3 * even + odd) / 4, 12);
    expect(weighed.document.plan.family_weights).toEqual({ even: 3 });
    expect(weighed.document.run.warnings.join()).toMatch(
      /over 20 tasks of 24; left out: "t0", "t4".*do not weigh the same|do not weigh the same.*left out: "t0"/s,
    );
    const comma = await audit('--family-weights', 'odd, too=2', '--without-families', 'even');
    expect(comma.document.results.models.map(({ model }: { model: string }) => model).sort()).toEqual([
      'one',
      'three',
      'two',
    ]);
    expect(comma.document.results.tasks).toBe(16);
  });

  it('are refused by names that are none', async () => {
    expect(await audit('--without-tasks', 't99')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TASK_UNKNOWN'),
    });
    expect(await audit('--without-families', 'evn')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('FAMILY_UNKNOWN'),
    });
    expect(await audit('--family-weights', 'even')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('FAMILY=NUMBER'),
    });
  });

  it('stand in a frozen plan, from which other weights deviate', async () => {
    const plan = join(dir, 'plan.json');
    await cliInline(['infer', 'plan', '--family-weights', 'even=2', '--strata', 'family', ...small, '--out', plan]);
    const call = ['infer', '--scores', long, '--plan', plan, '--json'];
    const kept = JSON.parse((await cliInline(call)).stdout);
    expect([kept.plan.family_weights, kept.standing.deviations]).toEqual([{ even: 2 }, []]);
    const other = JSON.parse((await cliInline([...call, '--family-weights', 'even=3'])).stdout);
    expect(other.standing.deviations).toEqual([{ field: 'family_weights', planned: 'even=2', used: 'even=3' }]);
  });
});
