import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPlan } from '../../src/collect/collection-plan.js';
import { readText } from '../../src/io/file.js';
import { type PyValue, parsePyJson, pyDigest, pyStored } from '../../src/io/pyjson.js';
import { readRouteManifest } from '../../src/published/route-manifest.js';
import { noShared, shared } from '../support/shared.js';

const DIGEST = '993e6ad499f7a26f52baf25cc22c52e8a8938703365dc1814f0c17b156d73368';
const NAME = `flavourbench-frontier-refresh-27-${DIGEST}.json`;

type Tree = { [key: string]: PyValue };

const root = mkdtempSync(join(tmpdir(), 'flavourbench-manifest-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The released manifest after a change, sealed anew unless told otherwise, in a folder of its own. */
function edited(change: (models: Tree[], document: Tree) => void, seal = true): string {
  const document = parsePyJson(readText(shared(`data/manifest/${NAME}`))) as Tree;
  change(document.models as Tree[], document);
  const { content_address: old, ...body } = document;
  const digest = seal ? pyDigest(body) : DIGEST;
  const content_address = seal ? { algorithm: 'sha256', digest, uri: `sha256:${digest}` } : (old as PyValue);
  const folder = mkdtempSync(join(root, 'edited-'));
  const path = join(folder, `manifest-${digest}.json`);
  writeFileSync(path, pyStored({ ...body, content_address }));
  return path;
}

/** A branch of a tree that is there. */
function branch(tree: PyValue | undefined, ...path: readonly string[]): Tree {
  return path.reduce((at, name) => at[name] as Tree, tree as Tree);
}

describe.skipIf(noShared)('the released route manifest', () => {
  const path = noShared ? '' : shared(`data/manifest/${NAME}`);

  it('is proved with 27 routes, and agrees with the example plan of the published roster', () => {
    const manifest = readRouteManifest(path, DIGEST);
    expect(manifest.sha256).toBe(DIGEST);
    const plan = readPlan('fixtures/plans/roster-27.yaml');
    expect(manifest.routes.map((route) => route.model_id)).toEqual(plan.models.map((m) => m.id));
    for (const [i, route] of manifest.routes.entries()) {
      const model = plan.models[i];
      if (model?.transport !== 'openrouter') continue;
      expect(model.expected_model).toBe(route.canonical_model_slug);
      const { temperature, seed } = model.decoding;
      for (const [name, value] of Object.entries({ temperature, seed }))
        expect(value !== undefined, `${model.id} ${name}`).toBe(route.supported_parameters.includes(name));
    }
    const grok = manifest.routes.find((route) => route.model_id === 'x-ai/grok-4.6');
    expect(grok?.endpoint_execution_sha256).toBe('50a95a33c0286769c5fa8e59fc13ae7d86884cb4b2ab02a20b7097c747c42049');
  });

  it('is refused after an edit, under another name, and for another digest', () => {
    const price = (models: Tree[]) => {
      branch(models[3], 'endpoint', 'pricing').prompt = '0.1';
    };
    expect(() => readRouteManifest(edited(price, false))).toThrow(/content has .*content_address/);
    expect(() => readRouteManifest(path, 'a'.repeat(64))).toThrow(/the digest asked for/);
    const elsewhere = join(root, 'm.json');
    writeFileSync(elsewhere, readText(path));
    expect(() => readRouteManifest(elsewhere)).toThrow(/name does not carry/);
  });

  it.each<[string, (models: Tree[], document: Tree) => void, RegExp]>([
    [
      'a fallback',
      ([m]) => {
        branch(m, 'request_policy', 'provider').allow_fallbacks = true;
      },
      /models\[0\]\.request_policy.provider.allow_fallbacks/,
    ],
    [
      'another tag',
      ([m]) => {
        branch(m, 'endpoint').tag = 'x/y';
      },
      /models\[0\]: provider.only is openai\/flex/,
    ],
    [
      'a moving alias',
      ([m]) => {
        branch(m, 'model').canonical_slug = '~a/b';
      },
      /moving alias/,
    ],
    [
      'another contract',
      (models) => {
        branch(models[26], 'backend_contract').base_url = 'https://example.org';
      },
      /models\[26\]: backend_contract has/,
    ],
    [
      'a model twice',
      (models) => {
        models.push(models[0]!);
      },
      /models\[27\]: frontier-refresh-01 stands twice/,
    ],
    [
      'spent money',
      (_, document) => {
        document.generation_calls_made = 1;
      },
      /generation_calls_made/,
    ],
  ])('is refused with %s, although its digest holds', (_, change, message) => {
    expect(() => readRouteManifest(edited(change))).toThrow(message);
  });
});
