import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zip } from '../../fixtures/zip.js';
import { freshFolder } from './folders.js';

/** Floats as bytes: `<f4`, `>f8`, ... */
export function floatBytes(values: readonly number[], descr = '<f4'): Buffer {
  const width = Number(descr.slice(2));
  const out = Buffer.alloc(values.length * width);
  values.forEach((value, i) => {
    if (width === 2) out.writeUInt16LE(halfBits(value), i * 2);
    else if (descr === '<f4') out.writeFloatLE(value, i * 4);
    else if (descr === '>f4') out.writeFloatBE(value, i * 4);
    else if (descr === '<f8') out.writeDoubleLE(value, i * 8);
    else out.writeDoubleBE(value, i * 8);
  });
  return out;
}

/** Bits of a half for a value that is one exactly. */
function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  if (size < 2 ** -14) return sign | (size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
}

export interface NpyParts {
  readonly shape: readonly number[];
  readonly values: readonly number[];
  readonly descr?: string;
  readonly fortran?: boolean;
  readonly version?: number;
  readonly header?: string;
}

/** A numpy array file. */
export function npy(parts: NpyParts): Buffer {
  const { shape, values, descr = '<f4', fortran = false, version = 1 } = parts;
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text =
    parts.header ?? `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${list}), }\n`;
  const wide = version > 1;
  const start = Buffer.alloc(wide ? 12 : 10);
  start.write('\x93NUMPY', 'latin1');
  start[6] = version;
  if (wide) start.writeUInt32LE(text.length, 8);
  else start.writeUInt16LE(text.length, 8);
  return Buffer.concat([start, Buffer.from(text, 'latin1'), floatBytes(values, descr)]);
}

/** A safetensors file from a header (object or text) and its data. */
export function safetensors(header: object | string, data: Buffer): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, data]);
}

/** Six foods in four dimensions. */
export const SMALL = {
  names: ['apple', 'basil', 'cherry_tomato', 'dill', 'egg', 'sea_salt'],
  vectors: [
    [1, 0, 0, 0],
    [0.6, 0.8, 0, 0],
    [0, 3, 4, 0],
    [0, 0, 0, 2],
    [1, 1, 1, 1],
    [-1, 0, 0, 1],
  ],
  tags: [
    'Fruit,Fruit,True,True,universal,1.0',
    'Herb,Herb,True,True,Mediterranean,1.0',
    'Vegetable,Vegetable,TRUE,true,Mediterranean;Latin_American,1.0',
    'Herb,Herb,True,True,Eastern_European,',
    'Dairy,Dairy,True,False,universal,nan',
    'Spice,Spice,True,True,universal,2.0',
  ],
} as const;

export const smallTags = (): string =>
  [
    'node_id,name,food_group,primary_category,is_vegetarian,is_vegan,cuisine_region,nova_level',
    ...SMALL.tags.map((rest, i) => `${i + 1},${SMALL.names[i]},${rest}`),
    '',
  ].join('\n');

const smallCsv = (): string =>
  ['node_id,dim_0,dim_1,dim_2,dim_3', ...SMALL.vectors.map((row, i) => `${i + 1},${row.join(',')}`), ''].join('\n');

/** Writes files into a new folder and returns it. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = freshFolder();
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(files)) writeFileSync(join(folder, name), data);
  return folder;
}

/** A runtime bundle as small as can be. */
export function smallRuntime(): Record<string, string | Buffer> {
  return {
    'embeddings.csv': smallCsv(),
    'ingredient_tags.csv': smallTags(),
    'supervised_directions.npz': zip([
      { name: 'Japanese.npy', data: npy({ shape: [4], values: [0, 0, 0, 5] }) },
      { name: 'Mediterranean.npy', data: npy({ shape: [4], values: [0, 1, 1, 0] }), method: 8 },
      { name: 'cf_sweet.npy', data: npy({ shape: [4], values: [1, 0, 0, 0] }) },
      { name: 'cf_fruity.npy', data: npy({ shape: [4], values: [1, 1, 0, 0] }) },
    ]),
  };
}

/** A public checkpoint as small as can be. */
export function smallCheckpoint(): Record<string, string | Buffer> {
  return {
    'embeddings.safetensors': safetensors(
      { embeddings: { dtype: 'F32', shape: [6, 4], data_offsets: [0, 96] } },
      floatBytes(SMALL.vectors.flat()),
    ),
    'vocab.json': JSON.stringify(Object.fromEntries(SMALL.names.map((name, i) => [name, i]))),
    'cuisine_poles.json': JSON.stringify({ 'cuisine:Japanese': [0, 0, 0, 1] }),
    'config.json': JSON.stringify({ vocab_size: 6, d_model: 4 }),
  };
}
