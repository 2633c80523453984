import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { partBytes, readPart } from '../../src/shares/part-document.js';
import { rangeOf } from '../../src/shares/range.js';

const digest = 'a'.repeat(64);
const PART = {
  version: '1.2.3',
  kernels: 'k',
  call: ['infer', 'scores.csv'],
  inputs: [{ role: 'scores', sha256: digest, bytes: 12 }],
  shard: { index: 2, count: 3 },
  pieces: [
    {
      what: 'bootstrap draws',
      key: digest,
      units: 7,
      first: 2,
      count: 2,
      arrays: { values: Float64Array.of(1.5, -0, 2 ** -1074, 4), redraws: Float64Array.of(1) },
    },
  ],
};

/** Writes a part as its own writer would, were its head this text and its numbers these: the digest is right. */
function forged(head: (text: string) => string, tail: (numbers: Buffer) => Buffer = (numbers) => numbers): Buffer {
  const bytes = Buffer.from(partBytes(PART));
  const end = bytes.indexOf(10, 65);
  const body = Buffer.concat([
    Buffer.from(head(bytes.toString('utf8', 65, end))),
    Buffer.from('\n'),
    tail(bytes.subarray(end + 1)),
  ]);
  return Buffer.concat([Buffer.from(`${createHash('sha256').update(body).digest('hex')}\n`), body]);
}

describe('a part', () => {
  it('is read back as it was written, bit for bit', () => {
    const read = readPart(partBytes(PART), 'p');
    expect(read).toEqual(PART);
    expect(Object.is(read.pieces[0]!.arrays.values![1], -0)).toBe(true);
  });

  it.each([
    ['of a head that is no JSON', forged(() => '{'), 'PART_INVALID', 'no JSON'],
    [
      'of a shard that there is not',
      forged((text) => text.replace('"index":2', '"index":4')),
      'PART_INVALID',
      '4 of 3',
    ],
    [
      'of the range of another shard',
      forged((text) => text.replace('"first":2', '"first":3')),
      'PART_INVALID',
      'from 2 on',
    ],
    [
      'of more units than its range has',
      forged((text) => text.replace('"count":2', '"count":5')),
      'PART_INVALID',
      'holds 5',
    ],
    [
      'of numbers that are not there',
      forged((text) => text.replace('"values":4', '"values":5')),
      'PART_INVALID',
      'ends before',
    ],
    [
      'of lengths past every file',
      forged((text) => text.replace('"values":4', '"values":9e15')),
      'PART_INVALID',
      'ends before',
    ],
    [
      'of bytes behind its numbers',
      forged(
        (text) => text,
        (numbers) => Buffer.concat([numbers, Buffer.alloc(8)]),
      ),
      'PART_INVALID',
      '8 bytes behind',
    ],
    ['of another schema', forged((text) => text.replace('part/1', 'part/9')), 'SCHEMA_INVALID', 'schema'],
    ['of a negative length', forged((text) => text.replace('"values":4', '"values":-4')), 'SCHEMA_INVALID', 'values'],
    ['of no line', Buffer.from('a,b\n1,2\n'), 'PART_INVALID', 'no share'],
    ['of nothing', Buffer.alloc(0), 'PART_INVALID', 'no share'],
  ])('%s is refused', (_, bytes, code, words) => {
    const place = expect.stringContaining(words);
    let met: { code?: string; message?: string; where?: unknown } = {};
    try {
      readPart(bytes, 'the-part');
    } catch (error) {
      met = error as typeof met;
    }
    expect(met).toMatchObject({ code, where: { file: 'the-part' } });
    expect(`${met.message} ${JSON.stringify(met.where)}`).toEqual(place);
  });

  it('is refused where any bit of it was turned', () => {
    const bytes = Buffer.from(partBytes(PART));
    for (let at = 65; at < bytes.length; at += 7) {
      const turned = Buffer.from(bytes);
      turned[at]! ^= 1;
      expect(() => readPart(turned, 'p')).toThrow(expect.objectContaining({ code: 'DIGEST_MISMATCH' }));
    }
  });
});

describe('ranges of shares', () => {
  it.each([
    [10, 3],
    [2, 5],
    [0, 4],
    [7, 7],
    [100_003, 64],
  ])('of %i units in %i lie one behind the other, as equal as can be', (units, count) => {
    const ranges = Array.from({ length: count }, (_, k) => rangeOf({ index: k + 1, count }, units));
    let next = 0;
    for (const range of ranges) {
      expect(range.first).toBe(next);
      next += range.count;
    }
    expect(next).toBe(units);
    const sizes = ranges.map((range) => range.count);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
});
