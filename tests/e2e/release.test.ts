import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';
import { buildSmall, type SmallWorld, smallWorld } from '../support/release-world.js';
import { noShared, shared } from '../support/shared.js';

const inFolder = (folder: string) => readdirSync(shared(folder)).map((name) => shared(`${folder}/${name}`));

describe('a release from the command line', () => {
  let world: SmallWorld;
  let release: string;
  beforeAll(async () => {
    world = await smallWorld();
    release = join(world.dir, 'release');
    const analyses = join(world.dir, 'analyses');
    const from = ['--scores', join(world.dir, 'm.arrow'), '--tasks', 'fixtures/tasks-small.json'];
    const core = ['--core', join(world.dir, 'core.json'), '--ledger', join(world.dir, 'ledger')];
    const given = ['--inference', join(world.dir, 'inference/inference.json')];
    const made = cli(['sensitivity', 'all', ...from, ...core, ...given, '--draws', '200', '--out', analyses]);
    expect(made.stderr).toBe('');
    await buildSmall(world, release, '--analyses', analyses);
  });
  afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

  it('verifies, and the output says what was checked and what cannot be', () => {
    const { code, stdout, stderr } = cli(['release', 'verify', release]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/ 216 {2}answers parsed and scored again\n/);
    expect(stdout).toContain('that the answers came from the named models');
    expect(stdout).toMatch(/\nPASS: [0-9a-f]{64}\n$/);
  });

  it('has its analyses run again, and a number that they do not give is found', () => {
    const good = cli(['release', 'verify', release, '--json']);
    const result = JSON.parse(good.stdout);
    expect(result).toMatchObject({ status: 'PASS', difference_count: 0 });
    const count = result.checked.find(({ what }: { what: string }) => what.startsWith('analyses run again'));
    expect(count.count).toBeGreaterThanOrEqual(4);
    const path = join(release, 'analyses/metrics.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/"rank_spearman":[0-9.]+/, '"rank_spearman":0.125'));
    const bad = cli(['release', 'verify', release, '--json']);
    writeFileSync(path, text);
    expect(bad.code).toBe(4);
    const found = JSON.parse(bad.stdout).differences.map(
      ({ file, at }: { file: string; at: string }) => `${file} ${at}`,
    );
    expect(found).toContain('analyses/metrics.json results_sha256');
    expect(found.some((line: string) => /metrics\.json results\.metrics.*rank_spearman/.test(line))).toBe(true);
  });

  it('ends verification with exit code 4 at a difference, and the first is named on one line', () => {
    const path = join(release, 'leaderboard.csv');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('\n1,false,', '\n1,true,'));
    const { code, stdout, stderr } = cli(['release', 'verify', release]);
    writeFileSync(path, text);
    expect(code).toBe(4);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /\nFAIL: leaderboard\.csv: line 2 \(simulated\/skill-60\), rank_tied: expected "false", found "true"\n/,
    );
    expect(stdout).toMatch(/and \d+ more differences?; --json lists them/);
    expect(stdout).not.toContain('PASS');
  });

  it('is refused as a link, as a folder without a release, and under another digest than one expects', () => {
    const link = join(world.dir, 'link');
    symlinkSync(release, link);
    expect(cli(['release', 'verify', link]).code).not.toBe(0);
    const none = cli(['release', 'verify', mkdtempSync(join(world.dir, 'empty-'))]);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hint: Give the folder'),
    });
    const file = cli(['release', 'verify', join(release, 'release.json')]);
    expect(file).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hint: Give the folder'),
    });
    const other = cli(['release', 'verify', release, '--expect', 'ab'.repeat(32)]);
    expect(other.code).toBe(4);
    expect(other.stdout).toContain('the expected digest');
    expect(cli(['release', 'verify', join(world.dir, 'nowhere')]).code).toBe(2);
  });
});

describe.skipIf(noShared)('release at the published size', () => {
  const dir = mkdtempSync(join(tmpdir(), 'release-full-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('verifies the published document and its tables', () => {
    const { code, stdout } = cli([
      ...['release', 'verify', shared('data/release'), '--tasks', ...inFolder('data/tasksets')],
      ...['--core', ...inFolder('data/plan')],
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/PASS: 0a20655c97aa1363/);
  });

  it('compares the folder of the published document as it stands', () => {
    const { code, stdout } = cli(['release', 'diff', shared('data/release'), shared('data/release')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^first {3}document 0a20655c[0-9a-f]{56} \(published\)\n(.*\n)the same document\n/);
  });

  it('builds and verifies 27 models x 534 tasks with the published streams: the reference numbers', () => {
    const answers = join(dir, 'answers.jsonl');
    const rows = readFileSync(shared('golden/a/responses.jsonl'), 'utf8').trimEnd().split('\n');
    const texts = rows.map((line) => {
      const { selection, ...row } = JSON.parse(line);
      return JSON.stringify({ ...row, response: `FINAL_SELECTION: ${[...selection].join(',')}` });
    });
    writeFileSync(answers, `${texts.join('\n')}\n`);
    const from = [
      ...['--responses', answers, '--tasks', ...inFolder('data/tasksets')],
      ...['--core', ...inFolder('data/plan')],
    ];
    const replay = ['--rng', 'numpy', '--strata', 'family', '--quiet', '--out', join(dir, 'inference')];
    expect(cli(['infer', ...from, ...replay])).toMatchObject({ code: 0, stderr: '' });
    const out = join(dir, 'release');
    const given = ['--inference', join(dir, 'inference/inference.json'), '--no-figures'];
    expect(cli(['release', 'build', ...from, ...given, '--out', out])).toMatchObject({
      code: 0,
      stderr: '',
    });
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const own = read(join(out, 'inference.json')).results;
    const reference = read(shared('golden/a/result.json'));
    expect(own.resolved_pair_count).toBe(reference.resolved_pair_count);
    own.pairwise_comparisons.forEach((pair: Record<string, unknown>, k: number) => {
      expect(pair.holm_p).toBe(reference.pairwise_comparisons[k].holm_p);
    });
    own.models.forEach((model: Record<string, number>, m: number) => {
      expect(model.statistical_rank_group).toBe(reference.models[m].statistical_rank_group);
      expect(model.flavourbench_score).toBeCloseTo(reference.models[m].flavourbench_score, 9);
    });
    const verified = cli(['release', 'verify', out]);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(/14418 {2}answers parsed and scored again/);
    expect(verified.stdout).toContain('20142 of 34560 candidate cells have no answer');
  });
});
