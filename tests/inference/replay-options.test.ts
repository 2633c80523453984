import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FROZEN_CHOICES, inferencePlan, replayPlan } from '../../src/inference/plan.js';
import { cliInline } from '../support/cli-inline.js';
import { inferDocument, inferFolder, SMALL } from '../support/infer-run.js';

const { inferPath } = inferFolder();

const MATRIX = ['infer', '--scores', 'fixtures/version-1/release/matrix.arrow', '--rng', 'numpy', ...SMALL];

describe('a replay of the published streams', () => {
  it.each([
    ['--test', 'centred', 'test "centred"'],
    ['--multiplicity', 'max-t', 'multiplicity "max-t"'],
    ['--interval', 'student', 'interval "student"'],
    ['--interval', 'bootstrap-t', 'interval "bootstrap-t"'],
    ['--interval', 'binomial', 'interval "binomial"'],
    ['--margin', '1', 'margin 1'],
    ['--against', 'simulated/skill-00', 'against "simulated/skill-00"'],
    ['--against', 'best', 'against "best"'],
    ['--scheme', 'stratified', 'scheme stratified'],
  ])('refuses %s %s', async (option, value, named) => {
    const { code, stdout, stderr } = await cliInline([...MATRIX, option, value]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('flavourbench: USAGE: rng numpy replays published procedures only');
    expect(stderr).toContain(named);
  });

  it.each([
    ['order', 'model-id'],
    ['ranks', 'shared'],
    ['bootstrap', 'enumerated'],
    ['exact', 'decides'],
    ['rank_sets', 'flips'],
    ['rank_sets', 'bootstrap'],
    ['missing', 'common-tasks'],
    ['missing', 'bounds'],
  ] as const)('has no plan with %s %s', (name, value) => {
    expect(() => inferencePlan({ rng: 'numpy', [name]: value })).toThrow(`none of them has ${name} "${value}"`);
  });

  it('makes the choices of version 1', () => {
    expect(replayPlan({ draws: 7 })).toMatchObject({ ...FROZEN_CHOICES, draws: 7, rng: 'numpy' });
  });

  it('takes an option by the name of what it does anyway, and writes the same bytes', async () => {
    const said = ['--test', 'sign-flip', '--multiplicity', 'holm', '--interval', 'percentile'];
    const [plain, named] = [await cliInline([...MATRIX, '--json']), await cliInline([...MATRIX, ...said, '--json'])];
    expect(plain.code).toBe(0);
    expect(named.stdout).toBe(plain.stdout);
  });

  it('writes documents of version 1, without a key that version 2 added', async () => {
    const out = inferPath('replay');
    expect((await cliInline([...MATRIX, '--quiet', '--out', out])).code).toBe(0);
    const { document } = inferDocument(out);
    expect(document.schema).toBe('flavourbench-inference/1');
    expect(document.results.schema_version).toBe('flavourbench-selection-common-core-analysis-v1');
    const old = JSON.parse(readFileSync('fixtures/version-1/release/inference.json', 'utf8'));
    const keys = (of: object) => Object.keys(of).sort();
    expect(keys(document.plan)).toEqual(keys(old.plan));
    expect(keys(document.results)).toEqual(keys(old.results));
    for (const list of ['models', 'pairwise_comparisons'])
      expect(keys(document.results[list][0])).toEqual(keys(old.results[list][0]));
    expect(keys(document.results.inference)).toEqual(keys(old.results.inference));
    expect(keys(document.results.inference.strata[0])).toEqual(['label', 'tasks']);
  });
});
