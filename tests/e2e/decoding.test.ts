import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalDigest, setDigest } from '../../src/io/canonical.js';
import { cliInline } from '../support/cli-inline.js';
import { temporaryFolder } from '../support/collect-run.js';
import { readDocument, reseal, writeDocument } from '../support/release-world.js';
import { type ReplyServer, startReplyServer } from '../support/reply-server.js';

const TASKS = 'fixtures/version-1/collection/panel_1.jsonl';

/** Two routes that agree, each leaving something to its endpoint, and one that draws with another temperature. */
const ROUTES = {
  cold: { temperature: 0, seed: 7, max_tokens: 64 },
  plain: { top_p: 1, max_tokens: 2048 },
  warm: { temperature: 1, seed: 7, max_tokens: 64 },
};

let dir: string;
let server: ReplyServer;
const at = (name: string) => join(dir, name);
const from = () => ['--ledger', at('ledger'), '--tasks', TASKS];
const freeze = (out: string, ...more: string[]) =>
  cliInline(['core', 'freeze', ...from(), '--seed', 's', '--per-stratum', 'auto', '--out', at(out), ...more]);
const matrix = (core: string, ...more: string[]) =>
  cliInline(['core', 'matrix', ...from(), '--core', at(core), '--out', at('m.csv'), ...more]);
const build = (out: string, ...more: string[]) =>
  cliInline(['release', 'build', ...from(), '--no-figures', '--out', at(out), ...more]);
const sources = (core: string) => JSON.parse(readFileSync(at(core), 'utf8')).sources;

beforeAll(async () => {
  dir = temporaryFolder();
  server = await startReplyServer((_, path) => ({
    body: JSON.stringify({
      model: path.split('/')[1],
      choices: [{ message: { content: 'FINAL_SELECTION: A,B,C' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 50, completion_tokens: 5 },
    }),
  }));
  const models = Object.entries(ROUTES).map(([name, decoding]) => ({
    ...{ id: `t/${name}`, transport: 'openai', base_url: `${server.url}/${name}/v1`, decoding, revision: 'r1' },
    ...{ requested_model: name, expected_model: name, price: { prompt: '0', completion: '0' } },
  }));
  const plan = {
    schema: 'flavourbench-plan/1',
    name: 'drawn',
    protocol: 'bare',
    seed: 's',
    budget: { usd: '1' },
    task_sets: [{ path: 'tasks.jsonl' }],
    models,
  };
  writeFileSync(at('tasks.jsonl'), readFileSync(TASKS));
  writeFileSync(at('plan.json'), JSON.stringify(plan));
  const { code, stderr } = await cliInline(['collect', at('plan.json'), '--ledger', at('ledger'), '--yes']);
  expect([code, stderr]).toEqual([0, '']);
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a plan of models that draw with other values', () => {
  it('says so when it is checked, before anything is paid', async () => {
    const { code, stdout } = await cliInline(['plan', 'check', at('plan.json')]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `a core takes some of these models only: answers drawn with different values of temperature`,
    );
    const alike = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
    alike.models.pop();
    writeFileSync(at('alike.json'), JSON.stringify(alike));
    const checked = await cliInline(['plan', 'check', at('alike.json'), '--json']);
    expect(JSON.parse(checked.stdout)).not.toHaveProperty('not_compared');
  });
});

const COLD = `seed 7, temperature 0 ${canonicalDigest({ seed: 7, temperature: 0 })} (t/cold)`;
const WARM = `seed 7, temperature 1 ${canonicalDigest({ seed: 7, temperature: 1 })} (t/warm)`;

describe('a ledger with models that drew with other values of one parameter', () => {
  it('gives no core and no release over them, and names values, digests and models', async () => {
    for (const { code, stderr } of [await freeze('all.json'), await build('all')]) {
      expect([code, stderr]).toEqual([2, expect.stringContaining('DECODING_MIXED')]);
      expect(stderr).toContain(`different values of temperature are never compared: ${COLD}; ${WARM}`);
      expect(stderr).toContain('core freeze --decoding temperature=0');
    }
  });

  it('gives a core of one value, which states what all were drawn with and who was left out', async () => {
    const { code, stdout } = await freeze('cold.json', '--decoding', 'temperature=0');
    expect(code).toBe(0);
    expect(stdout).toContain('Answers were drawn with seed 7, temperature 0, top_p 1; a route that leaves');
    expect(stdout).toContain('left out: t/warm, drawn with seed 7, temperature 1 ');
    expect(sources('cold.json')).toMatchObject({
      decoding: { temperature: 0, seed: 7, top_p: 1 },
      left_out_by_decoding: [{ model_id: 't/warm', decoding: { temperature: 1, seed: 7 } }],
      left_out_by_protocol: [],
    });
    expect((await matrix('cold.json')).code).toBe(0);
    const warm = await freeze('warm.json', '--decoding', 'temperature=1', '--json');
    expect(JSON.parse(warm.stdout)).toMatchObject({ left_out_by_decoding: [{ model_id: 't/cold' }] });
  });

  it('says of a value that nobody states, and of a model that the choice leaves without answers', async () => {
    const unknown = await freeze('x.json', '--decoding', 'temprature=0');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no answer states "temprature"')]);
    writeFileSync(at('roster.txt'), 't/cold\nt/warm\n');
    const missed = await freeze('x.json', '--decoding', 'temperature=0', '--roster', at('roster.txt'));
    expect([missed.code, missed.stderr]).toEqual([
      2,
      expect.stringMatching(/no record of model t\/warm .*temperature=0/),
    ]);
  });

  it('gives no matrix and no release of a core that was frozen over them by a version that did not look', async () => {
    const core = JSON.parse(readFileSync(at('cold.json'), 'utf8'));
    const { decoding: _, left_out_by_decoding: __, ...older } = core.sources;
    core.sources = older;
    core.common_core.ranked_model_ids.push('t/warm');
    const records = readdirSync(at('ledger/records'), { recursive: true, encoding: 'utf8' });
    core.common_core.panels.panel_1.response_artifact_set_sha256 = setDigest(
      records.flatMap((name) => /-([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []),
    );
    const { artifact_sha256: ___, ...body } = core;
    writeFileSync(at('old.json'), JSON.stringify({ ...body, artifact_sha256: canonicalDigest(body) }));
    for (const { code, stderr } of [await matrix('old.json', '--force'), await build('old', '--core', at('old.json'))])
      expect([code, stderr]).toEqual([2, expect.stringContaining('DECODING_MIXED')]);
  });
});

describe('a release', () => {
  it('states what its answers were drawn with, and fails its verification where it states otherwise', async () => {
    expect((await build('release', '--core', at('cold.json'))).code).toBe(0);
    expect(readDocument(at('release'), 'release.json').results).toMatchObject({
      decoding: { values: { temperature: 0, seed: 7, top_p: 1 }, words: expect.stringContaining('temperature 0') },
    });
    expect(readFileSync(at('release/README.md'), 'utf8')).toContain('Answers were drawn with seed 7, temperature 0');
    expect((await cliInline(['release', 'verify', at('release')])).code).toBe(0);
    const document = readDocument(at('release'), 'release.json');
    (document.results as { decoding: { values: object } }).decoding.values = { temperature: 0.2 };
    writeDocument(at('release'), 'release.json', document);
    reseal(at('release'));
    const forged = await cliInline(['release', 'verify', at('release'), '--json']);
    const places = (JSON.parse(forged.stdout).differences as { at: string }[]).map((difference) => difference.at);
    expect([forged.code, places]).toEqual([4, expect.arrayContaining(['results.decoding.values.temperature'])]);
  });
});

describe('answers in files, as records or lines of a release state them', () => {
  const lines = (out: string) => at(`${out}/observations.jsonl`);
  const tasks = ['--tasks', TASKS];
  beforeAll(async () => {
    await freeze('warm-core.json', '--decoding', 'temperature=1', '--force');
    writeFileSync(at('warm.txt'), 't/warm\n');
    await freeze('warm-only.json', '--roster', at('warm.txt'));
    const { code, stderr } = await build('warm', '--core', at('warm-only.json'));
    expect([code, stderr]).toEqual([0, '']);
  });

  it('are inferred from only where they were drawn alike, or the others are left out', async () => {
    const infer = (...more: string[]) =>
      cliInline(['infer', '--responses', lines('release'), lines('warm'), ...tasks, '--out', at('inferred'), ...more]);
    const mixed = await infer();
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining(`are never compared: ${COLD}; ${WARM}`)]);
    expect((await infer('--without', 't/warm')).code).toBe(0);
    const metrics = ['sensitivity', 'metrics', '--responses', lines('release'), lines('warm'), ...tasks];
    const checked = await cliInline([...metrics, '--out', at('checked')]);
    expect([checked.code, checked.stderr]).toEqual([2, expect.stringContaining('DECODING_MIXED')]);
  });

  it('have reports that say how they were asked, and that are compared only where that agrees', async () => {
    const score = (file: string, model: string, ...more: string[]) =>
      cliInline(['score', file, '--model', model, ...tasks, '--no-inference', '--force', ...more]);
    await score(lines('release'), 't/cold', '--out', at('cold-report.json'));
    const report = JSON.parse(readFileSync(at('cold-report.json'), 'utf8'));
    expect(report.asked).toMatchObject([{ decoding: { temperature: 0, seed: 7, max_tokens: 64 } }]);
    const verified = ['verify-report', at('cold-report.json'), '--responses', lines('release'), ...tasks];
    expect((await cliInline([...verified, '--model', 't/cold'])).code).toBe(0);
    const against = ['--compare', at('cold-report.json'), '--out', at('other.json')];
    expect((await score(lines('release'), 't/plain', ...against)).code).toBe(0);
    const mixed = await score(lines('warm'), 't/warm', ...against);
    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      expect.stringMatching(/DECODING_MIXED: .*temperature 0 .*cold-report/),
    ]);
  });

  it('are refused where they answer another wording than the task files have', async () => {
    const reworded = readFileSync(TASKS, 'utf8').replace(/"prompt":"/, '"prompt":"Other words. ');
    writeFileSync(at('reworded.jsonl'), reworded.replaceAll(/,"prompt_sha256":"[0-9a-f]+"/g, ''));
    for (const call of [
      ['infer', '--responses', lines('release')],
      ['score', lines('release'), '--model', 't/cold'],
    ]) {
      const { code, stderr } = await cliInline([...call, '--tasks', at('reworded.jsonl'), '--out', at('w')]);
      expect([code, stderr]).toEqual([4, expect.stringMatching(/DIGEST_MISMATCH: .*the answer is to another prompt/)]);
    }
  });
});
