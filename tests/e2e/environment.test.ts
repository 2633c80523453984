import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';
import { cliInline as run } from '../support/cli-inline.js';
import { folderWith, smallRuntime } from '../support/environment-files.js';
import { freshFolder } from '../support/folders.js';

const home = freshFolder();
const before = process.env.FLAVOURBENCH_HOME;
beforeAll(() => {
  process.env.FLAVOURBENCH_HOME = home;
});
afterAll(() => {
  if (before === undefined) delete process.env.FLAVOURBENCH_HOME;
  else process.env.FLAVOURBENCH_HOME = before;
});
const json = async (args: string[]) => JSON.parse((await run([...args, '--json'])).stdout);

describe('flavourbench env', () => {
  it('lists the environments it can read and names the records it cannot', async () => {
    const folder = folderWith(smallRuntime());
    for (const name of ['good', 'hurt']) await run(['env', 'import', folder, '--as', name]);
    writeFileSync(join(home, 'environments', 'hurt', 'environment.json'), '{"schema": 1');
    const plain = await run(['env', 'list']);
    expect(plain.code).toBe(3);
    expect(plain.stdout).toMatch(/^pantry .*\ngood /m);
    expect(plain.stdout).not.toMatch(/hurt/);
    expect(plain.stderr).toMatch(/INCOMPLETE: 1 of 2 stored environments cannot be listed: .*hurt.environment\.json/);
    expect(plain.stderr).toMatch(/hint: Remove each with `flavourbench env remove NAME`/);
    const listed = await run(['env', 'list', '--json']);
    expect(listed.code).toBe(3);
    expect(JSON.parse(listed.stdout).map(({ name }: { name: string }) => name)).toEqual(['pantry', 'good']);
    expect(JSON.parse(listed.stderr).error).toMatchObject({ code: 'INCOMPLETE', exit: 3 });
    for (const name of ['good', 'hurt']) expect((await run(['env', 'remove', name])).code).toBe(0);
  });

  it('imports, lists, queries, verifies and removes an environment', async () => {
    const folder = folderWith(smallRuntime());
    expect(await json(['env', 'import', folder, '--as', 'small'])).toMatchObject({
      added: true,
      ingredients: 6,
      dims: 4,
      tags: true,
    });
    expect((await run(['env', 'import', folder, '--as', 'small'])).stdout).toMatch(
      /^Already imported small: runtime, 6 ingredients x 4, tags, 4 directions/,
    );
    expect(existsSync(join(home, 'environments', 'small', 'embeddings.csv'))).toBe(true);
    expect((await json(['env', 'list'])).map(({ name }: { name: string }) => name)).toEqual(['pantry', 'small']);
    expect((await run(['env', 'verify'])).stdout).toMatch(/^small: 3 files unchanged/);

    const near = await run(['env', 'neighbors', 'small', 'Fresh apples', '-k', '2']);
    expect(near.stdout).toMatch(
      /^"Fresh apples" taken for apple \(preparation\)\ningredient +cosine\nbasil +0\.6000\negg +0\.5000\n$/,
    );
    expect(await json(['env', 'pair', 'small', 'apple', 'salt'])).toMatchObject({
      matches: [
        { name: 'apple', how: 'exact' },
        { name: 'sea_salt', how: 'words' },
      ],
      value: -Number(Math.SQRT1_2.toFixed(4)),
      level: 'very low',
    });
    expect((await json(['env', 'profile', 'small', 'dill'])).profile[0]).toEqual({
      cuisine: 'Japanese',
      value: 1,
    });
    expect(await json(['env', 'axis', 'small', 'cf_sweet', 'sea_salt', 'apple'])).toMatchObject({
      delta: 1.7071,
    });
    expect((await json(['env', 'morph', 'small', 'apple', 'Japanese', '--degrees', '90', '-k', '1'])).nearest).toEqual([
      { name: 'dill', value: 1 },
    ]);
    expect(
      await json(['env', 'feasible', 'small', 'egg', 'apple', '--diet', 'vegan', '--max-nova', '1']),
    ).toMatchObject({ feasible: false, categoriesDiffer: true });
    expect((await json(['env', 'pairings', 'small', 'apple', '--diet', 'vegan'])).primaries[0].name).toBe('basil');
    expect(await json(['env', 'show', 'small'])).toMatchObject({
      kind: 'runtime',
      ingredients: 6,
      tags: { categories: { Herb: 2 } },
    });
    expect((await run(['env', 'show', 'small', 'egg'])).stdout).toMatch(/Dairy, universal, vegetarian, NOVA unknown/);

    expect((await run(['env', 'remove', 'small'])).code).toBe(0);
    expect(existsSync(join(home, 'environments', 'small'))).toBe(false);
  });

  it.each([
    [['env', 'show', 'nowhere'], 'ENVIRONMENT_UNKNOWN'],
    [['env', 'neighbors', 'pantry', 'qqqq'], 'INGREDIENT_UNKNOWN'],
    [['env', 'neighbors', 'pantry', 'apple', '-k', '1.5'], 'USAGE'],
    [['env', 'pair', 'pantry', 'apple', 'apples'], 'USAGE'],
    [['env', 'pairings', 'pantry', 'apple', '--diet', 'keto'], 'USAGE'],
    [['env', 'axis', 'pantry', 'nothing', 'apple'], 'DIRECTION_UNKNOWN'],
    [['env', 'import', 'docs', '--as', 'x'], 'ENVIRONMENT_UNRECOGNISED'],
    [['env', 'import', 'docs', '--as', 'pantry'], 'USAGE'],
    [['env', 'verify', 'pantry'], 'USAGE'],
    [['fetch'], 'USAGE'],
    [['fetch', 'nothing'], 'ASSET_UNKNOWN'],
    [['fetch', 'runtime/embeddings.csv'], 'ASSET_UNADDRESSED'],
    [['compile', '--seed', 's', '--out', 'x'], 'USAGE'],
    [['compile', '--seed', 's', '--world', 'package.json', '--out', 'x'], 'WORLD_INVALID'],
    [['compile', '--seed', 's', '--world', 'x', '--panel', '2', '--out', 'x'], 'USAGE'],
  ])('%j ends with 2 and %s', async (args, code) => {
    const made = await run(args);
    expect(made.code).toBe(2);
    expect(made.stderr).toMatch(new RegExp(`^flavourbench: ${code}: `));
    expect(made.stderr).not.toContain('    at ');
  });
});

describe('flavourbench fetch', () => {
  it('lists assets with their licences', async () => {
    const list = await json(['fetch', '--list']);
    expect(list.length).toBeGreaterThan(15);
    expect(list[0]).toMatchObject({
      id: 'epicure-cooc/embeddings.safetensors',
      licence: 'CC BY 4.0',
    });
    expect((await run(['fetch', '--list'])).stdout).toMatch(/recipe1msubs\/test .* CC BY-NC 4\.0 +--from/);
  });

  it('states the licence and refuses a file that is not the pinned one', async () => {
    const wrong = join(freshFolder(), 'tags.csv');
    writeFileSync(wrong, 'a,b\n');
    const made = await run(['fetch', 'runtime/ingredient_tags.csv', '--from', wrong]);
    expect(made.code).toBe(4);
    expect(made.stdout).toContain('distributed as MIT; rights in the payload are not settled upstream');
    expect(made.stderr).toMatch(/DIGEST_MISMATCH: .*: 4 bytes; 101492 are expected/);
    expect(existsSync(join(home, 'assets', 'runtime', 'ingredient_tags.csv'))).toBe(false);
  });

  it('takes a group of assets from a folder only', async () => {
    const made = await run(['fetch', 'runtime', '--from', 'package.json']);
    expect([made.code, made.stderr.includes('give a folder that holds them all')]).toEqual([2, true]);
  });
});

describe('flavourbench compile --world', () => {
  it('writes the same bytes again, and a task set that verifies', async () => {
    const out = join(freshFolder(), 'world.json');
    const call = ['compile', '--world', 'fixtures/worlds/packing.json', '--seed', 'e2e', '--out', out];
    expect(cli(call).stdout).toContain(`wrote ${out}`);
    expect(cli(call).stdout).toContain(`unchanged ${out}`);
    expect(cli(['tasks', 'verify', out]).stdout).toMatch(/^OK: .*36 tasks/);
  });
});
