import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { readArrow } from '../../src/io/arrow.js';
import { openLz4, openLz4Blocks } from '../../src/io/lz4.js';
import { readParquet } from '../../src/io/parquet.js';
import { sheetCells } from '../../src/io/xlsx/sheet.js';
import type { FlavourError } from '../../src/util/error.js';
import { claimedParquet, wordsOf } from '../support/parquet-claims.js';

/** What became of a reading, and that it made no hundred megabytes on the way. */
async function refusal(read: () => Promise<unknown>): Promise<string> {
  const before = process.memoryUsage().arrayBuffers;
  try {
    await read();
    return 'read';
  } catch (error) {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
    return (error as FlavourError).code ?? String(error);
  }
}

describe('packed buffers of an Arrow file', () => {
  it.each([
    ['polars-long-lz4.arrow', [0x04, 0x22, 0x4d, 0x18]],
    ['polars-long-zstd.arrow', [0x28, 0xb5, 0x2f, 0xfd]],
  ])('that say they hold more than they do are refused: %s', async (name, mark) => {
    const sound = readFileSync(`fixtures/tables/${name}`);
    expect((await readArrow(sound, name)).rows).toBeGreaterThan(0);
    const place = sound.indexOf(Buffer.from(mark));
    expect(place).toBeGreaterThan(8);
    for (const size of [2n ** 40n, 2n ** 31n, BigInt(sound.readBigInt64LE(place - 8)) + 1n, 2n ** 62n, -5n]) {
      const claimed = Buffer.from(sound);
      claimed.writeBigInt64LE(size, place - 8);
      expect(await refusal(() => readArrow(claimed, name)), String(size)).toMatch(/ARROW_INVALID|BOUND_EXCEEDED/);
    }
  });

  it('of more rows or cells than the place holds are refused with both', async () => {
    const values = Int32Array.from({ length: 100 });
    const bytes = await arrowFile({ columns: [{ name: 'a', kind: 'int32', values }] });
    const bound = { rows: 99, cells: 1000, bytes: 1e6, place: 'this place' };
    await expect(readArrow(bytes, 'x', bound)).rejects.toMatchObject({
      code: 'BOUND_EXCEEDED',
      message: expect.stringMatching(/100 .*99/),
    });
  });
});

/** An LZ4 block of a kilobyte that stands for a quarter of a megabyte: one letter, and a match of it over and over. */
const block = Buffer.from([0x1f, 0x61, 1, 0, ...Array(1000).fill(255), 0, 0x50, ...Buffer.from('aaaaa')]);

describe('LZ4', () => {
  it('gives exactly what is said to be there, and makes no room for what no block can hold', async () => {
    const [blocks, frames] = [await openLz4Blocks(), await openLz4()];
    const size = 1 + 19 + 255 * 1000 + 5;
    expect(blocks(block, size).every((byte) => byte === 0x61)).toBe(true);
    for (const wrong of [10, size - 1, size + 1]) expect(() => blocks(block, wrong)).toThrow();
    expect(() => blocks(block, 2 ** 31)).toThrow(/1011 bytes for 2147483648/);
    const frame = Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]), block]);
    expect(() => frames(frame, 2 ** 31)).toThrow(/for 2147483648/);
  });
});

describe('pages of a Parquet file', () => {
  const column = (name: string, codec?: { readonly id: number; pack(bytes: Buffer): Buffer }) => ({
    ...{ name, type: 6 as const, dictionary: wordsOf('m'), pages: [{ rows: 10 }] },
    ...(codec ? { codec } : {}),
  });
  const bomb = Buffer.alloc(300_000_000);

  it.each([
    ['gzip', 2, () => gzipSync(bomb, { level: 1 })],
    ['brotli', 4, () => brotliCompressSync(bomb, { params: { 1: 1 } })],
    ['LZ4', 7, () => block],
    ['Snappy', 1, () => Buffer.from([0x80, 0x80, 0x80, 0x80, 0x0f, 0x00, 0x61])],
    ['Zstandard', 6, () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0xf0, 3, 0, 0])],
  ])('that unpack to more than their header says are refused: %s', async (_, id, pack) => {
    const packed = pack();
    const bytes = claimedParquet([column('model', { id, pack: () => packed })], 10);
    expect(await refusal(async () => Array.from((await readParquet(bytes, 'x')).column('model')!))).toMatch(
      /PARQUET_INVALID|BOUND_EXCEEDED/,
    );
  });
});

describe('a sheet of a workbook', () => {
  it('whose few cells lie far apart is refused before the cells between are made', () => {
    const rows = Array.from({ length: 200 }, (_, r) => `<row r="${r + 1}"><c r="XFD${r + 1}"><v>1</v></c></row>`);
    const context = { shared: [], dates: new Map(), system: 1900 } as const;
    const apart = `<sheetData>${rows.map((row, r) => row.replace('<c ', `<c r="A${r + 1}"><v>1</v></c><c `)).join('')}</sheetData>`;
    expect(() => sheetCells(apart, context, 2 ** 20)).toThrow(/cells/);
    expect(() => sheetCells('<row r="1048577"></row>', context, 100)).toThrow(/row 1048577/);
    expect(() => sheetCells('<row r="1"><c r="XFE1"><v>1</v></c></row>', context, 100)).toThrow(/cell XFE1/);
  });
});
