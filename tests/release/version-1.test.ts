import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldPage } from '../../src/cli/explorer-page.js';
import { createEngine } from '../../src/engine/node.js';
import { recognise } from '../../src/explorer/sources/recognised-source.js';
import { runInference } from '../../src/inference/infer.js';
import { inferenceDocument } from '../../src/inference/inference-document.js';
import { readStatedPlan } from '../../src/inference/plan.js';
import { parseCsv } from '../../src/io/csv.js';
import { openRelease } from '../../src/release/open/open-release.js';
import { verifyRelease } from '../../src/release/verify.js';
import { parserContract } from '../../src/responses/parser-contract.js';
import { cliInline } from '../support/cli-inline.js';
import { held } from '../support/held-folder.js';

const OLD = 'fixtures/version-1/release';
const TASKS = ['--tasks', 'fixtures/tasks-small.json', '--responses', 'fixtures/responses-small.jsonl'];

let dir: string;
let newer: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'version-1-'));
  newer = join(dir, 'newer');
  await ok('release', 'build', ...TASKS, '--no-figures', '--out', newer);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const text = (path: string) => readFileSync(path, 'utf8');
const rows = (path: string) => {
  const { header, rows: cells } = parseCsv(text(path), { file: path });
  return cells.map((row) => Object.fromEntries(header.map((key, i) => [key, row[i]!])));
};

describe('a release that version 0.1.0 wrote', () => {
  it('passes every proof of the library', async () => {
    const engine = await createEngine({ backend: 'wasm' });
    const verified = await verifyRelease({ dir: OLD, engine }).finally(() => engine.close());
    expect(verified).toMatchObject({ status: 'PASS', difference_count: 0, differences: [] });
    expect(verified.checked.find(({ what }) => what.startsWith('pairs'))?.count).toBe(15);
  });

  it('passes on the command line, under both of its digests', async () => {
    const { artifact_sha256: address, release_sha256: numbers } = JSON.parse(text(join(OLD, 'MANIFEST.json')));
    for (const digest of [address, numbers])
      expect(await ok('release', 'verify', OLD, '--expect', digest)).toMatch(/\nPASS: [0-9a-f]{64}\n$/);
  });

  it('fails where one p-value of it was turned', async () => {
    const copy = join(dir, 'turned');
    cpSync(OLD, copy, { recursive: true });
    const path = join(copy, 'inference.json');
    const turned = text(path).replace(/"holm_p":[\d.e-]+/, '"holm_p":0.5');
    expect(turned).not.toBe(text(path));
    writeFileSync(path, turned);
    const { code, stdout } = await cliInline(['release', 'verify', copy]);
    expect(code).toBe(4);
    expect(stdout).toContain('inference.json: ');
    expect(stdout).toContain('holm_p');
  });

  it('has its inference made again, byte for byte, from its matrix and its plan', async () => {
    const written = JSON.parse(text(join(OLD, 'inference.json')));
    expect(written).toMatchObject({ schema: 'flavourbench-inference/1', run: { version: '0.1.0' } });
    const { matrix } = await openRelease(OLD);
    const plan = readStatedPlan(written.plan, 'inference.json');
    const engine = await createEngine({ backend: 'reference' });
    const inference = await runInference({ matrix: matrix!, plan, engine }).finally(() => engine.close());
    const again = inferenceDocument({
      ...{ matrix: matrix!, inference, fromAnswers: true, inputs: written.inputs },
      run: { version: '0.1.0', backend: 'wasm', threads: 1, reason: 'one form everywhere', warnings: [] },
    });
    expect(again.text).toBe(text(join(OLD, 'inference.json')));
  });

  it('opens with groups and rank intervals, and without rank sets or letters', async () => {
    const { leaderboard, plan } = await openRelease(OLD);
    expect(plan).toMatchObject({ order: 'rows', ranks: 'ordinal', exact: 'reported', rank_sets: 'none' });
    const written = leaderboard.models.map(({ rank, group, rankInterval }) => `${rank} G${group} ${rankInterval}`);
    expect(written).toEqual(['1 G1 1,2', '2 G1 1,3', '3 G1 3,4', '4 G2 3,5', '5 G2 4,5', '6 G3 6,6']);
    for (const { rankSet, letters, rankTied } of leaderboard.models)
      expect([rankSet, letters, rankTied]).toEqual([null, null, null]);
    expect(leaderboard.resolvedPairs).toBe(9);
  });

  it('gives tables with groups and rank intervals', async () => {
    const out = join(dir, 'tables');
    expect(await ok('release', 'tables', OLD, '--out', out)).toMatch(/^\d+ tables written to /);
    const board = text(join(out, 'leaderboard.md'));
    expect(board).toContain('| Rank | Model | FB Score | simultaneous 95% CI | rank 95% CI | group |');
    expect(board).toMatch(/\| 4 \| simulated\/skill-25 \| 65\.9 \| \[50\.8, 81\.0\] \| \[3, 5\] \| 2 \|/);
  });

  it('gives figures with groups and rank intervals', async () => {
    const out = join(dir, 'figures');
    await ok('release', 'figures', OLD, '--formats', 'svg', 'csv', '--out', out);
    const forest = rows(join(out, 'forest.csv'));
    expect(forest.map(({ rank, group }) => `${rank} ${group}`)).toEqual(['1 1', '2 1', '3 1', '4 2', '5 2', '6 3']);
    expect(forest[0]).not.toHaveProperty('letters');
    const svg = text(join(out, 'forest.svg'));
    for (const mark of ['G1', 'G2', 'G3', 'statistical group']) expect(svg, mark).toContain(mark);
    expect(text(join(out, 'ranks.svg'))).toContain('bootstrap interval over anchor clusters');
  });

  it('gives a page that holds all of it, states its verification, and shows what it states and no letters', async () => {
    const out = join(dir, 'page.html');
    await ok('release', 'report', OLD, '--out', out);
    const { own, given } = heldPage(text(out));
    expect([own, given!.verification]).toEqual([true, expect.objectContaining({ status: 'PASS', rules: 1 })]);
    const { stated } = await recognise(given!.files.map(({ name, bytes }) => held(name, bytes)));
    const { leaderboard } = await openRelease(OLD);
    expect(
      stated!.inference.models.map(({ score, rank, letters, rankSet }) => [score, rank, letters, rankSet]),
    ).toEqual(leaderboard.models.map(({ score, rank }) => [score, rank, null, null]));
    const apart = leaderboard.pairs.filter(({ significant }) => significant).length;
    expect(stated!.inference.pairSummary!.decisions.told_apart).toBe(apart);
  });

  it('is compared with a release of version 2 of the same files: same answers and scores, other choices', async () => {
    const { code, stdout } = await cliInline(['release', 'diff', OLD, newer, '--json']);
    expect(code).toBe(0);
    const diff = JSON.parse(stdout);
    expect(diff.answers).toMatchObject({
      same: 216,
      other_record: 0,
      other_selection: 0,
      only_first: 0,
      only_second: 0,
    });
    expect(diff.models).toEqual({ added: [], removed: [], kept: 6 });
    for (const { score, rank } of diff.board) {
      expect(score[0]).toBe(score[1]);
      expect(rank[0]).toBe(rank[1]);
    }
    expect(diff.plan).toEqual(
      expect.arrayContaining([
        { field: 'draws', value: [2000, 50000] },
        { field: 'order', value: ['rows', 'model-id'] },
        { field: 'ranks', value: ['ordinal', 'shared'] },
        { field: 'exact', value: ['reported', 'decides'] },
        { field: 'rank_sets', value: ['none', 'flips'] },
      ]),
    );
    const words = await cliInline(['release', 'diff', OLD, newer]);
    expect(words.stdout).toContain('plan: rank_sets none → flips\n');
    expect(words.stdout).toMatch(/no score, rank or group changed\nsimultaneous intervals: \d of 6 changed/);
    expect(words.stdout).not.toMatch(/letters|rank sets:/);
    expect(words.stdout).toContain('models: 6 in both, 0 added, 0 removed\n');
  });

  it('is built again, byte for byte but for what it did not say, how its models were asked, and the licence as hubs name it', async () => {
    const out = join(dir, 'again');
    await ok('release', 'build', ...TASKS, '--no-figures', '--inference', `${OLD}/inference.json`, '--out', out);
    for (const name of ['inference.json', 'leaderboard.csv', 'pairwise.csv', 'cases.json'])
      expect(text(join(out, name)), name).toBe(text(join(OLD, name)));
    const { protocol, analysis_plan: plan, ...stated } = JSON.parse(text(join(out, 'release.json'))).results;
    const { response_parser, response_parser_sha256, inline_reasoning_answers, ...results } = stated;
    expect({ response_parser, response_parser_sha256, inline_reasoning_answers }).toEqual({
      response_parser: 'flavourbench-selection-set-parser-v3',
      response_parser_sha256: parserContract('v3').sha256,
      inline_reasoning_answers: 0,
    });
    expect(protocol).toMatchObject({ name: 'unstated', sha256: null });
    expect(plan).toMatchObject({ kind: 'exploratory' });
    expect(results).toEqual(JSON.parse(text(join(OLD, 'release.json'))).results);
    const card = text(join(out, 'README.md')).replace(`${protocol.words}\n\n${plan.words}\n\n`, '');
    expect(card.replace('license: unknown', 'license: "not stated"')).toBe(text(join(OLD, 'README.md')));
  });
});
