import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { mostUnpacked } from '../../src/io/packing.js';
import { unpack } from '../../src/io/unpack.js';
import { boundedCli } from '../support/bounded.js';
import { claimedParquet } from '../support/parquet-claims.js';

/*
 * Small files that stand for a gigabyte of one letter: refused while they are unpacked, in little memory.
 */

const GIB = 2 ** 30;
const MIB = 2 ** 20;
const LETTERS = Buffer.alloc(16 * MIB, 'a');
/** Members one behind another are one stream. */
const GZIP = Buffer.concat(Array<Buffer>(64).fill(gzipSync(LETTERS)));

/** A Zstandard frame of blocks that repeat a letter, each of 128 KiB; with its size, if it is to be stated. */
function zstd(size: number, stated: boolean): Buffer {
  const blocks = size / 2 ** 17;
  const head = Buffer.from(stated ? [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0] : [0x28, 0xb5, 0x2f, 0xfd, 0, 0x60]);
  if (stated) head.writeUInt32LE(size, 5);
  const block = (last: boolean) => {
    const bytes = Buffer.alloc(4, 'a');
    bytes.writeUIntLE(((2 ** 17) << 3) | 2 | (last ? 1 : 0), 0, 3);
    return bytes;
  };
  return Buffer.concat([head, ...Array.from({ length: blocks }, (_, i) => block(i === blocks - 1))]);
}

const page = (id: number, packed: Buffer, size = GIB) => {
  const names = { bytes: { length: size } as Buffer, entries: 1 };
  const numbers = { bytes: Buffer.alloc(4), entries: 1 };
  return claimedParquet(
    [
      { name: 'model', type: 6, dictionary: names, pages: [{ rows: 1 }], codec: { id, pack: () => packed } },
      { name: 'task', type: 1, dictionary: numbers, pages: [{ rows: 1 }] },
      { name: 'value', type: 1, dictionary: numbers, pages: [{ rows: 1 }] },
    ],
    1,
  );
};
/** A member that is deflated already, with the size that its entry states. */
const member = (name: string) => zip([{ name, data: LETTERS, method: 8, plain: GIB }]);

/** A table whose first packed buffer says that it holds so much. */
function arrow(): Buffer {
  const bytes = readFileSync('fixtures/tables/polars-long-zstd.arrow');
  bytes.writeBigInt64LE(BigInt(GIB), bytes.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])) - 8);
  return bytes;
}

const FILES: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ['gzip.csv.gz', () => GZIP],
  ['twice.csv.gz.gz', () => gzipSync(GZIP)],
  ['stated.csv.zst', () => zstd(GIB, true)],
  ['unstated.csv.zst', () => zstd(GIB, false)],
  ['table.zip', () => member('scores.csv')],
  ['array.npz', () => member('scores.npy')],
  ['gzip.parquet', () => page(2, GZIP)],
  ['zstd.parquet', () => page(6, zstd(GIB, true))],
  ['zstd.arrow', arrow],
  ['brotli.parquet', () => page(4, brotliCompressSync(LETTERS, { params: { 1: 1 } }))],
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a small file of a gigabyte of one letter', () => {
  it.each(FILES)('is refused in little memory, with its size and bound: %s', (name, bytes) => {
    const file = join(folder, name);
    const packed = bytes();
    expect(packed.length).toBeLessThan(2 * MIB);
    writeFileSync(file, packed);
    const run = boundedCli(['rank-audit', file]);
    expect(run, run.output).toMatchObject({ code: 2, hung: false });
    expect(run.output).toContain(name);
    expect(run.output).toContain(String(packed.length));
    expect(run.output).toContain(String(mostUnpacked(packed.length)));
    expect(run.output).toMatch(/\n {2}hint: \S/);
    expect(run.memory).toBeLessThan(420 * MIB);
  });
});

it('of its size, a packed file unpacks to 200 times, at least 128 MiB, at most 1 GiB', () => {
  expect([0, 1000, MIB, 10 * MIB].map(mostUnpacked)).toEqual([128 * MIB, 128 * MIB, 200 * MIB, GIB]);
});

it('a table as tight as tables are is unpacked whole', async () => {
  const rows = Array.from(
    { length: 400_000 },
    (_, i) => `a model of a long name,task-${String(i % 1000).padStart(4, '0')},${i % 3 ? 1 : 0}\n`,
  );
  const text = Buffer.from(`model,task,value\n${rows.join('')}`);
  const { bytes, packed } = await unpack(gzipSync(text, { level: 9 }), 'table.csv.gz');
  expect(packed).toEqual(['gzip']);
  expect(bytes.length).toBe(text.length);
  expect(deflateRawSync(text, { level: 9 }).length * 200).toBeGreaterThan(text.length);
});
