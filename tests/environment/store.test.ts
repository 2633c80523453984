import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importEnvironment } from '../../src/environment/import-environment.js';
import { neighbours } from '../../src/environment/similarity.js';
import {
  listEnvironments,
  openEnvironment,
  removeEnvironment,
  verifyEnvironment,
} from '../../src/environment/store.js';
import { FlavourError } from '../../src/util/error.js';
import {
  floatBytes,
  folderWith,
  npy,
  SMALL,
  smallCheckpoint,
  smallRuntime,
  smallTags,
} from '../support/environment-files.js';
import { freshFolder } from '../support/folders.js';

const bring = async (files: Record<string, string | Buffer>, name = 'small', home = freshFolder()) => ({
  home,
  ...(await importEnvironment({ home, name, folder: folderWith(files) })),
});

describe('the import of an environment', () => {
  it('recognises a runtime bundle and joins vectors and tags by node_id', async () => {
    const files = smallRuntime();
    const lines = (files['embeddings.csv'] as string).trimEnd().split('\n');
    files['embeddings.csv'] = [lines[0], ...lines.slice(1).reverse(), ''].join('\n');
    const { environment } = await bring(files);
    expect(environment.identity.kind).toBe('runtime');
    expect(environment.names).toEqual([...SMALL.names].reverse());
    expect(environment.tags?.[5]).toMatchObject({ category: 'Fruit', vegan: true, nova: 1 });
    expect(environment.tags?.[1]).toMatchObject({ vegetarian: true, vegan: false, nova: null });
    expect([...environment.directions.keys()]).toContain('cf_sweet');
    expect(environment.units.slice(20)).toEqual(Float64Array.of(1, 0, 0, 0));
  });

  it('recognises a public checkpoint, with and without tags in the same folder', async () => {
    const alone = (await bring(smallCheckpoint())).environment;
    expect([alone.identity.kind, alone.tags]).toEqual(['checkpoint', null]);
    expect(alone.directions.get('Japanese')?.kind).toBe('cuisine');
    const tagged = (await bring({ ...smallCheckpoint(), 'ingredient_tags.csv': smallTags() })).environment;
    expect(tagged.tags?.[1]?.category).toBe('Herb');
    expect(tagged.identity.sha256).not.toBe(alone.identity.sha256);
  });

  it('keeps the poles of a checkpoint beside directions of another space', async () => {
    const npz = smallRuntime()['supervised_directions.npz']!;
    const { directions } = (
      await bring({
        ...smallCheckpoint(),
        'supervised_directions.npz': npz,
      })
    ).environment;
    expect(directions.get('Japanese')?.source).toBe('cuisine_poles.json');
    expect(directions.get('directions:Japanese')).toMatchObject({
      name: 'directions:Japanese',
      source: 'supervised_directions.npz',
    });
  });

  it.each<[string, Record<string, string | Buffer>]>([
    ['raw', { 'vectors.f32': floatBytes(SMALL.vectors.flat()), 'names.txt': SMALL.names.join('\n') }],
    [
      'numpy',
      {
        'vectors.npy': npy({ shape: [6, 4], values: SMALL.vectors.flat(), descr: '<f8' }),
        'names.json': JSON.stringify(SMALL.names),
      },
    ],
    [
      'text',
      {
        'vectors.csv': ['name,a,b,c,d', ...SMALL.vectors.map((row, i) => [SMALL.names[i], ...row].join(',')), ''].join(
          '\n',
        ),
      },
    ],
  ])('recognises a matrix of your own: %s', async (_, files) => {
    const { environment } = await bring(files);
    expect(environment.identity.kind).toBe('matrix');
    expect(environment.names).toEqual(SMALL.names);
    expect([...environment.raw]).toEqual(SMALL.vectors.flat().map(Math.fround));
  });

  it('takes files of other folders where their roles are named', async () => {
    const home = freshFolder();
    const tags = join(folderWith({ 'mine.csv': smallTags() }), 'mine.csv');
    const { environment } = await importEnvironment({
      home,
      name: 'a',
      folder: folderWith(smallCheckpoint()),
      given: { tags },
    });
    expect(environment.tags).toHaveLength(6);
  });

  it('reads other spellings in the files of a bundle', async () => {
    const table =
      'new_node_id,final_name,node_ids_consolidated,original_names_consolidated\n1,apple,1;9,apple;red_apple\n2,gone,3,x\n';
    const { environment } = await bring({ ...smallRuntime(), 'consolidated_nodes.csv': table });
    expect([...environment.variants]).toEqual([['red_apple', 0]]);
  });

  it('gives the same environment again, and another one after one changed byte', async () => {
    const first = await bring(smallCheckpoint());
    const again = await bring(smallCheckpoint(), 'small', first.home);
    expect([first.added, again.added]).toEqual([true, false]);
    expect(again.environment.identity).toEqual(first.environment.identity);
    const changed = smallCheckpoint();
    const bytes = Buffer.from(changed['embeddings.safetensors'] as Buffer);
    bytes[bytes.length - 1] = bytes.at(-1)! ^ 1;
    changed['embeddings.safetensors'] = bytes;
    await expect(bring(changed, 'small', first.home)).rejects.toThrow(/"small" is [0-9a-f]{16}, these files are/);
    const other = await bring(changed, 'other', first.home);
    expect(other.environment.identity.sha256).not.toBe(first.environment.identity.sha256);
    expect(listEnvironments(first.home)).toEqual(['other', 'small']);
  });

  it('leaves nothing behind when the files are wrong', async () => {
    const home = freshFolder();
    await expect(bring({ ...smallCheckpoint(), 'config.json': '{"d_model":5}' }, 'x', home)).rejects.toThrow(
      'config.json: d_model: 5, the matrix has 4',
    );
    expect(listEnvironments(home)).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });

  it.each<[string, Record<string, string | Buffer>, RegExp]>([
    ['no matrix', { 'a.txt': '' }, /no matrix file in this folder; it holds a.txt/],
    ['no names', { 'vectors.csv': 'a\n1\n' }, /vectors.csv: the matrix has no row names/],
    ['ids without tags', { 'embeddings.csv': 'node_id,dim_0\n1,1\n' }, /has no row names/],
    [
      'an id the tags lack',
      { ...smallRuntime(), 'embeddings.csv': 'node_id,dim_0\n77,1\n' },
      /row 1: node_id "77" is not in the tag table/,
    ],
    [
      'tags of other names',
      { ...smallCheckpoint(), 'tags.csv': 'name,category\nApple,Fruit\n' },
      /no row for any of the 6 names: it has "Apple", the matrix "apple"/,
    ],
    [
      'tags with a name twice',
      { ...smallCheckpoint(), 'tags.csv': `${'name,category'}\napple,Fruit\napple,Fruit\n` },
      /"apple" has two rows/,
    ],
  ])('refuses %s', async (_, files, message) => {
    await expect(bring(files)).rejects.toThrow(message);
  });

  it('refuses a list of names in the place of a matrix, reserved and unsafe names', async () => {
    const folder = folderWith(smallCheckpoint());
    const home = freshFolder();
    await expect(importEnvironment({ home, name: 'a', folder: join(folder, 'vocab.json') })).rejects.toThrow(
      /no object from name to a list of numbers/,
    );
    await expect(importEnvironment({ home, name: 'pantry', folder })).rejects.toThrow(/built-in/);
    await expect(importEnvironment({ home, name: '../x', folder })).rejects.toThrow(/not a name/);
  });
});

describe('the store of environments', () => {
  it('opens what was imported, from the store and from a folder, with the same identity', async () => {
    const { home, environment } = await bring(smallRuntime());
    const opened = await openEnvironment({ home, name: 'small' });
    expect(opened).toEqual(environment);
    const direct = await openEnvironment({ home, name: folderWith(smallRuntime()) });
    expect(direct.identity.sha256).toBe(environment.identity.sha256);
  });

  it('has the identity of the released scheme for a runtime bundle', async () => {
    const { environment } = await bring(smallRuntime());
    const { canonicalDigest } = await import('../../src/io/canonical.js');
    const entries = environment.identity.files.map(({ path, bytes, sha256 }) => ({
      path,
      bytes,
      sha256,
    }));
    expect(entries.map(({ path }) => path)).toEqual([
      'embeddings.csv',
      'ingredient_tags.csv',
      'supervised_directions.npz',
    ]);
    expect(environment.identity.sha256).toBe(
      canonicalDigest({ manifest_version: 'epicure-data-bundle-manifest-v1', entries }),
    );
  });

  it('notices a stored file that changed', async () => {
    const { home } = await bring(smallRuntime());
    const path = join(home, 'environments', 'small', 'ingredient_tags.csv');
    expect(verifyEnvironment({ home, name: 'small' }).files).toHaveLength(3);
    writeFileSync(path, readFileSync(path, 'utf8').replace('Mediterranean', 'Mediterranea '));
    const caught = (() => {
      try {
        verifyEnvironment({ home, name: 'small' });
      } catch (error) {
        return error;
      }
    })() as FlavourError;
    expect(caught).toBeInstanceOf(FlavourError);
    expect([caught.code, caught.exit]).toEqual(['DIGEST_MISMATCH', 4]);
    expect(caught.message).toMatch(/ingredient_tags.csv has SHA-256/);
    await expect(openEnvironment({ home, name: 'small' })).rejects.toThrow(/ingredient_tags.csv/);
    writeFileSync(path, 'no longer a table');
    await expect(openEnvironment({ home, name: 'small' })).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
    });
  });

  it('removes an environment, and says what there is when a name is unknown', async () => {
    const { home } = await bring(smallRuntime());
    removeEnvironment({ home, name: 'small' });
    expect(listEnvironments(home)).toEqual([]);
    await expect(openEnvironment({ home, name: 'small' })).rejects.toMatchObject({
      code: 'ENVIRONMENT_UNKNOWN',
      hint: expect.stringContaining('There are: pantry.'),
    });
    expect(() => removeEnvironment({ home, name: 'small' })).toThrow(/no environment/);
  });

  it('refuses a damaged entry, and removes it when asked', async () => {
    const home = freshFolder();
    mkdirSync(join(home, 'environments', 'x'), { recursive: true });
    const record = join(home, 'environments', 'x', 'environment.json');
    writeFileSync(record, JSON.stringify({ files: [{ path: '../../../etc/passwd' }] }));
    await expect(openEnvironment({ home, name: 'x' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('schema: '),
    });
    removeEnvironment({ home, name: 'x' });
    expect(listEnvironments(home)).toEqual([]);
  });

  it('opens a world file as a space to ask questions of', async () => {
    const name = 'fixtures/worlds/packing.json';
    const world = await openEnvironment({ home: freshFolder(), name });
    expect([world.identity.kind, world.names.length]).toEqual(['world', 74]);
    expect(neighbours(world, world.names.indexOf('rain_jacket'), 1)[0]?.name).toBe('rain_trousers');
  });

  it('opens the built-in pantry without a home', async () => {
    const pantry = await openEnvironment({ home: freshFolder(), name: 'pantry' });
    expect(pantry.identity.kind).toBe('pantry');
  });
});
