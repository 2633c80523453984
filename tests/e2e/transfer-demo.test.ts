import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { CORE_PLAN, TASK_SETS } from '../support/released-files.js';
import { noShared, shared } from '../support/shared.js';

const TASKS = 'fixtures/tasks-small.json';

describe('flavourbench transfer demo', () => {
  const out = mkdtempSync(join(tmpdir(), 'flavourbench-probe-'));
  const demo = (...args: string[]) =>
    cliInline([
      ...['transfer', 'demo', '--per-stratum', '8', '--draws', '500', '--flips', '1000'],
      ...['--out', out, ...args],
    ]);
  let first: Awaited<ReturnType<typeof demo>>;
  beforeAll(async () => {
    first = await demo('--json');
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it('learns the maps of one environment from the features of another, and beats its control', () => {
    expect([first.code, first.stderr]).toEqual([0, '']);
    const { plan, results } = JSON.parse(first.stdout);
    expect(plan).toMatchObject({ features: { name: 'shelf' }, maps: 'pantry' });
    expect(results.training_seeds).toEqual([20260824, 20260825, 20260826]);
    expect(results.contrast.interval[0]).toBeGreaterThan(10);
    const [base, control, treatment] = results.conditions;
    expect([base.parse_rate, control.parse_rate, treatment.parse_rate]).toEqual([1, 1, 1]);
    expect(treatment.score).toBeGreaterThan(control.score + 20);
    expect(Math.abs(base.score - results.chance)).toBeLessThan(12);
  });

  it('says that it is a linear probe, draws its figure, and gives the same bytes again', async () => {
    const again = await demo();
    expect(again.stdout).toContain('linear probe');
    expect(again.stdout).toContain('not that a language model learns them');
    expect(readFileSync(join(out, 'analysis.json'), 'utf8')).toBe(first.stdout);
    expect(readFileSync(join(out, 'transfer.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(readFileSync(join(out, 'transfer.csv'), 'utf8')).toContain('held-out anchors,effect');
    const refused = await demo('--maps', 'pantry');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('go with --tasks')]);
  });

  it('learns from the rows it is given and leaves the core out', async () => {
    const files = ['--tasks', TASKS, '--maps', 'pantry', '--json'];
    const { code, stdout, stderr } = await demo(...files);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ plan: { maps: 'pantry' }, results: { tasks: 12 } });
  });

  it.skipIf(noShared)('learns one public checkpoint from another (released data needed)', async () => {
    const home = process.env.FLAVOURBENCH_HOME;
    process.env.FLAVOURBENCH_HOME = join(out, 'home');
    try {
      const tags = ['--tags', shared('data/bundle/ingredient_tags.csv')];
      for (const name of ['cooc', 'core']) {
        const folder = shared(`data/checkpoints/${name}`);
        expect((await cliInline(['env', 'import', folder, '--as', name, ...tags])).code).toBe(0);
      }
      const { code, stdout, stderr } = await demo(
        ...['--features', 'cooc', '--maps', 'core', '--json', '--tasks'],
        ...TASK_SETS(),
        ...['--core', CORE_PLAN()],
      );
      expect([code, stderr]).toEqual([0, '']);
      const { plan, results } = JSON.parse(stdout);
      expect(plan).toMatchObject({ features: { name: 'cooc' }, maps: 'core' });
      expect(plan.rule.name).toBe('lab-v3');
      expect(results.tasks).toBe(84);
      expect(results.contrast.interval[0]).toBeGreaterThan(20);
    } finally {
      if (home === undefined) delete process.env.FLAVOURBENCH_HOME;
      else process.env.FLAVOURBENCH_HOME = home;
    }
  });
});
