import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealed } from '../../src/io/canonical.js';
import { verifyCorePlan } from '../../src/tasks/task-files.js';
import { cliInline } from '../support/cli-inline.js';
import { readDocument, reseal, type SmallWorld, smallWorld, writeDocument } from '../support/release-world.js';

let world: SmallWorld;
const at = (name: string) => join(world.dir, name);
const TASKS = 'fixtures/tasks-small.json';
const SIZES = ['--draws', '200', '--flips', '300'];

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}
const freeze = (out: string, ...more: string[]) =>
  ok('infer', 'plan', '--core', at('core.json'), ...SIZES, '--out', at(out), ...more);
const infer = (out: string, ...more: string[]) => ok('infer', '--scores', at('m.arrow'), '--out', at(out), ...more);
const standing = (out: string) => readDocument(at(out), 'inference.json').standing;
/** `release build` without the inference of the world. */
const build = (out: string, ...more: string[]) =>
  cliInline([...world.build.slice(0, -2), '--no-figures', ...more, '--out', at(out)]);

beforeAll(async () => {
  world = await smallWorld();
  await freeze('plan.json', '--multiplicity', 'max-t', '--seed', '7');
}, 300_000);
afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

describe('a frozen analysis plan', () => {
  it('fixes tasks, models and every choice, with a time and a digest', () => {
    const plan = readDocument(world.dir, 'plan.json');
    const core = readDocument(world.dir, 'core.json') as {
      artifact_sha256: string;
      common_core: { ranked_model_ids: string[] };
    };
    expect(plan).toMatchObject({
      schema: 'flavourbench-inference-plan/1',
      core: { artifact_sha256: core.artifact_sha256, tasks: 24 },
      models: core.common_core.ranked_model_ids,
      plan: {
        ...{ draws: 200, flips: 300, seed: '7', rng: 'philox', strata: 'panel-family', scheme: 'joint', alpha: 0.05 },
        ...{ test: 'sign-flip', multiplicity: 'max-t', interval: 'percentile', missing: 'withhold' },
      },
    });
    expect(plan.frozen_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(sealed(plan).artifact_sha256).toBe(plan.artifact_sha256);
  });

  it('is run by infer --plan, and the document says that it was kept', async () => {
    const words = await infer('kept', '--plan', at('plan.json'));
    expect(words).toMatch(/Planned: by plan [0-9a-f]{64} of .*; it was kept\./s);
    expect(readDocument(at('kept'), 'inference.json').plan).toMatchObject({
      draws: 200,
      seed: '7',
      multiplicity: 'max-t',
    });
    const { artifact_sha256 } = readDocument(world.dir, 'plan.json');
    expect(standing('kept')).toMatchObject({ kind: 'planned', plan_sha256: artifact_sha256, deviations: [], open: [] });
  });

  it('has every deviation from it named: what the call asks for otherwise, other models, other tasks', async () => {
    const asked = ['--plan', at('plan.json'), '--draws', '100', '--test', 'centred', '--without', 'simulated/skill-00'];
    await infer('bent', ...asked);
    const { deviations } = standing('bent') as { deviations: { field: string; planned: string; used: string }[] };
    expect(deviations.map(({ field }) => field)).toEqual(['models', 'draws', 'test']);
    expect(deviations[1]).toEqual({ field: 'draws', planned: '200', used: '100' });
    await infer('all', '--plan', at('plan.json'), '--scores', at('m.arrow'));
    const answers = ['--responses', 'fixtures/responses-small.jsonl', '--tasks', 'fixtures/tasks-small.json'];
    await ok('infer', ...answers, '--plan', at('plan.json'), '--quiet', '--out', at('tasks'));
    expect(standing('tasks')).toMatchObject({ deviations: [{ field: 'core.tasks_sha256' }] });
  });

  it('has what the call chose of clusters and families named as left open, since no plan fixes it', async () => {
    const ids = verifyCorePlan(at('core.json')).ids;
    writeFileSync(at('clusters.csv'), `task,cluster\n${ids.map((id, i) => `${id},c${i % 6}`).join('\n')}\n`);
    await infer('clustered', '--plan', at('plan.json'), '--clusters', at('clusters.csv'));
    expect(standing('clustered')).toMatchObject({ kind: 'planned', deviations: [], open: ['clusters'] });
  });

  it('marks a result without one as exploratory', async () => {
    expect(await infer('free', ...SIZES)).toContain('Exploratory: no plan was frozen');
    expect(standing('free')).toEqual({ kind: 'exploratory' });
  });

  it('is refused where it was changed', async () => {
    const text = readFileSync(at('plan.json'), 'utf8');
    writeFileSync(at('edited.json'), text.replace('"draws":200', '"draws":100'));
    const { code, stderr } = await cliInline([
      'infer',
      '--scores',
      at('m.arrow'),
      '--plan',
      at('edited.json'),
      '--quiet',
    ]);
    expect([code, stderr]).toEqual([4, expect.stringContaining('DIGEST_MISMATCH')]);
  });
});

describe('a release', () => {
  it('carries its plan, runs it and says that it was kept; a verification proves both', async () => {
    expect((await build('planned', '--plan', at('plan.json'))).stderr).toBe('');
    const { results, plan } = readDocument(at('planned'), 'release.json') as {
      results: Record<string, unknown>;
      plan: object;
    };
    expect(plan).toMatchObject({ draws: 200, multiplicity: 'max-t' });
    expect(results.analysis_plan).toMatchObject({ kind: 'planned', deviations: [] });
    expect(readFileSync(at('planned/README.md'), 'utf8')).toContain('it was kept');
    const words = await ok('release', 'verify', at('planned'));
    expect(words).toMatch(/plan\.json: no look at scores is recorded before the plan was frozen/);
    const other = sealed({ ...readDocument(world.dir, 'plan.json'), models: ['somebody/else'] });
    writeDocument(at('planned'), 'plan.json', other);
    const forged = await cliInline(['release', 'verify', at('planned'), '--json']);
    const found = JSON.parse(forged.stdout).differences as { file: string; at: string }[];
    expect(forged.code).toBe(4);
    expect(found.map(({ at: place }) => place).join()).toContain('results.analysis_plan.deviations');
  });

  it('without a plan is exploratory, and one with another inference names the deviations', async () => {
    expect((await build('free-release')).stderr).toBe('');
    expect(readDocument(at('free-release'), 'release.json').results).toMatchObject({
      analysis_plan: { kind: 'exploratory' },
    });
    await infer('other', ...SIZES, '--quiet');
    const given = ['--plan', at('plan.json'), '--inference', at('other/inference.json')];
    expect((await build('bent-release', ...given)).stderr).toBe('');
    const { analysis_plan: plan } = readDocument(at('bent-release'), 'release.json').results as {
      analysis_plan: { deviations: { field: string }[] };
    };
    expect(plan.deviations.map(({ field }) => field)).toEqual(['seed', 'multiplicity']);
    await ok('release', 'verify', at('bent-release'));
  });

  it('is refused with a plan that was frozen after scores were looked at', async () => {
    const looked = await ok('ledger', 'status', at('ledger'), '--live-scores', '--tasks', TASKS);
    expect(looked).toContain('this ledger is now stamped scores_inspected');
    await freeze('late.json');
    const { code, stderr } = await build('late', '--plan', at('late.json'));
    expect([code, stderr]).toEqual([4, expect.stringMatching(/PLAN_LATE: plan\.json: frozen on .*looked at on/)]);
  });

  it('fails its verification where its core says that nobody looked, and its journal that somebody did', async () => {
    const options = ['--seed', 'small-core', '--per-stratum', '4', '--allow-unpinned'];
    const from = ['--ledger', at('ledger'), '--tasks', TASKS];
    await ok('core', 'freeze', ...from, ...options, '--out', at('looked.json'));
    const looked = ['release', 'build', ...from, '--core', at('looked.json'), '--no-figures', '--out', at('looked')];
    await ok(...looked);
    expect(readDocument(at('looked'), 'release.json').results).toMatchObject({ scores_inspected_before_freeze: 1 });
    await ok('release', 'verify', at('looked'));
    const core = readDocument(at('looked'), 'core.json') as { sources: { ledgers: object[] } };
    const ledgers = core.sources.ledgers.map((ledger) => ({ ...ledger, scores_inspected: 0 }));
    const blind = { status: 'frozen_before_scores', scores_inspected: 0, sources: { ...core.sources, ledgers } };
    writeDocument(at('looked'), 'core.json', sealed({ ...core, ...blind }));
    reseal(at('looked'));
    const forged = await cliInline(['release', 'verify', at('looked'), '--json']);
    expect(forged.code).toBe(4);
    expect(JSON.parse(forged.stdout).differences).toContainEqual({
      file: 'core.json',
      at: 'sources.ledgers[0].scores_inspected',
      expected: '1',
      found: '0',
    });
  });
});
