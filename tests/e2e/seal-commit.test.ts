import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, sealed } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { cliInline } from '../support/cli-inline.js';
import { reseal, type SmallWorld, smallWorld } from '../support/release-world.js';

const TASKS = resolve('fixtures/tasks-small.json');
const BASE = 'Qwen/Qwen3-0.6B@c1899de289a04d12100db370d81485cdf75e47ca';
/** A commit's date bounds the time of a seal from above; the plan is as old as this run. */
const WHEN = '2090-01-01T00:00:00.000Z';
const RUNS = [
  ['pretrained_base', null],
  ...['sft_format_control', 'sft_epicure_optimum'].flatMap((condition) => [1, 2].map((seed) => [condition, seed])),
] as const;
const STATED = 'plans in the commits that are stated';
const SECOND = 'analyses/second-analysis.json';

const folder = mkdtempSync(join(tmpdir(), 'seal-commit-'));
const at = (name: string) => join(folder, name);
const read = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'));
let world: SmallWorld;
/** The commit that holds the seal, and one before it that does not. */
let commit: string;
let before: string;
let plan: string;

const dated = (when: string, ...args: string[]) =>
  execFileSync('git', ['-C', at('repository'), '-c', 'user.name=S', '-c', 'user.email=s@example.org', ...args], {
    env: { ...process.env, GIT_COMMITTER_DATE: when, GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  }).trim();
const git = (...args: string[]) => dated(WHEN, ...args);

/** The call of one stage, on answers in which the trained models differ from the others. */
function stage(tasks: string, plan: string, out: string): string[] {
  const lines = readFileSync(at(tasks), 'utf8').trim().split('\n');
  const rows = RUNS.flatMap(([condition, training_seed]) =>
    lines.map((line) => {
      const choice = condition === 'sft_epicure_optimum' ? 'F,G,H' : 'A,B,C';
      const { task_id } = JSON.parse(line);
      return { condition, training_seed, task_id, completion: `FINAL_SELECTION: ${choice}` };
    }),
  );
  const completions = at(`${out}.jsonl`);
  writeFileSync(completions, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const files = ['--tasks', TASKS, '--plan', plan, '--completions', completions, '--split', at(tasks)];
  return ['transfer', 'contrast', ...files, '--out', at(out)];
}

async function done(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** Verifies the release, with more options. */
async function verify(release: string, ...more: string[]) {
  const { code, stdout } = await cliInline(['release', 'verify', at(release), ...more, '--json']);
  const { checked, not_checked, differences } = JSON.parse(stdout) as {
    checked: { what: string; count: number }[];
    not_checked: { what: string; why: string }[];
    differences: { file: string; at: string }[];
  };
  return {
    code,
    proved: checked.find(({ what }) => what === STATED)?.count ?? 0,
    left: not_checked.filter(({ what }) => what.includes('commit')),
    found: differences.map(({ file, at: place }) => `${file}: ${place}`),
  };
}

/** Puts the digest of a changed analysis into the list of a release, and every digest that follows from it. */
function relisted(name: string, file: string): void {
  const release = read(`${name}/release.json`);
  const entry = release.results.analyses.find((one: { filename: string }) => one.filename === file);
  entry.sha256 = sha256(readFileSync(at(`${name}/${file}`)));
  writeFileSync(at(`${name}/release.json`), JSON.stringify(release));
}

/** A copy of the release whose second document states something else of the commit, with every digest put right. */
function forged(name: string, change: (witness: Record<string, unknown>) => object): string {
  cpSync(at('release'), at(name), { recursive: true });
  const document = read(`release/${SECOND}`);
  const [witness] = document.standing.seal.witnesses;
  document.standing.seal.witnesses = [change(witness)];
  writeFileSync(at(`${name}/${SECOND}`), `${canonicalJson(sealed(document))}\n`);
  relisted(name, SECOND);
  reseal(at(name));
  return name;
}

beforeAll(async () => {
  const split = ['--evaluation', '2', '--validation', '2', '--out', at('data')];
  await done(['transfer', 'split', '--tasks', TASKS, ...split]);
  const settings = ['--seeds', '1', '2', '--draws', '200', '--flips', '200', '--json'];
  const second = ['--secondary-tasks', at('data/validation_tasks.jsonl'), '--out', at('plans')];
  const frozen = await done(['transfer', 'plan', '--base', BASE, '--data', at('data'), ...settings, ...second]);
  plan = JSON.parse(frozen).path;
  await done(stage('data/evaluation_tasks.jsonl', plan, 'first'));
  execFileSync('git', ['init', '-q', at('repository')]);
  git('commit', '-q', '--allow-empty', '-m', 'nothing yet');
  before = git('rev-parse', 'HEAD');
  cpSync(at('first/seal.json'), at('repository/under another name.json'));
  git('add', '.');
  git('commit', '-q', '-m', 'seal');
  commit = git('rev-parse', 'HEAD');
  const sealedStage = ['--stage', 'secondary', '--seal', at('first/seal.json'), '--commit', commit];
  const call = stage('data/validation_tasks.jsonl', plan, 'second');
  await done([...call, ...sealedStage, '--git', at('repository')]);
  world = await smallWorld();
  await done([...world.build, '--analyses', at('first'), at('second'), '--no-figures', '--out', at('release')]);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(world.dir, { recursive: true, force: true });
});

describe('a commit over the seal of a study, in a release', () => {
  it('is stated of the seal alone, as found in the repository that held it', () => {
    const { witnesses = [], seal } = read('second/analysis.json').standing;
    expect(seal.witnesses).toEqual([{ kind: 'git', commit, status: 'found', at: WHEN }]);
    expect(witnesses).toEqual([]);
  });

  it('is called stated without a repository, and holds the seal byte for byte where one is given', async () => {
    const plain = await verify('release');
    expect(plain).toMatchObject({ code: 0, proved: 0, found: [] });
    expect(plain.left).toEqual([
      expect.objectContaining({
        what: `analyses/seal.json: commit ${commit}`,
        why: expect.stringContaining('it is stated; --git REPOSITORY looks it up'),
      }),
    ]);
    expect(await verify('release', '--git', at('repository'))).toMatchObject({
      code: 0,
      proved: 1,
      left: [],
      found: [],
    });
  });

  it.each<[string, (witness: Record<string, unknown>) => object, RegExp]>([
    [
      'a commit that does not hold the seal',
      (one) => ({ ...one, commit: before }),
      /analyses\/seal\.json: held by commit/,
    ],
    ['another date', (one) => ({ ...one, at: '2020-01-01T00:00:00.000Z' }), /analyses\/seal\.json: date of commit/],
    ['a commit that is not there', (one) => ({ ...one, commit: 'e'.repeat(40) }), /analyses\/seal\.json/],
  ])('fails in the repository with %s', async (what, change, place) => {
    const name = forged(what.replaceAll(' ', '-'), change);
    const { code, found } = await verify(name, '--git', at('repository'));
    expect(code).toBe(4);
    expect(found).toContainEqual(expect.stringMatching(place));
    expect(found.filter((one) => !/^analyses\//.test(one))).toEqual([]);
  });

  it('fails where the seal in the release has other bytes than the one in the commit', async () => {
    cpSync(at('release'), at('spaced'), { recursive: true });
    writeFileSync(at('spaced/analyses/seal.json'), `${JSON.stringify(read('release/analyses/seal.json'), null, 4)}\n`);
    reseal(at('spaced'));
    const { code, found } = await verify('spaced', '--git', at('repository'));
    expect(code).toBe(4);
    expect(found).toContain(`analyses/seal.json: held by commit ${commit}`);
  });

  it.each([
    ['goes on where it is of the second of the freeze', 0, [0, '']],
    ['is refused where it is of the second before', -1000, [4, expect.stringContaining('PLAN_LATE')]],
  ])('%s, which git writes without its fraction', async (what, shift, expected) => {
    const frozen = Date.parse(JSON.parse(readFileSync(plan, 'utf8')).frozen_at);
    const when = new Date(frozen - (frozen % 1000) + shift).toISOString();
    dated(when, 'commit', '-q', '--allow-empty', '-m', what);
    const found = ['--commit', git('rev-parse', 'HEAD'), '--git', at('repository')];
    const call = stage('data/validation_tasks.jsonl', plan, what.replaceAll(' ', '-'));
    const { code, stderr } = await cliInline([
      ...call,
      '--stage',
      'secondary',
      '--seal',
      at('first/seal.json'),
      ...found,
    ]);
    expect([code, stderr]).toEqual(expected);
  });
});
