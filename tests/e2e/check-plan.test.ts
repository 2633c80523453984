import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealed } from '../../src/io/canonical.js';
import { parserFields, responseParserFields } from '../../src/responses/parser-contract.js';
import { cliInline } from '../support/cli-inline.js';
import { readDocument, reseal, type SmallWorld, smallWorld, writeDocument } from '../support/release-world.js';
import { makeAuthority } from '../support/time-stamps.js';

const TASKS = resolve('fixtures/tasks-small.json');
let world: SmallWorld;
const at = (name: string) => join(world.dir, name);
async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}
const build = (out: string, ...more: string[]) =>
  cliInline([...world.build, '--no-figures', ...more, '--out', at(out)]);
const maps = () => ['--maps', `again=${at('maps.jsonl')}`];
const checkpoints = (...more: string[]) =>
  cliInline([
    ...['sensitivity', 'checkpoints', '--scores', at('m.arrow'), '--responses', 'fixtures/responses-small.jsonl'],
    ...['--tasks', TASKS, '--core', at('core.json')],
    ...(more.includes('--maps') ? [] : maps()),
    ...more,
  ]);
const observed = ['--env', 'pantry', '--substitutions', 'fixtures/substitutions-test.jsonl'];
const replaced = [...observed, '--substitutions-train', 'fixtures/substitutions-train.jsonl'];
const standing = (folder: string, name: string) =>
  readDocument(at(folder), `${name}.json`).standing as {
    kind: string;
    deviations: { field: string }[];
    open: string[];
  };
async function verify(name: string, ...more: string[]) {
  const { code, stdout } = await cliInline(['release', 'verify', at(name), ...more, '--json']);
  const { notes, checked, not_checked, differences } = JSON.parse(stdout) as {
    notes: string[];
    checked: { what: string }[];
    not_checked: { what: string; why: string }[];
    differences: { file: string; at: string }[];
  };
  return {
    code,
    notes: [...notes, ...not_checked.map(({ what, why }) => `${what}: ${why}`)].join('\n'),
    checked: checked.map(({ what }) => what),
    found: differences.map(({ file, at: place }) => `${file}: ${place}`),
  };
}

beforeAll(async () => {
  world = await smallWorld();
  await ok('maps', TASKS, '--env', 'pantry', '--out', at('maps.jsonl'));
  const fixed = ['--core', at('core.json'), '--draws', '150', '--seed', '9'];
  await ok('sensitivity', 'plan', 'checkpoints', ...fixed, ...maps(), '--out', at('plan.json'));
  expect((await checkpoints('--plan', at('plan.json'), '--out', at('kept'), '--quiet')).code).toBe(0);
}, 300_000);
afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

describe('a plan of the check of checkpoints', () => {
  it('fixes options, tasks and maps by their digests, and is kept beside the result', () => {
    expect(readDocument(world.dir, 'plan.json')).toMatchObject({
      ...{ schema: 'flavourbench-check-plan/1', check: 'checkpoints', models: null, core: { tasks: 24 } },
      options: { rng: 'philox', seed: '9', draws: 150, order: 'model-id' },
      inputs: [{ role: 'maps' }],
      ...parserFields('v4'),
    });
    expect(readDocument(at('kept'), 'checkpoints.json').plan).toMatchObject({ draws: 150 });
    expect(standing('kept', 'checkpoints')).toMatchObject({ kind: 'planned', deviations: [], open: ['models'] });
    expect(readFileSync(at('kept/checkpoints-plan.json'))).toEqual(readFileSync(at('plan.json')));
  });

  it('has every deviation named, other maps too; without it the check is exploratory', async () => {
    writeFileSync(at('other.jsonl'), `${readFileSync(at('maps.jsonl'), 'utf8')}\n`);
    const bent = ['--plan', at('plan.json'), '--draws', '100', '--maps', `again=${at('other.jsonl')}`];
    const { stdout } = await checkpoints(...bent, '--out', at('bent'));
    expect(standing('bent', 'checkpoints').deviations.map(({ field }) => field)).toEqual(['draws', 'maps']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('draws 100 instead of 150');
    await checkpoints('--draws', '100', '--out', at('free'));
    expect(standing('free', 'checkpoints')).toEqual({ kind: 'exploratory' });
  });

  it('fixes the parser of the answers: another one is named, in a plan with other rules for it refused', async () => {
    await checkpoints('--plan', at('plan.json'), '--parser', 'v3', '--out', at('v3'), '--quiet');
    const deviation = { field: 'parser', planned: parserFields('v4').parser, used: parserFields('v3').parser };
    expect(standing('v3', 'checkpoints').deviations).toEqual([deviation]);
    const plan = readDocument(world.dir, 'plan.json');
    writeDocument(world.dir, 'rules.json', sealed({ ...plan, parser_sha256: '0'.repeat(64) }));
    const refused = await checkpoints('--plan', at('rules.json'));
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/DIGEST_MISMATCH: .*rules\.json/)]);
    writeDocument(world.dir, 'planned-v3.json', sealed({ ...plan, ...parserFields('v3') }));
    await checkpoints('--plan', at('planned-v3.json'), '--out', at('as-v3'), '--quiet');
    expect(standing('as-v3', 'checkpoints').deviations).toEqual([]);
    expect(readDocument(at('as-v3'), 'checkpoints.json').run).toMatchObject(responseParserFields('v3'));
  });

  it('leaves the parser open where it names none, as older plans do', async () => {
    const { parser: _, parser_sha256: __, ...older } = readDocument(world.dir, 'plan.json');
    writeDocument(world.dir, 'older.json', sealed(older));
    await checkpoints('--plan', at('older.json'), '--parser', 'v3', '--out', at('older'), '--quiet');
    expect(standing('older', 'checkpoints')).toMatchObject({ deviations: [], open: ['models', 'parser'] });
  });

  it('is none of another check, and none that was edited', async () => {
    const foreign = await cliInline(['sensitivity', 'substitutions', ...replaced, '--plan', at('plan.json')]);
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringMatching(/USAGE: the plan is one of checkpoints/)]);
    writeFileSync(at('edited.json'), readFileSync(at('plan.json'), 'utf8').replace('"draws":150', '"draws":100'));
    expect((await checkpoints('--plan', at('edited.json'))).stderr).toContain('DIGEST_MISMATCH');
    const nothing = await cliInline(['sensitivity', 'plan', 'checkpoints', '--out', at('none.json')]);
    expect([nothing.code, nothing.stderr]).toEqual([3, expect.stringContaining('INPUT_MISSING')]);
  });
});

describe('a plan of the check of substitutions', () => {
  it('fixes the files and the environments; what is left open is what the check has by default', async () => {
    await ok('sensitivity', 'plan', 'substitutions', ...replaced, '--min-group', '2', '--out', at('swaps.json'));
    const { options, inputs } = readDocument(world.dir, 'swaps.json') as {
      options: object;
      inputs: { role: string }[];
    };
    expect(options).toEqual({ rng: 'philox', seed: '20260820', alpha: 0.05, draws: 50_000, min_group: 2 });
    expect(inputs.map(({ role }) => role)).toEqual(['substitutions', 'substitutions_train', 'environment']);
    await ok('sensitivity', 'substitutions', ...replaced, '--plan', at('swaps.json'), '--out', at('swaps'), '--quiet');
    expect(standing('swaps', 'substitutions')).toMatchObject({ kind: 'planned', deviations: [], open: [] });
    const turned = [...observed, '--substitutions-train', 'fixtures/substitutions-test.jsonl'];
    await ok('sensitivity', 'substitutions', ...turned, '--plan', at('swaps.json'), '--out', at('turned'), '--quiet');
    expect(standing('turned', 'substitutions').deviations.map(({ field }) => field)).toEqual(['substitutions_train']);
  });
});

describe('a release with planned checks', () => {
  it('carries the plan and works out again how it was kept', async () => {
    expect((await build('planned', '--analyses', at('kept'))).stderr).toBe('');
    const found = await verify('planned');
    expect([found.code, found.found]).toEqual([0, []]);
    expect(found.notes).toMatch(
      /checkpoints-plan\.json: no look at scores is recorded .* the time is its own statement/,
    );
  });

  it('is refused without the plan, and with a document that hides a deviation; a verification finds both', async () => {
    const document = at('bent/checkpoints.json');
    expect((await build('no-plan', '--analyses', document)).stderr).toMatch(
      /ANALYSIS_FOREIGN: .*checkpoints\.json: standing\.plan_sha256/,
    );
    const forged = readDocument(at('bent'), 'checkpoints.json');
    const hidden = { ...(forged.standing as object), deviations: [] };
    writeDocument(at('bent'), 'checkpoints.json', sealed({ ...forged, standing: hidden }));
    expect((await build('hidden', '--analyses', at('bent'))).stderr).toMatch(
      /ANALYSIS_FOREIGN: .*checkpoints\.json: standing/,
    );
    expect((await build('other-parser', '--analyses', at('as-v3'))).stderr).toMatch(
      /ANALYSIS_FOREIGN: .*checkpoints\.json: run\.response_parser/,
    );
    // The parser that a check says it read with is held against its plan and against the answers of the release.
    cpSync(at('planned'), at('reparsed'), { recursive: true });
    const own = readDocument(at('reparsed/analyses'), 'checkpoints.json');
    const run = { ...(own.run as object), ...responseParserFields('v3') };
    writeDocument(at('reparsed/analyses'), 'checkpoints.json', sealed({ ...own, run }));
    reseal(at('reparsed'));
    const places = (await verify('reparsed')).found;
    expect(places).toContain('analyses/checkpoints.json: standing');
    expect(places).toContain('analyses/checkpoints.json: run.response_parser');
    cpSync(at('planned'), at('stripped'), { recursive: true });
    rmSync(at('stripped/analyses/checkpoints-plan.json'));
    reseal(at('stripped'));
    expect((await verify('stripped')).found).toContain('analyses/checkpoints.json: standing.plan_sha256');
    cpSync(at('planned'), at('swapped'), { recursive: true });
    const plan = readDocument(at('planned/analyses'), 'checkpoints-plan.json');
    writeDocument(
      at('swapped/analyses'),
      'checkpoints-plan.json',
      sealed({ ...plan, frozen_at: '2020-01-01T00:00:00.000Z' }),
    );
    reseal(at('swapped'));
    expect((await verify('swapped')).found).toContain('analyses/checkpoints.json: standing.plan_sha256');
  });

  it('carries the token of a plan; a verification reads it, checks it against an authority, and finds it gone or swapped', async () => {
    const authority = makeAuthority(at('tsa'));
    const token = authority.stamp(at('plan.json'), at('plan.tsr'));
    const given = ['--plan', at('plan.json'), '--token', token];
    expect((await checkpoints(...given, '--tsa-ca', authority.ca, '--out', at('seen'), '--quiet')).code).toBe(0);
    expect(readFileSync(at('seen/checkpoints-plan.tsr'))).toEqual(readFileSync(token));
    expect((await build('seen-release', '--analyses', at('seen'))).stderr).toBe('');
    const plain = await verify('seen-release');
    expect([plain.code, plain.found]).toEqual([0, []]);
    // What the document says of the signature is its maker's word.
    expect(plain.notes).toMatch(/checkpoints-plan\.json: .* a time-stamp token of .* \(unverified/);
    expect(plain.notes).toMatch(/checkpoints-plan\.tsr: the token of .*: unverified; --tsa-ca FILE checks it/);
    const told = await verify('seen-release', '--tsa-ca', authority.ca);
    expect([told.code, told.found]).toEqual([0, []]);
    expect(told.checked).toContain('time-stamp tokens up to an authority you trust');
    const foreign = await verify('seen-release', '--tsa-ca', resolve('fixtures/timestamps/other-ca.pem'));
    expect([foreign.code, foreign.found]).toEqual([4, ['analyses/checkpoints-plan.tsr: its content']]);
    cpSync(at('seen-release'), at('token-gone'), { recursive: true });
    rmSync(at('token-gone/analyses/checkpoints-plan.tsr'));
    reseal(at('token-gone'));
    expect((await verify('token-gone')).found).toContain('analyses/checkpoints-plan.json: its token');
    cpSync(at('seen-release'), at('token-swapped'), { recursive: true });
    cpSync(resolve('fixtures/timestamps/plan.tsr'), at('token-swapped/analyses/checkpoints-plan.tsr'));
    reseal(at('token-swapped'));
    expect((await verify('token-swapped')).found).toContain('analyses/checkpoints-plan.json: its token');
    rmSync(at('seen/checkpoints-plan.tsr'));
    expect((await build('no-token', '--analyses', at('seen'))).stderr).toMatch(
      /ANALYSIS_FOREIGN: analyses\/checkpoints-plan\.json: its token/,
    );
    // A token that no document names is no part of a release.
    cpSync(token, at('kept/stray.tsr'));
    expect((await build('stray-left', '--analyses', at('kept'))).stderr).toBe('');
    expect(existsSync(at('stray-left/analyses/stray.tsr'))).toBe(false);
    cpSync(token, at('stray-left/analyses/stray.tsr'));
    reseal(at('stray-left'));
    expect((await verify('stray-left')).code).toBe(4);
    rmSync(at('kept/stray.tsr'));
  });

  it('is refused with a plan that is younger than a look at scores', async () => {
    await ok('ledger', 'status', at('ledger'), '--live-scores', '--tasks', TASKS);
    await ok('sensitivity', 'plan', 'checkpoints', '--draws', '150', ...maps(), '--out', at('late.json'));
    await checkpoints('--plan', at('late.json'), '--out', at('late'), '--quiet');
    const { code, stderr } = await build('late-release', '--analyses', at('late'));
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/PLAN_LATE: analyses\/checkpoints-plan\.json: frozen on/),
    ]);
  });
});
