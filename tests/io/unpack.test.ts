import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as node from '../../src/io/platform-node.js';
import * as web from '../../src/io/platform-web.js';
import { unpack } from '../../src/io/unpack.js';
import { isZstd, openZstd } from '../../src/io/zstd.js';

const TABLE = 'model,task,value\nA,t1,1\nB,t1,0\n';
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
/** What zstd 1.5.4 makes of the table: of a file, of a pipe (size not stated), without a check sum. */
const STATED = base64('KLUv/SQf+QAAbW9kZWwsdGFzayx2YWx1ZQpBLHQxLDEKQix0MSwwCpn9cMY=');
const PIPED = base64('KLUv/QRY+QAAbW9kZWwsdGFzayx2YWx1ZQpBLHQxLDEKQix0MSwwCpn9cMY=');
const UNCHECKED = base64('KLUv/QBY+QAAbW9kZWwsdGFzayx2YWx1ZQpBLHQxLDEKQix0MSwwCg==');

const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const refusal = (bytes: Uint8Array) => unpack(bytes, 'a.csv.gz').then(() => 'read', String);

describe('Zstandard', () => {
  it.each([
    ['a stated size', STATED],
    ['a size that is not stated', PIPED],
    ['no check sum', UNCHECKED],
  ])('a frame with %s is unpacked', async (_, packed) => {
    const unpackZstd = await openZstd();
    expect(isZstd(packed)).toBe(true);
    expect(text(unpackZstd(packed, 1000))).toBe(TABLE);
  });

  it('frames one after another are one stream; a frame to pass over is passed over', async () => {
    const skipped = new Uint8Array([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]);
    const unpackZstd = await openZstd();
    expect(text(unpackZstd(joined(skipped, STATED, PIPED), 1000))).toBe(TABLE + TABLE);
  });

  it('a stream cut anywhere is called cut off', async () => {
    const unpackZstd = await openZstd();
    for (const packed of [STATED, PIPED, UNCHECKED])
      for (let length = 4; length < packed.length; length += 1)
        expect(() => unpackZstd(packed.slice(0, length), 1000)).toThrow('cut off');
  });

  it('a changed byte behind a check sum is noticed', async () => {
    const unpackZstd = await openZstd();
    for (let at = 9; at < PIPED.length; at += 1)
      expect(() => unpackZstd(PIPED.with(at, PIPED[at]! ^ 1), 1000)).toThrow('damaged');
  });

  it('a size past the bound is refused, stated or not', async () => {
    const unpackZstd = await openZstd();
    expect(() => unpackZstd(STATED, 30)).toThrow('more than 30 bytes');
    expect(() => unpackZstd(PIPED, 30)).toThrow('more than 30 bytes');
    expect(() => unpackZstd(joined(STATED, STATED), 61)).toThrow('more than 30 bytes');
  });

  it('bytes changed at will give an error or bytes, and leave the decoder sound', async () => {
    const unpackZstd = await openZstd();
    fc.assert(
      fc.property(
        fc.constantFrom(STATED, PIPED, UNCHECKED),
        fc.nat(60),
        fc.integer({ min: 1, max: 255 }),
        (packed, place, bits) => {
          const at = place % packed.length;
          try {
            expect(unpackZstd(packed.with(at, packed[at]! ^ bits), 1e6).length).toBeLessThanOrEqual(1e6);
          } catch (error) {
            expect(String(error)).toMatch(/^Error: (it|a|what) /);
          }
          expect(text(unpackZstd(PIPED, 1000))).toBe(TABLE);
        },
      ),
    );
  });
});

describe.each([
  ['in Node', node],
  ['in a page', web],
])('gzip and deflate %s', (_, { gunzip, inflateRaw }) => {
  const data = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `${i},${i % 7}\n`).join(''));

  it('members one after another are one stream', () => {
    expect(text(gunzip(joined(gzipSync(data), gzipSync(TABLE)), 1e6))).toBe(data.toString() + TABLE);
    expect(text(gunzip(gzipSync(''), 10))).toBe('');
    expect(text(inflateRaw(deflateRawSync(data), data.length))).toBe(data.toString());
  });

  it('a cut stream is called cut off', () => {
    const packed = gzipSync(data);
    for (const length of [12, 500, packed.length - 9])
      expect(() => gunzip(packed.subarray(0, length), 1e6)).toThrow('cut off');
    expect(() => inflateRaw(deflateRawSync(data).subarray(0, 500), 1e6)).toThrow('cut off');
  });

  it('a changed check sum is noticed', () => {
    const packed = gzipSync(TABLE);
    const second = joined(gzipSync(data), packed).fill(1, -8, -4);
    expect(() => gunzip(second, 1e6)).toThrow('damaged');
    expect(() => gunzip(packed.fill(1, packed.length - 8, packed.length - 4), 1e6)).toThrow('damaged');
  });

  it('what unpacks to more than the bound is refused', () => {
    const zeros = Buffer.alloc(5_000_000);
    expect(() => gunzip(gzipSync(zeros), 1_000_000)).toThrow('more than 1000000 bytes');
    expect(() => inflateRaw(deflateRawSync(zeros), 4_999_999)).toThrow('more than 4999999 bytes');
    expect(inflateRaw(deflateRawSync(zeros), 5_000_000)).toHaveLength(5_000_000);
  });
});

describe('a packed file', () => {
  it.each([
    ['as it is', Buffer.from(TABLE), []],
    ['by gzip', gzipSync(TABLE), ['gzip']],
    ['by Zstandard', STATED, ['Zstandard']],
    ['twice', gzipSync(STATED), ['gzip', 'Zstandard']],
  ])('is unpacked %s', async (_, bytes, packed) => {
    const found = await unpack(bytes, 'a.csv');
    expect(text(found.bytes)).toBe(TABLE);
    expect(found.packed).toEqual(packed);
  });

  it('names the file, what is wrong with it and what tests it', async () => {
    expect(await refusal(gzipSync(TABLE).subarray(0, 30))).toContain(
      'a.csv.gz: cannot be unpacked as gzip: it is cut off',
    );
    expect(await refusal(STATED.subarray(0, 30))).toContain('cannot be unpacked as Zstandard: it is cut off');
  });
});
