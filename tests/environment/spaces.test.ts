import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import type { Environment } from '../../src/environment/environment.js';
import { type ImportOptions, importEnvironment } from '../../src/environment/import-environment.js';
import { pairingScore } from '../../src/environment/similarity.js';
import { openEnvironment, verifyEnvironment } from '../../src/environment/store.js';
import { floatBytes, folderWith, npy, safetensors } from '../support/environment-files.js';
import { freshFolder } from '../support/folders.js';

const CASES = 'fixtures/cases/embeddings';
const read = (folder: string, more: Partial<ImportOptions> = {}) =>
  importEnvironment({ home: freshFolder(), name: 'space', folder, ...more });
const space = async (folder: string, more: Partial<ImportOptions> = {}): Promise<Environment> =>
  (await read(folder, more)).environment;
/** A matrix of three rows of two, whatever the file is called. */
const file = (name: string, data: string | Buffer): string => join(folderWith({ [name]: data }), name);

const FOODS = ['salt', 'black_pepper', 'olive_oil', 'tomato', 'basil', 'garlic'];

describe('the embedding cases', () => {
  it.each(['vectors.txt', 'no-header.txt'])('%s is six foods x 5', async (name) => {
    const made = await space(`${CASES}/${name}`);
    expect([made.identity.kind, made.dims, made.names]).toEqual(['matrix', 5, FOODS]);
    expect(made.raw[0]).toBe(Math.fround(0.12573));
    expect(made.raw[29]).toBe(Math.fround(0.220195));
  });

  it('model.vec of fastText, with a blank at the end of each line, is 60 foods x 6', async () => {
    const made = await space(`${CASES}/model.vec`);
    expect([made.names.length, made.dims, made.names[59]]).toEqual([60, 6, 'food_59']);
    expect(made.raw[0]).toBe(Math.fround(0.1891));
  });

  it('bf16-embeddings is six foods x 5, each number within the part in 128 that bfloat16 leaves', async () => {
    const made = await space(`${CASES}/bf16-embeddings`);
    const exact = (await space(`${CASES}/vectors.txt`)).raw;
    expect([made.names, made.dims]).toEqual([FOODS, 5]);
    made.raw.forEach((value, i) => {
      expect(Math.abs(value - exact[i]!)).toBeLessThanOrEqual(Math.abs(exact[i]!) / 128);
    });
    const cosine = (a: ArrayLike<number>) => {
      const [x, y] = [Array.from(a).slice(0, 5), Array.from(a).slice(5, 10)];
      const product = (u: number[], v: number[]) => u.reduce((sum, value, j) => sum + value * v[j]!, 0);
      return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
    };
    expect(pairingScore(made, 0, 1).value).toBeCloseTo(cosine(made.raw), 12);
    expect(pairingScore(made, 0, 1).value).toBeCloseTo(cosine(exact), 2);
  });

  it('zero-vector is refused with the name and the row, and read without it', async () => {
    await expect(space(`${CASES}/zero-vector`)).rejects.toMatchObject({
      code: 'MATRIX_INVALID',
      message: expect.stringContaining(
        'vectors.npy: a row of zeros, which have no direction and no cosine: "tomato" (row 4)',
      ),
      hint: expect.stringContaining('--without tomato`'),
    });
    const rest = await space(`${CASES}/zero-vector`, { without: ['tomato'] });
    expect(rest.names).toEqual(FOODS.filter((name) => name !== 'tomato'));
    expect(rest.raw).toHaveLength(25);
  });

  it.each(['category-only', 'dummy-region'])('%s is 60 names with tags, which go with any region', async (name) => {
    const { names, tags } = await space(`${CASES}/${name}`);
    expect(names).toHaveLength(60);
    expect(tags?.[0]).toMatchObject({ category: 'Spice', region: name === 'category-only' ? 'universal' : 'any' });
  });

  it('part-vocabulary takes tags of 60 names for its 40, and category-only tags of 40 for its 60', async () => {
    const part = await space(`${CASES}/part-vocabulary`, { given: { tags: `${CASES}/category-only/tags.csv` } });
    expect([part.names.length, part.tags?.every((tags) => tags !== null)]).toEqual([40, true]);
    const lines = readFileSync(`${CASES}/category-only/tags.csv`, 'utf8').split('\n');
    const tags = file('some.csv', `${lines.slice(0, 41).join('\n')}\n`);
    const whole = await space(`${CASES}/category-only`, { given: { tags } });
    expect(whole.tags?.map((each) => each !== null).lastIndexOf(true)).toBe(39);
    expect(whole.tags?.filter((each) => each === null)).toHaveLength(20);
  });
});

const NUMBERS = [1, 2, 3, 4, 5, 6];
const word2vec = (header: string, rows: readonly (readonly [string, readonly number[]])[], end = '\n'): Buffer =>
  Buffer.concat([
    Buffer.from(header),
    ...rows.flatMap(([name, numbers]) => [Buffer.from(`${name} `), floatBytes(numbers), Buffer.from(end)]),
  ]);
const ROWS = [
  ['a', [1, 2]],
  ['b', [3, 4]],
  ['c', [5, 6]],
] as const;

describe('files of vectors', () => {
  it.each<[string, string | Buffer]>([
    ['w.bin', word2vec('3 2\n', ROWS)],
    ['w.bin', word2vec('3 2\n', ROWS, '')],
    ['w.txt', '3 2\na 1 2\nb 3 4\nc 5 6\n'],
    ['w.txt', 'a 1 2\nb 3 4\nc 5 6'],
    ['w.txt', '\uFEFFa 1 2\r\nb 3 4\r\nc 5 6\r\n'],
    ['w.tsv', 'a\t1\t2\nb\t3\t4\nc\t5\t6\n'],
    ['w.tsv', 'name\tdim_0\tdim_1\na\t1\t2\nb\t3\t4\nc\t5\t6\n'],
    ['w.csv', 'a,1,2\nb,3.0,4\nc,5,6\n'],
    ['w.csv', ',0,1\na,1,2\nb,3,4\nc,5,6\n'],
    ['w.csv', 'food,0,1\na,1,2\nb,3,4\nc,5,6\n'],
    ['w.csv', 'name;x;y\na;1,0;2,0\nb;3,0;4,0\nc;5,0;6,0\n'],
    ['w.txt', 'a 1,0 2,0\nb 3,0 4,0\nc 5,0 6e0\n'],
    ['w.json', '{"a":[1,2],"b":[3,4],"c":[5,6]}'],
    ['w.anything', word2vec('3 2\n', ROWS)],
    ['w16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a 1 2\nb 3 4\nc 5 6\n', 'utf16le')])],
    ['w.vec.gz', gzipSync('3 2\na 1 2 \nb 3 4 \nc 5 6 \n')],
    ['w.bin.gz', gzipSync(word2vec('3 2\n', ROWS))],
  ])('%s is three names x 2 (%#)', async (name, data) => {
    const made = await space(file(name, data));
    expect([made.names, made.dims, ...made.raw]).toEqual([['a', 'b', 'c'], 2, ...NUMBERS]);
  });

  it('of tensors of float16 and bfloat16 are exact where the number is', async () => {
    const numbers = [1, -2, 0.5, 1.5, 0.25, 96];
    for (const [dtype, data] of [
      ['F16', floatBytes(numbers, '<f2')],
      ['BF16', Buffer.concat(numbers.map((value) => floatBytes([value]).subarray(2)))],
    ] as const) {
      const made = await space(
        folderWith({
          'model.safetensors': safetensors({ table: { dtype, shape: [3, 2], data_offsets: [0, 12] } }, data),
          'names.txt': 'a\nb\nc\n',
        }),
      );
      expect([...made.raw]).toEqual(numbers);
    }
  });

  it('names of blanks and numbers stay names, as in GloVe 840B', async () => {
    const made = await space(file('g.txt', 'at name@domain.com 1 2\n. . . 3 4\n7 5 6\n101 dalmatians 7 8\nsalt 9 1\n'));
    expect(made.names).toEqual(['at name@domain.com', '. . .', '7', '101 dalmatians', 'salt']);
    expect([...made.raw]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
  });

  it('of several tensors are asked for by name, and the nearest one is offered', async () => {
    const tensor = (begin: number, shape: number[]) => ({ dtype: 'F32', shape, data_offsets: [begin, begin + 24] });
    const folder = folderWith({
      'model.safetensors': safetensors(
        { 'wte.weight': tensor(0, [3, 2]), 'head.weight': tensor(24, [2, 3]), bias: tensor(48, [6]) },
        floatBytes([...NUMBERS, ...NUMBERS.map((value) => 10 * value), ...NUMBERS]),
      ),
      'names.txt': 'a\nb\nc\n',
    });
    await expect(space(folder)).rejects.toMatchObject({
      message: expect.stringContaining(
        '2 two-dimensional tensors, none of them `embeddings`: wte.weight (3 x 2), head.weight (2 x 3)',
      ),
      hint: 'Say which with --tensor NAME.',
    });
    await expect(space(folder, { tensor: 'wte.weights' })).rejects.toMatchObject({
      message: expect.stringContaining('no tensor "wte.weights"'),
      hint: expect.stringMatching(/^Nearest of those with two dimensions: wte\.weight/),
    });
    await expect(space(folder, { tensor: 'bias' })).rejects.toThrow(/tensor "bias" has 1 dimensions/);
    const home = freshFolder();
    const chosen = await importEnvironment({ home, name: 'x', folder, tensor: 'wte.weight' });
    expect([...chosen.environment.raw]).toEqual(NUMBERS);
    const again = await openEnvironment({ home, name: 'x' });
    expect(again.identity.sha256).toBe(chosen.environment.identity.sha256);
    expect(verifyEnvironment({ home, name: 'x' }).sha256).toBe(again.identity.sha256);
  });

  it('of a hub cache are links into its blobs, and the whole cache is its main revision', async () => {
    const cache = freshFolder();
    const snapshot = join(cache, 'snapshots', 'abc');
    for (const folder of ['blobs', 'refs', 'snapshots/abc']) mkdirSync(join(cache, folder), { recursive: true });
    writeFileSync(join(cache, 'blobs', '0a1b'), word2vec('3 2\n', ROWS));
    writeFileSync(join(cache, 'refs', 'main'), 'abc');
    symlinkSync('../../blobs/0a1b', join(snapshot, 'vectors.bin'));
    const home = freshFolder();
    const { environment } = await importEnvironment({ home, name: 'hub', folder: cache });
    expect(environment.identity.files[0]).toMatchObject({ path: 'vectors.bin' });
    expect((await space(snapshot)).identity.sha256).toBe(environment.identity.sha256);
    const stored = join(home, 'environments', 'hub', 'vectors.bin');
    const moved = join(home, 'moved');
    writeFileSync(moved, readFileSync(stored));
    const { unlinkSync } = await import('node:fs');
    unlinkSync(stored);
    symlinkSync(moved, stored);
    await expect(openEnvironment({ home, name: 'hub' })).rejects.toThrow(/is a symbolic link/);
    unlinkSync(join(cache, 'blobs', '0a1b'));
    await expect(space(snapshot)).rejects.toMatchObject({
      message: expect.stringContaining('is a link to a file that is not there'),
    });
  });

  it('that hold names and a list that disagrees are refused with the row', async () => {
    const files = { 'vectors.txt': 'a 1 2\nb 3 4\n', 'names.txt': 'a\nx\n' };
    await expect(space(folderWith(files))).rejects.toMatchObject({
      code: 'NAMES_MISMATCH',
      message: 'names.txt: row 2 is "x" there and "b" in vectors.txt, which holds names itself',
    });
    expect((await space(folderWith({ ...files, 'names.txt': 'a\nb\n' }))).names).toEqual(['a', 'b']);
  });
});

describe('files that are no vectors, or damaged', () => {
  const HUGE = '3000000 300\n';
  it.each<[string, string | Buffer, string, RegExp]>([
    ['m.pkl', Buffer.from([0x80, 4, 0x95, 0, 0]), 'PICKLE_REFUSED', /m\.pkl: is a Python pickle/],
    [
      'm.kv',
      Buffer.from('\x80\x04\x95\0\0\0\0\0\0\0\0\x8c\x19gensim.models.keyedvectors', 'latin1'),
      'PICKLE_REFUSED',
      /m\.kv: is a Python pickle/,
    ],
    [
      'm.pt',
      zip([{ name: 'archive/data.pkl', data: Buffer.from('x') }]),
      'PICKLE_REFUSED',
      /PyTorch checkpoint, a ZIP archive with a pickle/,
    ],
    [
      'm.zip',
      zip([{ name: 'glove.txt', data: Buffer.from('x') }]),
      'MATRIX_INVALID',
      /is a ZIP archive of 1 files: glove\.txt/,
    ],
    ['m.bin', Buffer.from([0xba, 0x16, 0x4f, 0x2f, 0, 0]), 'MATRIX_INVALID', /raw file needs a list of names|fastText/],
    ['m.model', Buffer.from([0xba, 0x16, 0x4f, 0x2f, 0, 0]), 'MATRIX_INVALID', /is a fastText model, not its vectors/],
    ['m.h5', Buffer.from('\x89HDF\r\n\x1a\n\0', 'latin1'), 'MATRIX_INVALID', /is an HDF5 file/],
    ['m.x', Buffer.from([1, 2, 3, 0, 0xff]), 'MATRIX_INVALID', /is not text, and begins like no matrix/],
    ['m.npy', 'hello', 'NPY_INVALID', /magic/],
    [
      'm.npy',
      npy({ header: "{'descr': '<f4', 'fortran_order': False, 'shape': (2500000, 300), }\n", shape: [], values: [1] }),
      'NPY_INVALID',
      /4 bytes of data/,
    ],
    [
      'm.safetensors',
      safetensors({ e: { dtype: 'F32', shape: [2500000, 300], data_offsets: [0, 3e9] } }, floatBytes([1])),
      'SAFETENSORS_INVALID',
      /tensors end at 3000000000, the file holds 4 bytes/,
    ],
    [
      'm.txt',
      `${HUGE}salt 0.1 0.2\n`,
      'MATRIX_INVALID',
      /line 1: the header claims 300 numbers a row, most of the next 1 lines have 2/,
    ],
    ['m.txt', '3000000 2\nsalt 0.1 0.2\n', 'MATRIX_INVALID', /line 1: the header claims 3000000 rows, the file has 1/],
    ['m.txt', HUGE, 'MATRIX_INVALID', /claims 3000000 rows, none follows/],
    [
      'm.bin',
      word2vec(HUGE, [['a', [1, 2]]]),
      'MATRIX_INVALID',
      /claims 3000000 x 300 numbers, 36060000\d\d bytes or more; the file has 23/,
    ],
    [
      'm.bin',
      word2vec(
        '3 2\n',
        ROWS.map(([name, numbers]) => [name.repeat(9), numbers] as const),
      ).subarray(0, -5),
      'MATRIX_INVALID',
      /at byte \d+: row 3 of 3 \("ccccccccc"\) has 4 bytes of numbers, 8 are expected/,
    ],
    ['m.bin', word2vec('2 2\n', ROWS), 'MATRIX_INVALID', /12 bytes follow the 2 rows/],
    [
      'm.bin',
      word2vec('2 2\n', [
        ['a', [1, Number.NaN]],
        ['b', [1, 2]],
      ]),
      'NUMBER_INVALID',
      /number 1 is NaN/,
    ],
    ['m.txt', 'a 1 2\nb 3\nc 5 6\n', 'MATRIX_INVALID', /line 2: 1 numbers after "b"; 2 are expected/],
    ['m.txt', 'a 1.0 2.0\nb 3.0 4.0 4.5\nc 5.0 6.0\n', 'MATRIX_INVALID', /line 2: 3 numbers after "b"; 2 are expected/],
    ['m.txt', 'a 1 nan\nb 3 4\n', 'MATRIX_INVALID', /line 1: "nan" in the row of "a" is not finite/],
    ['m.txt', 'a 1 2\nb 3 Inf\n', 'MATRIX_INVALID', /line 2: "Inf" in the row of "b" is not finite/],
    ['m.txt', 'a 1 2\nb 3 4\na 5 6\n', 'NAME_INVALID', /name 3: "a" is also name 1/],
    ['m.txt', 'a 1 2\nb 1.234,5 4\n', 'MATRIX_INVALID', /line 2: "1\.234,5" in the row of "b" is not a float32 number/],
    ['m.txt', Buffer.from('a 1 2\n\xff 3 4\n', 'latin1'), 'MATRIX_INVALID|TEXT_INVALID_UTF8', /./],
    ['m.txt', 'a 0 0\nb 3 4\nc 0 0\n', 'MATRIX_INVALID', /2 rows of zeros.*"a" \(row 1\), "c" \(row 3\)/],
    ['m.csv', 'x,y\n1,2\n', 'NAMES_MISSING', /no row names/],
    ['m.vec.gz', gzipSync('a 1 2\nb 3 4\n').subarray(0, 20), 'PACKED_INVALID', /cannot be unpacked as gzip/],
  ])('%s is refused with the true reason (%#)', async (name, data, code, message) => {
    const error: unknown = await space(file(name, data)).catch((cause) => cause);
    expect(error).toMatchObject({
      code: expect.stringMatching(new RegExp(`^(?:${code})$`)),
      message: expect.stringMatching(message),
    });
    expect((error as { hint: string }).hint).not.toBe('');
  });
});

describe('a file of vectors that is cut off anywhere', () => {
  it.each<[string, Buffer]>([
    ['v.txt', Buffer.from('3 2\na 1 2\nb 3 4\nc 5 6.25\n')],
    ['v.bin', word2vec('3 2\n', ROWS)],
    ['v.npz', zip([{ name: 'm.npy', data: npy({ shape: [3, 2], values: NUMBERS }) }])],
    ['v.json', Buffer.from('{"a":[1,2],"b":[3,4]}')],
    ['v.safetensors', safetensors({ e: { dtype: 'F32', shape: [3, 2], data_offsets: [0, 24] } }, floatBytes(NUMBERS))],
  ])('%s is read or refused with a code and a hint, never with a bug', async (name, data) => {
    const folder = folderWith({ 'names.txt': 'a\nb\nc\n' });
    const path = join(folder, name);
    let refused = 0;
    for (let length = 0; length < data.length; length += 1) {
      writeFileSync(path, data.subarray(0, length));
      const error: unknown = await openEnvironment({ home: folder, name: `${folder}/` }).then(
        () => undefined,
        (cause) => cause,
      );
      if (error === undefined) continue;
      refused += 1;
      expect(error).toMatchObject({ code: expect.stringMatching(/^[A-Z0-9_]+$/), hint: expect.stringMatching(/./) });
    }
    expect(refused).toBeGreaterThanOrEqual(data.length - 3);
  });
});

describe('a part of a space', () => {
  const glove = () => file('g.txt', 'the 1 1\nsalt 0.5 2\n\u0085 1 1\nolive oil 3 4\npepper 5 6\n');

  it('keeps the names of a list or a tag table, in the order of the space, and nothing else in the store', async () => {
    const tags = file('tags.csv', 'name,category\npepper,Spice\nsalt,Spice\nsaffron,Spice\n');
    const home = freshFolder();
    const { environment } = await importEnvironment({ home, name: 'x', folder: glove(), only: tags, given: { tags } });
    expect([environment.names, [...environment.raw]]).toEqual([
      ['salt', 'pepper'],
      [0.5, 2, 5, 6],
    ]);
    expect(environment.identity.files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['names.json', 18],
      ['tags.csv', 52],
      ['vectors.f32', 16],
    ]);
    expect(await openEnvironment({ home, name: 'x' })).toEqual(environment);
  });

  it('is refused where a name left out is none, or nothing is left', async () => {
    const small = file('s.txt', 'salt 1 2\npepper 3 4\n');
    await expect(space(small, { without: ['peper'] })).rejects.toMatchObject({
      code: 'INGREDIENT_UNKNOWN',
      hint: expect.stringMatching(/^The nearest is "pepper"/),
    });
    await expect(space(small, { only: file('n.txt', 'saffron\n') })).rejects.toThrow(/none of the names that are kept/);
  });
});

describe('spaces that stand elsewhere', () => {
  it('are opened from a matrix file in place, JSON too, and other JSON is a world', async () => {
    const home = freshFolder();
    for (const path of [file('v.json', '{"a":[1,2],"b":[3,4]}'), file('v.vec', 'a 1 2\nb 3 4\n')]) {
      const made = await openEnvironment({ home, name: path });
      expect([made.names, ...made.raw]).toEqual([['a', 'b'], 1, 2, 3, 4]);
    }
    await expect(openEnvironment({ home, name: file('w.json', '{"schema":"x"}') })).rejects.toThrow(/schema/);
  });

  it('prefer safetensors to the checkpoint that lies beside it, and ask where several could be it', async () => {
    const table = safetensors({ w: { dtype: 'F32', shape: [2, 1], data_offsets: [0, 8] } }, floatBytes([1, 2]));
    const files = { 'model.safetensors': table, 'pytorch_model.bin': 'x', 'names.txt': 'a\nb\n' };
    expect([...(await space(folderWith(files))).raw]).toEqual([1, 2]);
    await expect(space(folderWith({ 'a.vec': '', 'b.vec': '' }))).rejects.toMatchObject({
      message: expect.stringContaining('2 files of this folder could be the matrix: a.vec, b.vec'),
      hint: 'Say which with --vectors FILE.',
    });
  });

  it('of more than 5,000 names label a pair against the pairs of 2,000', async () => {
    const rows = Array.from({ length: 6000 }, (_, i) => `w${i} ${Math.cos(i).toFixed(6)} ${Math.sin(i).toFixed(6)}`);
    const made = await space(file('large.txt', rows.join('\n')));
    const { value, rows: looked, p10, p90 } = pairingScore(made, 0, 1);
    expect([value, looked]).toEqual([expect.closeTo(Math.cos(1), 5), 2000]);
    expect(p10).toBeCloseTo(-Math.cos(Math.PI / 10), 1);
    expect(p90).toBeCloseTo(Math.cos(Math.PI / 10), 1);
  });
});

describe('an environment of a name in use', () => {
  it('is replaced only when forced, also where its files are damaged', async () => {
    const home = freshFolder();
    const bring = (text: string, force?: boolean) =>
      importEnvironment({ home, name: 'x', folder: file('vectors.txt', text), force });
    await bring('a 1 2\nb 3 4\n');
    await expect(bring('a 1 2\nb 3 5\n')).rejects.toMatchObject({
      code: 'ENVIRONMENT_EXISTS',
      hint: 'Choose another name, or replace it with --force.',
    });
    expect(await bring('a 1 2\nb 3 5\n', true)).toMatchObject({ added: true, replaced: true });
    expect((await openEnvironment({ home, name: 'x' })).raw[3]).toBe(5);
    expect(await bring('a 1 2\nb 3 5\n', true)).toMatchObject({ added: false, replaced: false });
    writeFileSync(join(home, 'environments', 'x', 'vectors.txt'), 'gone');
    expect(await bring('a 1 2\nb 3 5\n', true)).toMatchObject({ added: true, replaced: true });
    expect(verifyEnvironment({ home, name: 'x' }).files).toHaveLength(1);
  });
});
