import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
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
  });
});
