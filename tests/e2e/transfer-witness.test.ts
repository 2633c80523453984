import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, sealed } from '../../src/io/canonical.js';
import { plannedStudies } from '../../src/release/plans/planned-studies.js';
import { analysisDocuments } from '../../src/release/release-files.js';
import { cliInline } from '../support/cli-inline.js';
import { reseal, type SmallWorld, smallWorld } from '../support/release-world.js';
import { makeAuthority } from '../support/time-stamps.js';

const TASKS = resolve('fixtures/tasks-small.json');
const BASE = 'Qwen/Qwen3-0.6B@c1899de289a04d12100db370d81485cdf75e47ca';
const WHEN = '2026-12-02T00:00:00.000Z';
const RUNS = [
  ['pretrained_base', null],
  ...['sft_format_control', 'sft_epicure_optimum'].flatMap((condition) => [1, 2].map((seed) => [condition, seed])),
] as const;

const folder = mkdtempSync(join(tmpdir(), 'transfer-witness-'));
const at = (name: string) => join(folder, name);
const json = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'));
let authority: ReturnType<typeof makeAuthority>;
let plan: string;
let token: string;
let commit: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-C', at('repository'), '-c', 'user.name=S', '-c', 'user.email=s@example.org', ...args], {
    env: { ...process.env, GIT_COMMITTER_DATE: WHEN, GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  }).trim();

/** Generations of all runs on the tasks of a file: the trained ones answer otherwise. */
function answer(tasks: string, out: string): string {
  const ids = readFileSync(at(tasks), 'utf8').trim().split('\n');
  const rows = RUNS.flatMap(([condition, training_seed]) =>
    ids.map((line) => ({
      ...{ condition, training_seed, task_id: JSON.parse(line).task_id },
      completion: `FINAL_SELECTION: ${condition === 'sft_epicure_optimum' ? 'F,G,H' : 'A,B,C'}`,
    })),
  );
  writeFileSync(at(out), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return at(out);
}

const contrast = (...args: string[]) => cliInline(['transfer', 'contrast', '--tasks', TASKS, '--plan', plan, ...args]);
const primary = (out: string, ...args: string[]) =>
  contrast(
    '--completions',
    at('primary.jsonl'),
    '--split',
    at('data/evaluation_tasks.jsonl'),
    '--out',
    at(out),
    ...args,
  );

beforeAll(async () => {
  const split = ['--evaluation', '2', '--validation', '2', '--out', at('data')];
  expect((await cliInline(['transfer', 'split', '--tasks', TASKS, ...split])).code).toBe(0);
  const settings = ['--seeds', '1', '2', '--draws', '200', '--flips', '200', '--json'];
  const second = ['--secondary-tasks', at('data/validation_tasks.jsonl'), '--out', at('repository')];
  const frozen = await cliInline(['transfer', 'plan', '--base', BASE, '--data', at('data'), ...settings, ...second]);
  plan = JSON.parse(frozen.stdout).path;
  authority = makeAuthority(at('tsa'));
  token = authority.stamp(plan, at('plan.tsr'));
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'plan');
  commit = git('rev-parse', 'HEAD');
  answer('data/evaluation_tasks.jsonl', 'primary.jsonl');
  answer('data/validation_tasks.jsonl', 'secondary.jsonl');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('transfer contrast with witnesses of its plan', () => {
  it('states a token as unverified, and as verified up to an authority that is given', async () => {
    expect((await primary('plain', '--token', token)).code).toBe(0);
    const { kind, plan_sha256, witnesses } = json('plain/analysis.json').standing;
    expect([kind, plan_sha256]).toEqual(['planned', JSON.parse(readFileSync(plan, 'utf8')).artifact_sha256]);
    expect(witnesses).toMatchObject([{ kind: 'rfc3161', status: 'unverified' }]);
    const told = await primary('told', '--token', token, '--tsa-ca', authority.ca);
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(told.stdout.replace(/\s+/g, ' ')).toContain('(whose signature was checked)');
    expect(json('told/analysis.json').standing.witnesses).toEqual([{ ...witnesses[0], status: 'verified' }]);
  });

  it('states a commit, and finds the plan in it where the repository is given', async () => {
    expect((await primary('stated', '--commit', commit)).code).toBe(0);
    const witness = { kind: 'git', commit };
    expect(json('stated/analysis.json').standing.witnesses).toEqual([{ ...witness, status: 'stated', at: null }]);
    expect((await primary('found', '--commit', commit, '--git', at('repository'))).code).toBe(0);
    expect(json('found/analysis.json').standing.witnesses).toEqual([{ ...witness, status: 'found', at: WHEN }]);
  });

  it.each([
    ['a token over another plan', () => ['--token', resolve('fixtures/timestamps/other-plan.tsr')], 4, 'TOKEN_REFUSED'],
    [
      'another authority',
      () => ['--token', token, '--tsa-ca', resolve('fixtures/timestamps/other-ca.pem')],
      4,
      'TOKEN_REFUSED',
    ],
    ['what is no token', () => ['--token', plan], 2, 'TOKEN_INVALID'],
    ['an authority without a token', () => ['--tsa-ca', authority.ca], 2, 'USAGE: --tsa-ca checks a token'],
    ['a short commit', () => ['--commit', commit.slice(0, 12)], 2, 'is not the full id of a commit'],
  ])('refuses %s and writes nothing', async (_, args, exit, words) => {
    const { code, stderr } = await primary('none', ...args());
    expect([code, stderr]).toEqual([exit, expect.stringContaining(words)]);
    expect(existsSync(at('none'))).toBe(false);
  });

  it('gives the plan and the seal each its own witness in the secondary stage', async () => {
    expect((await primary('first')).code).toBe(0);
    const ofSeal = authority.stamp(at('first/seal.json'), at('seal.tsr'));
    const call = ['--stage', 'secondary', '--seal', at('first/seal.json'), '--completions', at('secondary.jsonl')];
    call.push('--split', at('data/validation_tasks.jsonl'));
    const tokens = ['--token', token, '--token', ofSeal, '--tsa-ca', authority.ca];
    const run = await contrast(...call, ...tokens, '--out', at('second'));
    expect([run.code, run.stderr]).toEqual([0, '']);
    const { witnesses, seal } = json('second/analysis.json').standing;
    expect(witnesses).toMatchObject([{ kind: 'rfc3161', status: 'verified' }]);
    expect(seal.witnesses).toMatchObject([{ kind: 'rfc3161', status: 'verified' }]);
    expect(seal.witnesses[0].token_sha256).not.toBe(witnesses[0].token_sha256);
    const twice = await contrast(...call, '--token', token, '--token', token, '--out', at('none'));
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('2 tokens are over')]);
    for (const name of ['plan.json', 'plan.tsr', 'seal.json', 'seal.tsr'])
      expect(existsSync(at(`second/${name}`)), name).toBe(true);
    const other = await contrast(...call, '--rng', 'numpy', '--out', at('none'));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--rng is fixed by --plan')]);
  });
});

describe('a study of two stages in a release', () => {
  let world: SmallWorld;
  const verify = async (...more: string[]) => {
    const { code, stdout } = await cliInline(['release', 'verify', at('release'), ...more, '--json']);
    const { checked, not_checked, differences } = JSON.parse(stdout) as {
      checked: { what: string; count: number }[];
      not_checked: { what: string }[];
      differences: { file: string; at: string }[];
    };
    const found = differences.map(({ file, at: place }) => `${file}: ${place}`);
    return { code, checked, left: not_checked.map(({ what }) => what), found };
  };

  beforeAll(async () => {
    world = await smallWorld();
    const given = ['--analyses', at('first'), at('second'), '--no-figures', '--out', at('release')];
    const built = await cliInline([...world.build, ...given]);
    expect([built.code, built.stderr]).toEqual([0, '']);
  });
  afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

  it('carries plan, seal and the tokens over both, and proves them up to an authority that is given', async () => {
    const plain = await verify();
    expect([plain.code, plain.found]).toEqual([0, []]);
    expect(plain.checked).toContainEqual({ what: 'studies against their plans and seals', count: 2 });
    expect(plain.left.filter((what) => /^analyses\/(plan|seal)\.tsr: the token of/.test(what))).toHaveLength(2);
    const told = await verify('--tsa-ca', authority.ca);
    expect([told.code, told.found]).toEqual([0, []]);
    expect(told.checked).toContainEqual({ what: 'time-stamp tokens up to an authority you trust', count: 2 });
  });

  it('is refused without the token over its seal, with another one in its place, and with a seal of nothing', async () => {
    const folder = at('release');
    const token = readFileSync(at('second/seal.tsr'));
    rmSync(at('release/analyses/seal.tsr'));
    reseal(folder);
    expect((await verify()).found).toContain('analyses/seal.json: its token');
    writeFileSync(at('release/analyses/seal.tsr'), readFileSync(at('second/plan.tsr')));
    reseal(folder);
    expect((await verify()).found).toContain('analyses/seal.json: its token');
    writeFileSync(at('release/analyses/seal.tsr'), token);
    const stray = sealed({ ...json('first/seal.json'), protocol_sha256: '0'.repeat(64) });
    writeFileSync(at('release/analyses/stray.json'), canonicalJson(stray));
    reseal(folder);
    expect((await verify()).found).toContain('analyses/stray.json: the file');
  });

  /** The documents of both stages, one of them forged and sealed again. */
  const faults = (name: string, change: (document: Json) => Json) => {
    const files = ['analysis', 'second-analysis', 'plan', 'seal'].map((one) => {
      const file = `analyses/${one}.json`;
      const document = JSON.parse(readFileSync(at(`release/${file}`), 'utf8')) as Json;
      const told = one === name ? sealed(change(document)) : document;
      return { name: file, bytes: Buffer.from(`${canonicalJson(told)}\n`) };
    });
    return plannedStudies(analysisDocuments(files), files).faults.map(({ file, at: place }) => `${file} ${place}`);
  };
  type Json = Record<string, never>;
  const deep = (path: string, value: unknown) => (document: Json) => {
    const changed = structuredClone(document);
    const keys = path.split('.');
    const last = keys.pop()!;
    let inner: Record<string, unknown> = changed;
    for (const key of keys) inner = inner[key] as Record<string, unknown>;
    inner[last] = value;
    return changed;
  };

  it.each<[string, string, string, unknown, string]>([
    ['other draws than planned', 'analysis', 'plan.draws', 100, 'analyses/analysis.json plan.draws'],
    ['another generator', 'analysis', 'rng', 'numpy-pcg64/1', 'analyses/analysis.json rng'],
    ['another error rate', 'second-analysis', 'plan.alpha', 0.2, 'analyses/second-analysis.json plan.alpha'],
    ['fewer seeds', 'analysis', 'results.training_seeds', [1], 'analyses/analysis.json results.training_seeds'],
    ['deviations of nothing', 'analysis', 'standing.deviations', [{}], 'analyses/analysis.json standing'],
    ['a plan of another time', 'analysis', 'standing.frozen_at', WHEN, 'analyses/analysis.json standing'],
    [
      'a plan that is not there',
      'analysis',
      'standing.plan_sha256',
      '0'.repeat(64),
      'analyses/analysis.json standing.plan_sha256',
    ],
    [
      'the second stage without a plan',
      'second-analysis',
      'standing',
      { kind: 'exploratory' },
      'analyses/second-analysis.json plan.stage',
    ],
    [
      'the second stage without a seal',
      'second-analysis',
      'standing.seal',
      undefined,
      'analyses/second-analysis.json plan.primary_seal_sha256',
    ],
    ['a seal that closes other results', 'seal', 'results_sha256', '0'.repeat(64), 'analyses/seal.json results_sha256'],
    ['a plan that was frozen anew', 'plan', 'frozen_at', '2020-01-01T00:00:00.000Z', 'standing.plan_sha256'],
    ['a primary stage that calls itself secondary', 'analysis', 'plan.stage', 'secondary', 'results.stage'],
  ])('is not as its documents say with %s', (_, name, path, value, place) => {
    expect(faults('none', (document) => document)).toEqual([]);
    expect(faults(name, deep(path, value)).join('\n')).toContain(place);
  });

  it('is not as its documents say with a seal that lists other tasks, in every document that follows from it', () => {
    const seal = json('release/analyses/seal.json');
    const tasks = seal.tasks.map((task: object) => ({ ...task, prompt_sha256: 'f'.repeat(64) }));
    const forged = sealed({ ...seal, tasks });
    const second = deep(
      'plan.primary_seal_sha256',
      forged.artifact_sha256,
    )(json('release/analyses/second-analysis.json'));
    const follows = deep('standing.seal.sha256', forged.artifact_sha256)(second);
    const files = [forged, sealed(follows), json('release/analyses/plan.json')].map((document, i) => ({
      name: `analyses/${i}.json`,
      bytes: Buffer.from(canonicalJson(document)),
    }));
    const bytes = readFileSync(at('release/analyses/plan.json'));
    const { faults: found } = plannedStudies(analysisDocuments(files), [...files.slice(0, 2), { ...files[2]!, bytes }]);
    expect(found).toEqual([
      expect.objectContaining({ found: expect.stringMatching(/the seal lists tasks of content/) }),
    ]);
  });
});
