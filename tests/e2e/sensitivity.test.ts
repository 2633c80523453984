import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { expectedAnalyses } from '../support/golden-analyses.js';
import { goldenSubstitutionFiles } from '../support/golden-substitutions.js';
import { CORE_PLAN, TASK_SETS } from '../support/released-files.js';
import { noShared, shared } from '../support/shared.js';

const folder = mkdtempSync(join(tmpdir(), 'sensitivity-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const small = ['--responses', 'fixtures/responses-small.jsonl', '--tasks', 'fixtures/tasks-small.json'];
const nothing = join(folder, 'null.json');
writeFileSync(nothing, 'null');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('flavourbench sensitivity', () => {
  it('passes over an analysis whose strata cannot all be drawn, and names it; alone it fails', async () => {
    const rows = Array.from({ length: 24 }, (_, f) =>
      ['a', 'b', 'c', 'd'].map((model, m) => `${model},t${f},p,f${f},c${f},${(f * 37 + m * 11) % 100}\n`),
    ).flat();
    const scores = join(folder, 'narrow.csv');
    writeFileSync(scores, `model,task,panel,family,cluster,value\n${rows.join('')}`);
    const alone = await cliInline(['sensitivity', 'precision', '--scores', scores]);
    expect(alone).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('STRATUM_EMPTY: a bootstrap draw left'),
    });
    expect(alone.stderr).toContain('`infer --scheme stratified`');
    const all = await cliInline(['sensitivity', 'all', '--scores', scores, '--out', join(folder, 'narrow')]);
    expect(all.code).toBe(0);
    expect(all.stdout).toContain('skipped: a bootstrap draw left a stratum without tasks');
    const { analyses } = read('narrow/sensitivity.json');
    expect(analyses[0]).toMatchObject({
      name: 'precision',
      results_sha256: null,
      skipped: expect.stringContaining('stratum'),
    });
    const call = await cliInline(['sensitivity', 'all', '--scores', scores, '--draws', '5000000']);
    expect(call).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--draws 5000000 is more than'),
    });
  });

  it('states no coefficient where nothing varies', async () => {
    const words = async (rows: string) => {
      writeFileSync(join(folder, 'equal.csv'), `model,a,b,c\n${rows}`);
      const run = await cliInline(['sensitivity', 'generalizability', join(folder, 'equal.csv')]);
      expect([run.code, run.stdout.includes('undefined')]).toEqual([0, false]);
      return run.stdout.replace(/\s+/g, ' ');
    };
    expect(await words('x,1,1,1\ny,1,1,1\n')).toContain('there is no variance to share out, and no coefficient.');
    expect(await words('x,1,0,1\ny,1,0,1\n')).toContain(
      'No coefficient is stated: the scores of the models do not differ.',
    );
  });

  it('runs what its inputs allow on the small world, and names what it skips', async () => {
    const { code } = await cliInline(['sensitivity', 'all', ...small, '--draws', '200', '--out', folder]);
    expect(code).toBe(0);
    const index = read('sensitivity.json');
    const done = index.analyses.filter((row: { skipped: string | null }) => row.skipped === null);
    expect(done.map((row: { name: string }) => row.name)).toEqual([
      'precision',
      'generalizability',
      'metrics',
      'weights',
    ]);
    expect(index.skipped).toBe(4);
    for (const { name, results_sha256 } of done) {
      expect(read(`${name}.json`).results_sha256).toBe(results_sha256);
      expect(
        readFileSync(join(folder, `${name}.png`))
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    }
  });

  it('writes the same bytes when it is run again', async () => {
    const before = readFileSync(join(folder, 'precision.json'));
    await cliInline(['sensitivity', 'precision', ...small, '--draws', '200', '--out', folder]);
    expect(readFileSync(join(folder, 'precision.json')).equals(before)).toBe(true);
  });

  it('ends a single analysis without its input with exit 3 and what is missing', async () => {
    const { code, stderr } = await cliInline(['sensitivity', 'checkpoints', ...small]);
    expect(code).toBe(3);
    expect(stderr).toContain('INPUT_MISSING: maps of other checkpoints');
  });

  it('prints one index as JSON, and nothing when quiet', async () => {
    const all = ['sensitivity', 'all', ...small, '--draws', '20'];
    const { stdout } = await cliInline([...all, '--json']);
    expect(JSON.parse(stdout)).toHaveLength(8);
    expect(await cliInline([...all, '--quiet'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('passes over the analyses that a single model cannot have', async () => {
    const rows = readFileSync('fixtures/responses-small.jsonl', 'utf8').trim().split('\n');
    const model = JSON.parse(rows[0]!).model_id;
    const path = join(folder, 'one.jsonl');
    const own = rows.map((row) => JSON.parse(row)).filter((row) => row.model_id === model);
    const hostile = 'a\u0000b/\u202e<script>\u001b[31m';
    writeFileSync(path, own.map((row) => `${JSON.stringify({ ...row, model_id: hostile })}\n`).join(''));
    const out = join(folder, 'one');
    const { code, stdout } = await cliInline([
      ...['sensitivity', 'all', '--responses', path, '--tasks', 'fixtures/tasks-small.json'],
      ...['--draws', '20', '--out', out],
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('skipped: a matrix of 1 model x');
    expect(stdout).not.toMatch(/[\u0000\u001b\u202e]/);
    expect(read('one/weights.json').results.grid_points).toBe(696);
    expect(readFileSync(join(out, 'weights.svg'), 'utf8')).not.toMatch(/[\u0000\u202e]|<script/);
  });

  it('orders the sizes of precision, and replays the published ones first', async () => {
    const sizes = ['--sizes', '12', '6', '12', '--draws', '10', '--json'];
    const { stdout } = await cliInline(['sensitivity', 'precision', ...small, ...sizes]);
    expect(JSON.parse(stdout).plan.sizes).toEqual([6, 12]);
  });

  it.each([
    [['precision', '--draws', '2000000'], 2, 'BOUND_EXCEEDED: --draws 2000000'],
    [['weights', '--alpha', '2'], 2, 'USAGE: --alpha 2 is not between 0 and 1'],
    [['checkpoints', '--maps', 'a=x.jsonl', 'a=y.jsonl'], 2, 'USAGE: --maps names "a" twice'],
    [['precision', '--inference', nothing], 2, 'a JSON object expected, found null'],
    [['substitutions', '--env', 'pantry', '--substitutions', 'x.jsonl'], 3, 'INPUT_MISSING: observed substitutions'],
  ])('refuses %s', async (call, exit, message) => {
    const { code, stderr } = await cliInline(['sensitivity', ...call, ...small]);
    expect(code).toBe(exit);
    expect(stderr).toContain(message);
  });

  it('checks authored substitutions in the pantry', async () => {
    const { code, stdout } = await cliInline([
      ...['sensitivity', 'substitutions', '--env', 'pantry', '--min-group', '10', '--draws', '500'],
      ...['--substitutions', 'fixtures/substitutions-test.jsonl'],
      ...['--substitutions-train', 'fixtures/substitutions-train.jsonl', '--json'],
    ]);
    expect(code).toBe(0);
    const { inputs, plan, results } = JSON.parse(stdout);
    expect(inputs.map((file: { role: string }) => file.role)).toEqual(['substitutions', 'substitutions_train']);
    expect(plan.environments[0]).toMatchObject({ name: 'pantry' });
    expect(plan.environments[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    const { coverage, spaces } = results;
    expect(coverage).toMatchObject({ test_events: 110, mapped_events: 108, unique_pairs: 108 });
    expect(spaces[0].all.percentile).toBeGreaterThan(0.8);
    expect(spaces[0].novel.pairs).toBeLessThan(108);
  });

  it.skipIf(noShared)('runs all eight analyses on the synthetic inputs (released data needed)', async () => {
    const out = join(folder, 'golden');
    const substitutions = goldenSubstitutionFiles(folder);
    const { code } = await cliInline([
      ...['sensitivity', 'all', '--responses', shared('golden/a/responses.jsonl'), '--tasks'],
      ...TASK_SETS(),
      ...['--core', CORE_PLAN()],
      ...['--pool', shared('golden/analyses/pool.csv'), '--draws', '1000', '--out', out],
      ...['--maps', `replacement=${shared('golden/analyses/replacement_maps.jsonl')}`, '--quiet'],
      ...['--env', substitutions.environment, '--min-group', '11'],
      ...['--substitutions', substitutions.test, '--substitutions-train', substitutions.train],
    ]);
    expect(code).toBe(0);
    expect(read('golden/sensitivity.json').skipped).toBe(0);
    expect(read('golden/weights.json').results.grid_points).toBe(696);
    expect(read('golden/roster.json').results.most_influential).toBe('synthetic/model-06');
    const filter = read('golden/filter.json');
    const { max_abs_standardized, max_tv } = expectedAnalyses().selection_profile;
    expect(filter.results.largest_standardized_difference).toBeCloseTo(max_abs_standardized, 9);
    expect(filter.results.largest_total_variation).toBeCloseTo(max_tv, 9);
    const { coverage, spaces } = read('golden/substitutions.json').results;
    const wanted = expectedAnalyses().substitution;
    expect(coverage).toMatchObject({ train_events: 60, test_events: 260, novel_pairs: 124 });
    expect(spaces[0].candidates).toEqual({ minimum: 11, median: 11, maximum: 12 });
    expect(spaces[0].all.percentile).toBeCloseTo(wanted.all.estimate, 12);
    expect(spaces[0].vocabulary.hit_at_10).toBe(wanted.hit['10']);
    expect(filter.run.warnings[0]).toMatch(/^These answers select \d+ of the 534 tasks/);
  });
});
