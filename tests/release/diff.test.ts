import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleaseDiff } from '../../src/release/diff.js';
import { cliInline } from '../support/cli-inline.js';
import { buildSmall, type SmallWorld, smallWorld } from '../support/release-world.js';
import { noShared } from '../support/shared.js';
import { RELEASE_JSON } from './published.js';

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
    ...['--core', join(world.dir, 'core.json'), '--no-figures', '--out', out],
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
      models: { added: [], removed: [] },
    });
    expect(result.tasks).toMatchObject({ kept: 24, added: [], removed: [], other_map: [] });
    expect(result.answers).toMatchObject({ same: 216, other_selection: 0 });
    const { stdout } = await cliInline(['release', 'diff', good, good]);
    expect(stdout).toContain('no score, rank or group changed');
  });

  it('counts answers, models, ranks, pairs gained and lost', async () => {
    const plain = await variant('plain', (row) => row);
    const worse = await variant('worse', (row, i) => {
      if (row.model_id === 'simulated/skill-00') return null;
      const spoilt = row.model_id === 'simulated/skill-60' && i % 3 !== 0;
      return spoilt ? { ...row, response: 'FINAL_SELECTION: A, B, C' } : row;
    });
    const result = await diff(plain, worse);
    expect(result.models).toEqual({ added: [], removed: ['simulated/skill-00'] });
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
    expect(stdout).toContain('model removed: simulated/skill-00');
    expect(stdout).toMatch(/lost: simulated\//);
  });

  it.skipIf(noShared)('compares with the published document as far as that goes', async () => {
    const result = await diff(RELEASE_JSON(), good);
    expect(result.models.removed).toHaveLength(27);
    expect(result).toMatchObject({ tasks: null, answers: null, board: [] });
  });

  it('names what cannot be opened', async () => {
    const { code, stderr } = await cliInline(['release', 'diff', good, join(world.dir, 'none')]);
    expect(code).toBe(2);
    expect(stderr).toContain('INPUT_NOT_FOUND');
  });
});
