import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { readDirections } from '../../src/environment/directions.js';
import { readNames } from '../../src/environment/name-list.js';
import { readTags } from '../../src/environment/tags.js';
import { readVectors } from '../../src/environment/vectors.js';
import { floatBytes, npy, safetensors } from '../support/environment-files.js';
import { freshFolder } from '../support/folders.js';

const folder = freshFolder();
let serial = 0;
function file(end: string, data: string | Buffer): string {
  serial += 1;
  const path = join(folder, `f${serial}${end}`);
  writeFileSync(path, data);
  return path;
}

describe('names of ingredients', () => {
  it.each([
    ['.json', '["a b","c"]'],
    ['.json', '{"c":1,"a b":0}'],
    ['.txt', '\uFEFFa b\r\nc\r\n'],
    ['.csv', 'id,name\n1,a b\n2,c\n'],
    ['.csv', 'anything\n"a b"\nc\n'],
  ])('are read from %s %j', async (end, text) => {
    expect(await readNames(file(end, text))).toEqual(['a b', 'c']);
  });

  it('keep the row numbers of names that look like numbers', async () => {
    expect(await readNames(file('.json', '{"7":1,"x":0}'))).toEqual(['x', '7']);
  });

  it.each([
    ['.json', '{"a":0,"b":0}', /"b" and "a" are both row 0/],
    ['.json', '{"a":0,"b":2}', /"b" has row 2; 0 to 1/],
    ['.json', '{"a":0.5}', /"a" has row 0.5/],
    ['.json', '[1]', /\[0\]: a name expected, found 1/],
    ['.json', '3', /a list or an object expected, found 3/],
    ['.txt', 'a\nb\na\n', /name 3: "a" is also name 1/],
    ['.txt', 'a\n\nb\n', /name 2: a name expected, found an empty one/],
    ['.txt', 'a\u001b[31m\n', /contains a control character/],
    ['.txt', 'x'.repeat(201), /has 201 characters/],
    ['.csv', 'a,b\n1,2\n', /line 1: no column `name`/],
  ])('are refused in %s %j', async (end, text, message) => {
    await expect(readNames(file(end, text))).rejects.toThrow(message);
  });
});

describe('matrices of vectors', () => {
  const numbers = [1, 2, 3, 4, 5, 6];
  const bytes = floatBytes(numbers);
  it.each([
    ['.npy', npy({ shape: [2, 3], values: numbers })],
    ['.f32', bytes],
    ['.f32le.bin', bytes],
    ['.safetensors', safetensors({ w: { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] } }, bytes)],
    ['.csv', 'a,b,c\n1,2.0,+3e0\n4,.5e1,6.\n'],
    ['.csv', 'node_id,dim_0,other,dim_1,dim_2\n9,1,x,2,3\n8,4,x,5,6\n'],
  ])('are read from %s', async (end, data) => {
    const made = await readVectors(file(end, data), { count: 2 });
    expect([made.rows, made.columns, ...made.values]).toEqual([2, 3, ...numbers]);
  });

  it('carry names and ids from a table', async () => {
    const made = await readVectors(file('.csv', 'name,node_id,x\na,7,1\nb,8,2\n'));
    expect([made.names, made.ids, made.columns]).toEqual([['a', 'b'], ['7', '8'], 1]);
  });

  it('prefer the tensor called embeddings', async () => {
    const one = { dtype: 'F32', shape: [1, 1], data_offsets: [0, 4] };
    const header = { other: one, embeddings: { ...one, data_offsets: [4, 8] } };
    const made = await readVectors(file('.safetensors', safetensors(header, floatBytes([1, 2]))));
    expect([...made.values]).toEqual([2]);
  });

  it.each([
    ['.csv', 'a\n1\nx\n', 2, /line 3: column "a" holds "x", not a float32 number/],
    ['.csv', 'a\n1\n1e39\n', 2, /line 3: column "a" holds "1e39"/],
    ['.csv', 'a\n0x10\n', 1, /holds "0x10"/],
    ['.csv', 'a\nInfinity\n', 1, /holds "Infinity"/],
    ['.csv', 'a,b\n1,2\n3\n', 2, /line 3: 1 cell, the header has 2/],
    ['.csv', 'a\n1\n', 2, /1 rows for 2 names/],
    ['.csv', 'name\nx\n', 1, /1 rows and 0 columns of numbers/],
    ['.f32', Buffer.alloc(20), 3, /20 bytes are not 3 rows/],
    ['.f32', floatBytes([1, Number.NaN]), 2, /at byte 4: number 1 is NaN/],
    ['.npy', npy({ shape: [2], values: [1, 2] }), 2, /1 dimensions \(2\); two are expected/],
    [
      '.safetensors',
      safetensors({ a: { dtype: 'F32', shape: [2], data_offsets: [0, 8] } }, floatBytes([1, 2])),
      2,
      /no two-dimensional tensor `embeddings`/,
    ],
  ])('are refused for %s, with their place (%#)', async (end, data, count, message) => {
    await expect(readVectors(file(end, data as string | Buffer), { count })).rejects.toThrow(message);
  });
});

describe('lists and tables that are no text', () => {
  it.each([
    ['.csv', zip([{ name: 'xl/workbook.xml', data: Buffer.from('x') }]), /is a ZIP archive, as Excel workbooks are/],
    ['.csv', Buffer.from([0x80, 4, 0x95, 1]), /is a Python pickle, which could run code/],
    ['.csv', Buffer.from('name,category\nx\xff,y\n', 'latin1'), /not valid UTF-8/],
  ])('%s is called by its name (%#)', async (end, data, message) => {
    await expect(readTags(file(end, data))).rejects.toThrow(message);
  });
});

describe('tag tables', () => {
  it('read flags in any case, absent NOVA levels and optional columns', async () => {
    const [row] = await readTags(file('.csv', 'name,category,is_vegan,nova\nx,Herb,TRUE,nan\n'));
    expect(row).toEqual({
      name: 'x',
      id: null,
      tags: {
        category: 'Herb',
        foodGroup: 'Herb',
        region: 'universal',
        vegetarian: false,
        vegan: true,
        nova: null,
      },
    });
  });

  it.each([
    ['category\nHerb\n', /line 1: no column `name`/],
    ['name\nx\n', /line 1: no column `primary_category` or `category`/],
    ['name,category,is_vegan\na,b,True\nx,y,maybe\n', /line 3: column `is_vegan` holds "maybe"; True or False/],
    ['name,category,is_vegan\nx,y,\n', /line 2: column `is_vegan` holds ""/],
    ['name,category,nova_level\nx,y,four\n', /line 2: NOVA level "four"/],
    ['name,category,nova_level\nx,y,5\n', /line 2: NOVA level "5"; 1 to 4 or nothing/],
    ['name,category\nx, \n', /line 2: "x" has no category/],
    ['name,category,region\nx,y,a\u0007b\n', /line 2: column `region` holds .* not printable/],
    ['name,category,name\nx,y,z\n', /second "name"|named "name"/],
  ])('are refused as %j', async (text, message) => {
    await expect(readTags(file('.csv', text))).rejects.toThrow(message);
  });
});

describe('files of directions', () => {
  it('are unit vectors with a kind that follows from the name', async () => {
    const path = file(
      '.npz',
      zip(
        ['Japanese', 'cf_sweet', 'usda_water_g', 'nova'].map((name) => ({
          name: `${name}.npy`,
          data: npy({ shape: [2], values: [3, 4] }),
        })),
      ),
    );
    const made = await readDirections(path, 2);
    expect(made.map(({ kind }) => kind)).toEqual(['cuisine', 'flavour', 'nutrient', 'axis']);
    expect([...made[0]!.unit]).toEqual([0.6, 0.8]);
  });

  it('are read from JSON, where cuisines have a prefix, and from rows of an array', async () => {
    const poles = await readDirections(file('.json', '{"cuisine:Japanese":[0,2],"x":[1,0]}'), 2);
    expect(poles.map(({ name, kind }) => [name, kind])).toEqual([
      ['Japanese', 'cuisine'],
      ['x', 'axis'],
    ]);
    const modes = await readDirections(file('.npy', npy({ shape: [2, 2], values: [1, 0, 0, 1] })), 2);
    expect(modes.map(({ name, kind }) => [name, kind])).toEqual([
      ['mode_0', 'mode'],
      ['mode_1', 'mode'],
    ]);
  });

  it.each([
    ['.json', '{"x":[1]}', /x: 1 numbers; the matrix has 2/],
    ['.json', '{"x":[0,0]}', /x: every number is zero/],
    ['.json', '{"x":[0,"1"]}', /x\[1\]: a finite float32 number expected, found "1"/],
    ['.json', '{"x":1}', /x: a list of numbers expected/],
    ['.json', '[]', /an object from name to numbers/],
    ['.json', '{"a\\u001b[31m":[1,0]}', /name 1: .* contains a control character/],
    [
      '.npz',
      zip([{ name: 'x.npy', data: npy({ shape: [1, 2], values: [1, 2] }) }]),
      /x: the direction has 2 dimensions \(1, 2\)/,
    ],
  ])('are refused for %s, with their place (%#)', async (end, data, message) => {
    await expect(readDirections(file(end, data as string | Buffer), 2)).rejects.toThrow(message);
  });
});

describe('a table of vectors without a header line', () => {
  it.each(['1,0\n0,1\n1,1\n', '0.5\n1\n', '-1e-3, 2\r\n3,4\r\n', '1,1\n2,2\n'])('is refused: %j', async (text) => {
    await expect(readVectors(file('.csv', text))).rejects.toThrow(
      /\.csv, line 1: ".*" is a row of numbers; a header line is expected/,
    );
  });

  it('is told from one that has a name in its first line', async () => {
    expect(await readVectors(file('.csv', 'name,1,0\na,0,1\n'))).toMatchObject({ rows: 1, columns: 2 });
    expect(await readVectors(file('.csv', 'x,y\n0,1\n'))).toMatchObject({ rows: 1, columns: 2 });
  });
});
