import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlan } from '../../src/collect/collection-plan.js';
import { compilePlan } from '../../src/collect/compile-plan.js';
import type { FrozenPlan } from '../../src/collect/frozen-plan.js';
import { readFrozenPlan } from '../../src/collect/frozen-plan.js';
import type { Route } from '../../src/collect/route.js';
import { canonicalJson, sealed } from '../../src/io/canonical.js';
import { FlavourError } from '../../src/util/error.js';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';

let dir: string;
let good: FrozenPlan;
beforeAll(() => {
  dir = temporaryFolder();
  writeTasks(dir, 4);
  const models = [
    { id: 'sim/a', transport: 'simulated', skill: 0.5 },
    faultModel('http://127.0.0.1:9', 'openai', 't/b'),
    faultModel('http://127.0.0.1:9', 'openrouter', 't/c', { protocol: 'bare' }),
  ];
  const file = writePlan(dir, {
    task_sets: [{ path: 'panel_1.jsonl' }],
    budget: { usd: '1' },
    models,
  });
  good = compilePlan({ plan: readPlan(file), folder: dir, file, allowUnpinned: false }).frozenPlan;
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The manifest after a change, sealed anew unless told otherwise, under its own name. */
function written(change: (manifest: FrozenPlan) => object = (same) => same, seal = true): string {
  const changed = change(structuredClone(good));
  const { artifact_sha256: _, ...body } = changed as FrozenPlan;
  const document = seal ? sealed(body) : changed;
  const { artifact_sha256 } = document as FrozenPlan;
  const path = join(mkdtempSync(join(dir, 'm-')), `manifest-${artifact_sha256}.json`);
  writeFileSync(path, `${canonicalJson(document)}\n`);
  return path;
}

const withRoute = (change: Partial<Record<keyof Route, unknown>>) => (manifest: FrozenPlan) => ({
  ...manifest,
  routes: manifest.routes.map((route, i) => (i === 1 ? { ...route, ...change } : route)),
});

describe('a frozen plan', () => {
  it('is proved as it was compiled, and says of every route how it is pinned', async () => {
    expect(readFrozenPlan(written(), good.artifact_sha256)).toEqual(good);
    const { code, stdout } = await cliInline(['plan', 'manifest', written()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/t\/b .*openai +yes +r1 /);
    expect(stdout).toContain(`OK: 3 routes, 3 pinned, plan test, ${good.artifact_sha256}`);
    const json = await cliInline(['plan', 'manifest', written(), '--json']);
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(canonicalJson(good)));
  });

  it.each([
    ['a changed budget', 'DIGEST_MISMATCH', () => written((m) => ({ ...m, budget: { usd: '9' } }), false)],
    ['another address of a route', 'SCHEMA_INVALID', () => written(withRoute({ base_url: 'http://127.0.0.1:8/v1' }))],
    ['another effort', 'SCHEMA_INVALID', () => written(withRoute({ effort: 'high' }))],
    ['another protocol', 'SCHEMA_INVALID', () => written(withRoute({ protocol: 'none' }))],
    ['an eligible route with a reason', 'SCHEMA_INVALID', () => written(withRoute({ ineligible_reason: 'no pin' }))],
    ['a model twice', 'SCHEMA_INVALID', () => written(withRoute({ ...good.routes[0] }))],
    ['simulated routes that are hidden', 'SCHEMA_INVALID', () => written((m) => ({ ...m, simulated: false }))],
    [
      'changed texts',
      'SCHEMA_INVALID',
      () => written((m) => ({ ...m, protocols: m.protocols.map((p) => ({ ...p, version: 2 })) })),
    ],
    ['no routes', 'SCHEMA_INVALID', () => written((m) => ({ ...m, routes: [] }))],
  ])('is refused after a change: %s', (_, code, make) => {
    const path = make();
    const error = (() => {
      try {
        readFrozenPlan(path);
        return undefined;
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(FlavourError);
    expect((error as FlavourError).code).toBe(code);
  });

  it('is refused under another name or digest; for another document the error names both kinds', async () => {
    const digest = 'ab'.repeat(32);
    expect(() => readFrozenPlan(written(), digest)).toThrow(/digest asked for is abab/);
    const renamed = join(dir, 'renamed.json');
    writeFileSync(renamed, canonicalJson(good));
    expect(() => readFrozenPlan(renamed)).toThrow(/the name does not carry/);
    const other = join(dir, 'other.json');
    writeFileSync(other, '{"schema":"something/1"}');
    const { code, stderr } = await cliInline(['plan', 'manifest', other]);
    expect(code).toBe(2);
    expect(stderr).toContain('flavourbench-collection-manifest/1');
    expect(stderr).toContain('flavourbench-routed-candidate-manifest-v1');
  });
});

it('a manifest that is written can be read by its owner alone', async () => {
  const folder = mkdtempSync(join(dir, 'manifest-'));
  const { code, stdout } = await cliInline([
    'plan',
    'compile',
    'fixtures/version-1/collection/plan.json',
    '--out',
    folder,
    '--json',
  ]);
  expect(code).toBe(0);
  expect(statSync((JSON.parse(stdout) as { file: string }).file).mode & 0o777).toBe(0o600);
});
