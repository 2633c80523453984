import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as node from '../../src/io/platform-node.js';
import * as web from '../../src/io/platform-web.js';

/** Bytes that are often text, or nearly. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => new TextEncoder().encode(text)),
  fc.string({ unit: 'grapheme', maxLength: 100 }).map((text) => new TextEncoder().encode(text).slice(0, -1)),
);

describe('what a page has in the place of Node', () => {
  it('gives the same digests, check sums, texts and answers', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), (data, start) => {
        const view = data.subarray(Math.min(start, data.length));
        expect(web.sha256(view)).toBe(node.sha256(view));
        const other = view.map((byte, i) => (i === start ? byte ^ 1 : byte));
        for (const right of [view.slice(), other, view.subarray(1)])
          expect(web.sameBytes(view, right)).toBe(node.sameBytes(view, right));
        expect(web.crc32(view)).toBe(node.crc32(view));
        expect(web.isAscii(view)).toBe(node.isAscii(view));
        expect(web.isUtf8(view)).toBe(node.isUtf8(view));
        expect(web.utf8Text(data, start, data.length)).toBe(node.utf8Text(data, start, data.length));
        expect(web.latin1Text(data, start, data.length)).toBe(node.latin1Text(data, start, data.length));
      }),
    );
  });

  it('reads any text alike, halves of surrogate pairs among them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, cut) => {
        const part = text.slice(cut % (text.length + 1));
        expect(web.utf8Length(part)).toBe(node.utf8Length(part));
        expect(web.sha256(part)).toBe(node.sha256(part));
        const parts = [part, '', 'after'];
        expect(node.sha256OfParts(parts)).toBe(node.sha256(`${part}after`));
        expect(web.sha256OfParts(parts)).toBe(node.sha256OfParts(parts));
      }),
    );
  });

  it('makes long texts in pieces', () => {
    const long = new Uint8Array(100_000).map((_, i) => i % 251);
    expect(web.latin1Text(long)).toBe(node.latin1Text(long));
  });
});
