import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleaseDiff } from '../../src/release/diff.js';
import { cliInline } from '../support/cli-inline.js';
import { buildSmall, type SmallWorld, smallWorld } from '../support/release-world.js';
import { RELEASE_JSON } from '../support/released-files.js';
import { noShared } from '../support/shared.js';

const TASKS = 'fixtures/tasks-small.json';

let world: SmallWorld;
let good: string;
beforeAll(async () => {
  world = await smallWorld();
  good = join(world.dir, 'release');
  await buildSmall(world, good, '--no-figures');
});
afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

async function diff(first: string, second: string): Promise<ReleaseDiff> {
  const { code, stdout, stderr } = await cliInline(['release', 'diff', first, second, '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as ReleaseDiff;
}

/** A release of the small answers after a change of their rows. */
async function variant(
  name: string,
  change: (row: Record<string, string>, line: number) => Record<string, string> | null,
): Promise<string> {
  const lines = readFileSync('fixtures/responses-small.jsonl', 'utf8').trimEnd().split('\n');
  const kept = lines.flatMap((line, i) => {
    const row = change(JSON.parse(line), i);
    return row === null ? [] : [JSON.stringify(row)];
  });
  const file = join(world.dir, `${name}.jsonl`);
  writeFileSync(file, `${kept.join('\n')}\n`);
  const out = join(world.dir, name);
  const { stderr } = await cliInline([
    ...['release', 'build', '--tasks', TASKS, '--responses', file],
    ...['--no-figures', '--out', out],
  ]);
  expect(stderr).toBe('');
  return out;
}

describe('release diff', () => {
  it('says that nothing changed where nothing did', async () => {
    const result = await diff(good, good);
    expect(result).toMatchObject({
      same_release: true,
      pairs: [],
      models: { added: [], removed: [], kept: 6 },
      same_numbers: true,
      damage: [{ difference_count: 0 }, { difference_count: 0 }],
      files: { changed: [], added: [], removed: [] },
      plan: [],
    });
    expect(result.tasks).toMatchObject({ kept: 24, added: [], removed: [], other_map: [] });
    expect(result.answers).toMatchObject({ same: 216, other_selection: 0 });
    const { stdout } = await cliInline(['release', 'diff', good, good]);
    expect(stdout).toContain('no score, rank or letters changed\nno interval changed\n');
    expect(stdout).toContain('the same in every file');
    const { address, numbers } = {
      address: JSON.parse(readFileSync(join(good, 'MANIFEST.json'), 'utf8')).artifact_sha256,
      numbers: JSON.parse(readFileSync(join(good, 'release.json'), 'utf8')).artifact_sha256,
    };
    for (const name of ['first ', 'second']) {
      expect(stdout).toContain(`${name}  address  ${address}`);
      expect(stdout).toContain(`${name}  numbers  ${numbers}`);
    }
    expect(stdout).toContain('Nothing was verified');
  });

  it('says which choices and intervals differ where no score does', async () => {
    const other = join(world.dir, 'numpy');
    const matrix = ['--scores', join(world.dir, 'm.arrow'), '--draws', '150', '--flips', '300'];
    const plan = ['--rng', 'numpy', '--strata', 'family', '--seed', '7', '--quiet'];
    const inferred = await cliInline(['infer', ...matrix, ...plan, '--out', `${other}-results`]);
    expect(inferred.code).toBe(0);
    const built = world.build.slice(0, -2);
    const release = ['--inference', `${other}-results/inference.json`, '--no-figures'];
    expect((await cliInline([...built, ...release, '--out', other])).code).toBe(0);
    const result = await diff(good, other);
    expect(result.plan).toEqual([
      { field: 'generator', value: ['philox', 'numpy'] },
      { field: 'seed', value: ['20260820', '7'] },
      { field: 'strata', value: ['panel-family', 'family'] },
      { field: 'draws', value: [200, 150] },
      { field: 'order', value: ['model-id', 'rows'] },
      { field: 'ranks', value: ['shared', 'ordinal'] },
      { field: 'exact', value: ['decides', 'reported'] },
      { field: 'rank_sets', value: ['flips', 'none'] },
    ]);
    expect(result).toMatchObject({ same_release: false, same_numbers: false });
    const moved = result.board.filter(({ pointwise: [a, b] }) => a[0] !== b[0] || a[1] !== b[1]);
    expect(moved.length).toBeGreaterThan(0);
    const { stdout } = await cliInline(['release', 'diff', good, other]);
    expect(stdout).toContain('plan: generator philox → numpy\n');
    expect(stdout).toContain('plan: strata panel-family → family\n');
    expect(stdout).toContain('plan: draws 200 → 150\n');
    expect(stdout).toContain('plan: exact decides → reported\n');
    expect(stdout).toContain(`pointwise intervals: ${moved.length} of 6 changed`);
  });

  it('flags a file that is not as its manifest lists it, and never calls that the same release', async () => {
    const copy = join(world.dir, 'damaged');
    cpSync(good, copy, { recursive: true });
    appendFileSync(join(copy, 'README.md'), 'x');
    const { code, stdout } = await cliInline(['release', 'diff', good, copy]);
    expect(code).toBe(4);
    expect(stdout).toContain('DAMAGED: the second is not as its MANIFEST.json lists it: README.md');
    expect(stdout).toContain('release.json states the same digest, but other files differ');
    expect(stdout).not.toContain('the same in every file');
    const json = await cliInline(['release', 'diff', good, copy, '--json']);
    expect(json.code).toBe(4);
    expect(JSON.parse(json.stdout)).toMatchObject({
      same_release: false,
      same_numbers: true,
      damage: [{ difference_count: 0 }, { differences: [{ file: 'README.md' }, {}] }],
      files: { changed: ['README.md'], added: [], removed: [] },
    });
  });

  it('counts answers, models, ranks, pairs gained and lost', async () => {
    const plain = await variant('plain', (row) => row);
    const worse = await variant('worse', (row, i) => {
      if (row.model_id === 'simulated/skill-00') return null;
      const spoilt = row.model_id === 'simulated/skill-60' && i % 3 !== 0;
      return spoilt ? { ...row, response: 'FINAL_SELECTION: A, B, C' } : row;
    });
    const result = await diff(plain, worse);
    expect(result.models).toEqual({ added: [], removed: ['simulated/skill-00'], kept: 5 });
    expect((await diff(worse, plain)).models.added).toEqual(['simulated/skill-00']);
    expect(result.answers).toMatchObject({ only_first: 36, only_second: 0 });
    expect(result.answers!.other_selection).toBeGreaterThan(10);
    expect(result.answers!.examples[0]).toMatchObject({ model_id: 'simulated/skill-60' });
    const skilled = result.board.find(({ model_id }) => model_id === 'simulated/skill-60')!;
    expect(skilled.rank[0]).toBe(1);
    expect(skilled.rank[1]).toBeGreaterThan(1);
    expect(skilled.score[1]).toBeLessThan(skilled.score[0]);
    expect(result.pairs.some(({ change }) => change === 'lost')).toBe(true);
    const back = await diff(worse, plain);
    expect(back.pairs.filter(({ change }) => change === 'gained')).toHaveLength(
      result.pairs.filter(({ change }) => change === 'lost').length,
    );
    const { stdout } = await cliInline(['release', 'diff', plain, worse]);
    expect(stdout).toMatch(/model +score +change +rank +letters\n/);
    expect(stdout).toMatch(/\nrank sets: \d of 5 changed, an end by at most \d ranks\n/);
    expect(stdout).toContain('models: 5 in both, 0 added, 1 removed\n  removed: simulated/skill-00\n');
    expect(stdout).toMatch(/lost: simulated\//);
  });

  it.skipIf(noShared)('compares with the published document as far as that goes', async () => {
    const result = await diff(RELEASE_JSON(), good);
    expect(result.models.removed).toHaveLength(27);
    expect(result).toMatchObject({ tasks: null, answers: null, board: [], damage: [null, {}] });
    const { stdout } = await cliInline(['release', 'diff', RELEASE_JSON(), good]);
    expect(stdout).toContain('models: 0 in both, 6 added, 27 removed');
    expect(stdout).not.toMatch(/no score|changed/);
  });

  it('names what cannot be opened', async () => {
    const { code, stderr } = await cliInline(['release', 'diff', good, join(world.dir, 'none')]);
    expect(code).toBe(2);
    expect(stderr).toContain('INPUT_NOT_FOUND');
  });
});
