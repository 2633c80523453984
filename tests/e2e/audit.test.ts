import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArrow } from '../../src/io/arrow.js';
import { canonicalJson } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { cliInline } from '../support/cli-inline.js';

/** Values are basis points. */
const BPS = ['--scale', '100'];

let dir: string;
let wide: string;
let long: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'audit-'));
  const tasks = Array.from({ length: 40 }, (_, t) => t);
  const value = (m: number, t: number) => 3000 + ((t * 7919 + m * 104_729) % 2003) + 2500 * m;
  const models = ['low', 'middle', 'high'];
  wide = join(dir, 'wide.csv');
  writeFileSync(
    wide,
    [
      ['model', ...tasks.map((t) => `t${t}`)].join(','),
      ...models.map((name, m) => [name, ...tasks.map((t) => value(m, t))].join(',')),
    ].join('\n'),
  );
  long = join(dir, 'long.csv');
  writeFileSync(
    long,
    [
      'model,task,panel,family,cluster,value',
      ...models.flatMap((name, m) => tasks.map((t) => `${name},t${t},p,f,c${t},${value(m, t)}`)),
    ].join('\n'),
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function expectAnalysis(
  name: string,
  args: readonly string[],
): Promise<Readonly<Record<string, unknown>> & { readonly words: string }> {
  const [one, two] = ['one', 'two'].map((end) => join(dir, `${name}-${end}`)) as [string, string];
  const first = await cliInline([name, ...args, '--out', one]);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(await cliInline([name, ...args, '--out', two, '--quiet'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const files = readdirSync(one).sort();
  const pairs = name === 'rank-audit' ? [`${name}-pairs.arrow`] : [];
  expect(files).toEqual([...pairs, ...['arrow', 'csv', 'html', 'json', 'png', 'svg'].map((end) => `${name}.${end}`)]);
  for (const file of files)
    expect(readFileSync(join(one, file)).equals(readFileSync(join(two, file))), file).toBe(true);
  const text = readFileSync(join(one, `${name}.json`), 'utf8');
  const document = JSON.parse(text);
  expect(document.schema).toBe(`flavourbench-${name}/2`);
  expect(document.results_sha256).toBe(sha256(canonicalJson(document.results)));
  const { artifact_sha256: artifact, ...body } = document;
  expect(artifact).toBe(sha256(canonicalJson(body)));
  expect((await cliInline([name, ...args, '--json'])).stdout).toBe(text);
  return { ...document.results, words: first.stdout };
}

describe('rank-audit', () => {
  it('puts its page into a folder, and of more than 256 models none, nor leaves that of an earlier run', async () => {
    const out = join(dir, 'paged');
    const page = join(out, 'rank-audit.html');
    const draws = ['--flips', '200', '--draws', '200'];
    expect((await cliInline(['rank-audit', wide, '--scale', '100', ...draws, '--out', out])).code).toBe(0);
    const alone = join(dir, 'alone.html');
    await cliInline(['rank-audit', wide, '--scale', '100', ...draws, '--out', alone]);
    expect(readFileSync(page).equals(readFileSync(alone))).toBe(true);
    const many = join(dir, 'many.csv');
    const rows = Array.from({ length: 257 }, (_, m) => `m${m},${m % 2},${m % 3 > 0 ? 1 : 0},1,${m % 5 > 0 ? 1 : 0}`);
    writeFileSync(many, `model,a,b,c,d\n${rows.join('\n')}\n`);
    const { code, stderr } = await cliInline(['rank-audit', many, ...draws, '--out', out]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('no page of 257 models')]);
    expect(readdirSync(out)).toContain('rank-audit.json');
    expect(readdirSync(out)).not.toContain('rank-audit.html');
  });

  it('writes document, table and figure, and says what the order is worth', async () => {
    const call = [wide, '--scale', '100', '--flips', '5000', '--draws', '500'];
    const results = await expectAnalysis('rank-audit', [...call, '--table']);
    expect(results.tie_groups).toEqual([['high'], ['middle'], ['low']]);
    expect(results.words).toContain('claims 2 steps; the data support 2 of them');
    expect(results.words).toMatch(/Every task weighs the\s+same/);
    expect(results.readings).toEqual([]);
    const bytes = readFileSync(join(dir, 'rank-audit-one', 'rank-audit.arrow'));
    expect((await readArrow(bytes, 'x')).column('model')).toEqual(['high', 'middle', 'low']);
    const pairs = await readArrow(readFileSync(join(dir, 'rank-audit-one', 'rank-audit-pairs.arrow')), 'x');
    expect(pairs.column('decision')).toHaveLength(3);
    expect(new Set(pairs.column('decision'))).not.toContain('open');
  });

  it('states metric and filter of a log, and how evaluations weigh', async () => {
    const paths = ['one', 'two'].flatMap((model, m) =>
      ['arc', 'piqa'].map((task) => {
        const path = join(dir, model, `samples_${task}_2026-05-01T10-00-00.000000.jsonl`);
        mkdirSync(join(dir, model), { recursive: true });
        const rows = [0, 1, 2].map((doc_id) => {
          const acc = Number(doc_id > m);
          return JSON.stringify({ doc_id, resps: [], filter: 'none', metrics: ['acc'], acc });
        });
        writeFileSync(path, rows.join('\n'));
        return path;
      }),
    );
    const call = ['rank-audit', ...paths, '--draws', '200', '--flips', '200'];
    const { stdout } = await cliInline([...call, '--table']);
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /Scores are "acc" \(filter "none"\)\..*the mean over 2 families, which weigh the same/,
    );
    const document = JSON.parse((await cliInline([...call, '--json', '--metric', 'acc'])).stdout);
    expect(document.plan).toMatchObject({ metric: 'acc', filter: null, common_tasks: false });
    expect(document.results.readings).toEqual([
      { family: 'arc', metric: 'acc', filter: 'none' },
      { family: 'piqa', metric: 'acc', filter: 'none' },
    ]);
    const wrong = await cliInline([...call, '--metric', 'foo']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('there is "acc"')]);
  });

  it('ends with exit code 2 for what it cannot read', async () => {
    const path = join(dir, 'odd.json');
    writeFileSync(path, '{"hello": 1}');
    const { code, stderr } = await cliInline(['rank-audit', path]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/SCHEMA_INVALID.*odd\.json/);
  });
});

describe('power', () => {
  it('plans a benchmark from pilot data and checks the plan by simulation', async () => {
    const results = await expectAnalysis('power', [
      '--scores',
      long,
      ...BPS,
      '--difference',
      '5',
      '--datasets',
      '40',
      '--flips',
      '2000',
      '--pair',
      'low',
      'high',
    ]);
    expect(results.pairs).toHaveLength(3);
    expect(results.simulation).toMatchObject({ left: 'low', right: 'high', datasets: 40 });
    expect(results.words).toContain('Check by simulation for low and high');
  });

  it('takes a wide matrix, and refuses a difference past its range', async () => {
    const call = ['power', '--scores', wide, ...BPS, '--no-simulation', '--json', '--difference'];
    expect(JSON.parse((await cliInline([...call, '5'])).stdout).results.pairs).toHaveLength(3);
    const far = await cliInline([...call, '500']);
    expect([far.code, far.stderr]).toEqual([2, expect.stringContaining('a difference of 500')]);
  });

  it('says so where its simulation contradicts its plan', async () => {
    const path = join(dir, 'binary.csv');
    const bits = (m: number) => Array.from({ length: 40 }, (_, t) => Number((t * 7 + m * 3) % 5 < 3));
    writeFileSync(
      path,
      ['model', ...Array.from({ length: 40 }, (_, t) => `t${t}`)]
        .join(',')
        .concat(...['a', 'b', 'c'].map((name, m) => `\n${[name, ...bits(m)].join(',')}`)),
    );
    const call = ['power', '--scores', path, '--scale', '1', '--difference', '0.95'];
    const { stdout } = await cliInline([...call, '--datasets', '40', '--flips', '2000']);
    expect(stdout.replaceAll('\n', ' ')).toMatch(/Note: the simulation contradicts the plan/);
    const few = await cliInline([...call, '--flips', '20', '--multiplicity', 'holm']);
    expect([few.code, few.stderr]).toEqual([2, expect.stringContaining('at least 60 flips')]);
  });

  it('plans without simulation, and refuses a pair of models that are not in the matrix', async () => {
    const plain = await cliInline(['power', '--scores', long, ...BPS, '--no-simulation', '--json']);
    expect(JSON.parse(plain.stdout)).toMatchObject({
      rng: null,
      seed: null,
      results: { simulation: null },
    });
    const wrong = await cliInline(['power', '--scores', long, ...BPS, '--pair', 'low', 'low']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('USAGE');
  });
});

describe('coverage', () => {
  it('simulates matrices without a difference and counts what the intervals cover', async () => {
    const results = await expectAnalysis('coverage', [
      '--scores',
      long,
      ...BPS,
      '--datasets',
      '20',
      '--draws',
      '100',
      '--flips',
      '500',
    ]);
    expect(results.datasets).toBe(20);
    expect(results.models).toHaveLength(3);
    expect(results.words).toContain('Over 20 data sets');
  });

  it('takes a wide matrix', async () => {
    const size = ['--datasets', '5', '--draws', '50', '--flips', '100', '--json'];
    const { stdout } = await cliInline(['coverage', '--scores', wide, ...BPS, ...size]);
    expect(JSON.parse(stdout).results.models).toHaveLength(3);
  });
});
