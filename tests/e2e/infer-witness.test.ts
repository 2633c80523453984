import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeLine } from '../../src/ledger/journal-line.js';
import { cliInline } from '../support/cli-inline.js';
import { readDocument, reseal, type SmallWorld, smallWorld, writeDocument } from '../support/release-world.js';

const stamp = (name: string) => resolve(`fixtures/timestamps/${name}`);
const PLAN = ['--plan', stamp('plan.json')];
const TOKEN = [...PLAN, '--token', stamp('plan.tsr')];
const WITNESSED = '2026-12-01T20:56:16.000Z';

let world: SmallWorld;
let commit: string;
const at = (name: string) => join(world.dir, name);
const infer = (...more: string[]) => cliInline(['infer', at('m.arrow'), ...more]);
const build = (out: string, ...more: string[]) =>
  cliInline([...world.build.slice(0, -2), '--no-figures', ...more, '--out', at(out)]);
async function verify(name: string, ...more: string[]) {
  const { code, stdout } = await cliInline(['release', 'verify', at(name), ...more, '--json']);
  const { notes, checked, not_checked, differences } = JSON.parse(stdout) as {
    notes: string[];
    not_checked: { what: string; why: string }[];
    checked: { what: string }[];
    differences: { file: string; at: string; found: string }[];
  };
  const found = differences.map(({ file, at: place, found: is }) => `${file}, ${place}: ${is}`).join('\n');
  return {
    code,
    notes: [...notes, ...not_checked.map(({ what, why }) => `${what}: ${why}`)].join('\n'),
    checked: checked.map(({ what }) => what).join('\n'),
    found,
  };
}
const git = (...args: string[]) =>
  execFileSync('git', ['-C', at('repository'), '-c', 'user.name=S', '-c', 'user.email=s@example.org', ...args], {
    env: { ...process.env, GIT_COMMITTER_DATE: '2026-12-02T00:00:00Z', GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  }).trim();

beforeAll(async () => {
  world = await smallWorld();
  mkdirSync(at('repository'));
  git('init', '-q');
  cpSync(stamp('plan.json'), at('repository/frozen.json'));
  git('add', '.');
  git('commit', '-q', '-m', 'plan');
  commit = git('rev-parse', 'HEAD');
}, 300_000);
afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

describe('infer --plan with a witness', () => {
  it('states the token as unverified, and as verified where an authority is given', async () => {
    const plain = await infer(...TOKEN, '--json');
    const [witness] = JSON.parse(plain.stdout).standing.witnesses;
    expect(witness).toMatchObject({ kind: 'rfc3161', status: 'unverified', at: WITNESSED });
    const words = await infer(...TOKEN, '--tsa-ca', stamp('ca.pem'));
    expect(words.stdout.replace(/\s+/g, ' ')).toContain(`token of ${WITNESSED} (whose signature was checked)`);
  });

  it('states a commit, and says that it holds the plan where a repository is given', async () => {
    const named = [...PLAN, '--commit', commit];
    expect(JSON.parse((await infer(...named, '--json')).stdout).standing.witnesses).toEqual([
      { kind: 'git', status: 'stated', at: null, commit },
    ]);
    const found = await infer(...named, '--git', at('repository'), '--json');
    expect(JSON.parse(found.stdout).standing.witnesses).toEqual([
      { kind: 'git', status: 'found', at: '2026-12-02T00:00:00.000Z', commit },
    ]);
  });

  it.each([
    [
      'a token over another plan',
      () => [...PLAN, '--token', stamp('other-plan.tsr')],
      4,
      /TOKEN_REFUSED: .*is over .*openssl ts -query -sha256 -cert -digest 2470950693/s,
    ],
    ['another authority', () => [...TOKEN, '--tsa-ca', stamp('other-ca.pem')], 4, /TOKEN_REFUSED/],
    ['what is no token', () => [...PLAN, '--token', stamp('plan.json')], 2, /TOKEN_INVALID/],
    ['two tokens', () => [...TOKEN, '--token', stamp('stranger.tsr')], 2, /USAGE: 2 tokens are over/],
    ['a token without a plan', () => ['--token', stamp('plan.tsr')], 2, /USAGE: .*speak of a plan/],
    ['an authority without a token', () => [...PLAN, '--tsa-ca', stamp('ca.pem')], 2, /USAGE: --tsa-ca checks a token/],
    ['a short id of a commit', () => [...PLAN, '--commit', commit.slice(0, 12)], 2, /USAGE: .*not the full id/],
    ['an option as a commit', () => [...PLAN, '--commit=--output=x'], 2, /USAGE: .*not the full id/],
    ['a repository without a commit', () => [...PLAN, '--git', at('repository')], 2, /USAGE: --git looks a commit up/],
    [
      'a commit that does not hold it',
      () => ['--plan', at('plan.json'), '--commit', commit, '--git', at('repository')],
      4,
      /COMMIT_REFUSED: .*holds none of/,
    ],
  ])('refuses %s', async (_, args, code, what) => {
    await cliInline(['infer', 'plan', '--out', at('plan.json'), '--force']);
    const { code: exit, stderr } = await infer(...args());
    expect([exit, stderr]).toEqual([code, expect.stringMatching(what)]);
  });
});

describe('a release of a witnessed plan', () => {
  it('carries token and commit; a verification proves them as far as it is told whom to trust', async () => {
    const trusted = ['--tsa-ca', stamp('ca.pem'), '--git', at('repository')];
    expect((await build('seen', ...TOKEN, '--commit', commit, ...trusted)).stderr).toBe('');
    expect(readFileSync(at('seen/plan.tsr'))).toEqual(readFileSync(stamp('plan.tsr')));
    const { analysis_plan: standing } = readDocument(at('seen'), 'release.json').results as { analysis_plan: object };
    expect(standing).toMatchObject({
      witnesses: [
        { kind: 'rfc3161', status: 'unverified', at: WITNESSED },
        { kind: 'git', status: 'stated', at: '2026-12-02T00:00:00.000Z', commit },
      ],
    });
    const plain = await verify('seen');
    expect([plain.code, plain.found]).toEqual([0, '']);
    expect(plain.notes).toMatch(/plan\.tsr: the token of .*: unverified/);
    expect(plain.notes).toMatch(/plan\.json: commit [0-9a-f]{40}: it is stated/);
    const told = await verify('seen', ...trusted);
    expect([told.code, told.found]).toEqual([0, '']);
    expect(told.checked).toMatch(
      /time-stamp tokens up to an authority you trust\nplans in the commits that are stated/,
    );
    expect((await verify('seen', '--tsa-ca', stamp('other-ca.pem'))).found).toMatch(
      /plan\.tsr, .*signature does not hold/,
    );
    mkdirSync(at('elsewhere'));
    execFileSync('git', ['init', '-q', at('elsewhere')]);
    expect((await verify('seen', '--git', at('elsewhere'))).found).toContain('has no object');
  });

  it('fails where the token is over another plan, is another one, was taken away or put there', async () => {
    for (const [name, token] of [
      ['other', 'other-plan.tsr'],
      ['stranger', 'stranger.tsr'],
    ] as const) {
      cpSync(at('seen'), at(name), { recursive: true });
      cpSync(stamp(token), at(`${name}/plan.tsr`));
      reseal(at(name));
      expect((await verify(name)).found).toMatch(/plan\.json, its token/);
    }
    const release = readDocument(at('other'), 'release.json') as {
      results: { analysis_plan: { witnesses: { token_sha256: string }[] } };
    };
    const { createHash } = await import('node:crypto');
    const digest = createHash('sha256')
      .update(readFileSync(stamp('other-plan.tsr')))
      .digest('hex');
    release.results.analysis_plan.witnesses[0]!.token_sha256 = digest;
    writeDocument(at('other'), 'release.json', release);
    reseal(at('other'));
    expect((await verify('other')).found).toMatch(/plan\.tsr, what it is over/);
    cpSync(at('seen'), at('gone'), { recursive: true });
    rmSync(at('gone/plan.tsr'));
    reseal(at('gone'));
    expect((await verify('gone')).found).toMatch(/plan\.json, its token: none/);
    expect((await build('bare', ...PLAN)).stderr).toBe('');
    writeFileSync(at('bare/plan.tsr'), readFileSync(stamp('plan.tsr')));
    reseal(at('bare'));
    const put = await verify('bare');
    expect(put.found).toMatch(/plan\.tsr, the file: a token/);
    expect(put.notes).toContain('its time is its own statement');
  });
});

describe('a ledger whose journal names the host of a lock, as version 0.1.0 wrote it', () => {
  it('is released with --with-hosts alone, the line as it is, and verifies', async () => {
    const file = at('ledger/attempts.jsonl');
    const before = readFileSync(file, 'utf8');
    const { chain } = JSON.parse(before.trimEnd().split('\n').at(-1)!) as { chain: string };
    const previous = { host: 'kitchen-7', pid: 42 };
    const { line } = encodeLine({ at: new Date().toISOString(), type: 'lock_taken_over', previous }, chain);
    writeFileSync(file, `${before}${line}\n`);
    const refused = await build('no-hosts');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/USAGE: .*names the host .*--with-hosts/s),
    ]);
    expect((await build('hosts', '--with-hosts')).stderr).toBe('');
    expect(readFileSync(at('hosts/attempts.jsonl'), 'utf8')).toContain(line);
    const { code, found } = await verify('hosts');
    expect([code, found]).toEqual([0, '']);
  });
});
