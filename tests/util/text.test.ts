import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { canonicalDigest, canonicalJson, canonicalParts, sealed } from '../../src/io/canonical.js';
import { documentDigest } from '../../src/io/document.js';
import { shown } from '../../src/util/error.js';
import { pairwiseMean } from '../../src/util/mean.js';
import { roundHalfEven } from '../../src/util/round.js';
import { dataText, isBlank, isLineBreak, isWellFormed, normalizeName, plain, visible } from '../../src/util/text.js';

describe('text from files and models', () => {
  it('is written whatever value stands where a text belongs', () => {
    const values = [
      'a',
      1.5,
      null,
      undefined,
      10n,
      ['a', ['b', 2]],
      {},
      { toString: 0, valueOf: null },
      Object.create(null),
    ];
    expect(values.map(dataText)).toEqual([
      'a',
      '1.5',
      'null',
      'undefined',
      '10',
      'a,b,2',
      '{}',
      '{"toString":0,"valueOf":null}',
      '{}',
    ]);
  });

  it('has the white space and the line breaks that Python sees', () => {
    const codes = Array.from({ length: 0x10000 }, (_, code) => code);
    expect(codes.filter(isBlank).map((code) => code.toString(16))).toEqual(
      '9 a b c d 1c 1d 1e 1f 20 85 a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 2028 2029 202f 205f 3000'.split(
        ' ',
      ),
    );
    expect(codes.filter(isLineBreak).map((code) => code.toString(16))).toEqual(
      'a b c d 1c 1d 1e 85 2028 2029'.split(' '),
    );
  });

  it('is compared as a name by folded case, blanks for underscores and single blanks', () => {
    expect(normalizeName('  Black__PEPPER\u3000corn ')).toBe('black pepper corn');
    expect(normalizeName('red_currant')).toBe('red currant');
    expect(normalizeName('STRAẞE')).toBe(normalizeName('strasse'));
    expect(normalizeName('ΣΊΣΥΦΟΣ')).toBe(normalizeName('σίσυφος'));
    expect(normalizeName('ſalt')).toBe('salt');
    expect(normalizeName('kısır')).not.toBe(normalizeName('kisir'));
    expect(normalizeName('_ _')).toBe('');
  });

  it('is checked for halves of surrogate pairs', () => {
    expect(['a', '🍲', '\ud83c', '\udf72\ud83c'].map(isWellFormed)).toEqual([true, true, false, false]);
  });

  it('is shown short and escaped', () => {
    expect(shown('a\u001b[31m\n')).toBe('"a\\u001b[31m\\n"');
    expect(shown('x'.repeat(200))).toHaveLength(80);
    expect([shown(undefined), shown(5n), shown(Number.NaN)]).toEqual(['nothing', '5', 'NaN']);
  });
});

describe('our own canonical form', () => {
  it('writes long lists as short ones, whatever they hold, and refuses what cannot be written', () => {
    const row = { a: -0, b: '€\u2028"', c: [null, true, 1e21], d: { e: 1 } };
    const text = '{"a":0,"b":"€\u2028\\"","c":[null,true,1e+21],"d":{"e":1}}';
    const list = (one: unknown): unknown[] => Array.from({ length: 40 }, () => one);
    const written = (one: string) => `{"before":1,"long":[${list(one).join(',')}],"more":{"x":1,"y":2}}`;
    const around = (one: unknown) =>
      canonicalJson({ more: { y: 2, x: 1 }, long: list(one), none: undefined, before: 1 });
    expect(around(row)).toBe(written(text));
    expect(around({ d: row.d, c: row.c, b: row.b, a: row.a })).toBe(written(text));
    expect(around({ 10: 1, 9: 2 })).toBe(written('{"10":1,"9":2}'));
    expect(around(undefined)).toBe(written('null'));
    expect(around({ a: 1, b: undefined })).toBe(written('{"a":1}'));
    expect(around({ toJSON: () => 'said' })).toBe(written('"said"'));
    for (const wrong of [Number.NaN, { a: Number.POSITIVE_INFINITY }, '\ud800', { '\udc00': 1 }])
      expect(() => around(wrong)).toThrow(expect.objectContaining({ code: 'JSON_INVALID' }));
  });

  it.each([0, 1, 31, 32, 4095, 4096, 4097, 30_000])(
    'is the same in parts, none of which is long: lists of %i',
    (length) => {
      const rows = Array.from({ length }, (_, k) => ({ adjusted_p: k / 7, higher: `model-${k} é`, lower: null }));
      const document = {
        rows,
        more: [{ b: rows, a: rows.map(({ lower, higher }) => ({ lower, higher })) }],
        none: undefined,
      };
      const parts = canonicalParts(document);
      expect(parts.join('') === canonicalize(document)).toBe(true);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(2 ** 20);
      expect(parts.length > 1).toBe(length > 4000);
    },
  );

  it('is RFC 8785', () => {
    expect(canonicalJson({ b: 1e21, a: [1.0, 'é\u2028', null], '€': 0.1 })).toBe(
      '{"a":[1,"é\u2028",null],"b":1e+21,"€":0.1}',
    );
    expect(() => canonicalJson(Number.NaN)).toThrow(expect.objectContaining({ code: 'JSON_INVALID' }));
    expect(() => canonicalJson(undefined)).toThrow(/undefined/);
  });

  it('seals documents, and both forms of a seal can be checked', () => {
    const own = sealed({ canonicalization: 'RFC8785', x: 1 });
    expect(own.artifact_sha256).toBe(canonicalDigest({ canonicalization: 'RFC8785', x: 1 }));
    expect(documentDigest(JSON.stringify(own), own)).toBe(own.artifact_sha256);
    const text = '{"x": 1.0}';
    expect(documentDigest(text, JSON.parse(text))).not.toBe(documentDigest('{"x": 1}', { x: 1 }));
  });
});

describe('rounding and means', () => {
  it('round half to even', () => {
    expect([0.5, 1.5, 2.5, 4176.5, 4531.5, -0.5, -1.5, 2.4999].map(roundHalfEven)).toEqual([
      0, 2, 2, 4176, 4532, 0, -2, 2,
    ]);
  });

  it('add in pairs, as recorded reports do', () => {
    expect(pairwiseMean([1, 2, 4])).toBe(7 / 3);
    const recorded: [number, number][] = [
      [5, 0.2],
      [100, 4.95],
      [178, 8.850000000000001],
      [300, 14.95],
      [1000, 49.95],
    ];
    for (const [n, mean] of recorded) {
      expect(pairwiseMean(Float64Array.from({ length: n }, (_, i) => i * 0.1)), `${n}`).toBe(mean);
    }
  });
});

describe('control characters', () => {
  it('are shown or taken out, and nothing else is', () => {
    const text = 'a\u0000b\u001b[31mc\nd\u202ee é "\\';
    expect(visible(text)).toBe('a\\u0000b\\u001b[31mc\\u000ad\\u202ee é "\\');
    expect(plain(text)).toBe('a b [31mc d e é "\\');
  });
});
