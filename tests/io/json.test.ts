import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemLines, parseJson, parseObject } from '../../src/io/json.js';
import { readJsonTree } from '../../src/io/json-reader.js';
import type { FlavourError } from '../../src/util/error.js';

function failure(text: string): FlavourError {
  try {
    parseJson(text, { file: 'x.json' });
  } catch (error) {
    return error as FlavourError;
  }
  throw new Error(`accepted: ${text}`);
}

describe('strict JSON', () => {
  it('reads what JSON.parse reads, also through the slow reader', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, noUnicodeString: false }), (text) => {
        const expected: unknown = JSON.parse(text);
        expect(parseJson(text)).toEqual(expected);
        expect(readJsonTree(text, { number: Number })).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('rejects exactly what JSON.parse rejects', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '.5',
      'e3',
      'null',
      ' ',
      '\n',
      '"',
      '\\',
      '0',
      'tru',
      'true',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) expect(() => readJsonTree(text, { number: Number })).not.toThrow(/expected/);
        else expect(failure(text).code).toBe('JSON_INVALID');
      }),
      { numRuns: 2000 },
    );
  });

  it('names file, line and column of a duplicate key, however it is escaped', () => {
    const error = failure('{\n "a": 1,\n "b": {"c": 1, "\\u0063": 2}}');
    expect(error.code).toBe('JSON_DUPLICATE_KEY');
    expect(error.message).toContain('x.json, line 3, column 16');
    expect(error.message).toContain('"c"');
    expect(failure('{"__proto__":1,"__proto__":2}').code).toBe('JSON_DUPLICATE_KEY');
  });

  it('keeps a __proto__ key as plain data', () => {
    const value = readJsonTree('{"__proto__":{"polluted":1}}', { number: Number }) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(parseJson('{"__proto__":{"a":1},"b":2}')).toHaveProperty('b', 2);
  });

  it('is not fooled by colons, quotes and backslashes in strings', () => {
    expect(parseJson('{"a:b":"c\\\\","d":"\\":\\"","e\\\\":1}')).toEqual({
      'a:b': 'c\\',
      d: '":"',
      'e\\': 1,
    });
  });

  it.each([
    ['', 'line 1, column 1: a JSON value expected, the text ends'],
    ['{"a":NaN}', 'column 6: a JSON value expected, found "N"'],
    ['{"a":1}\n}', 'line 2, column 1: the end of the text expected'],
    ['{"a":"x\ny"}', 'without raw control characters'],
    ['{"a":"\\x"}', 'a string with known escapes'],
    ['{"a":"x', 'the end of a string expected, the text ends'],
    ['[1 2]', 'a comma or a closing bracket expected, found "2"'],
    ['{a:1}', 'a key in double quotes expected'],
    ['{"a" 1}', 'a colon expected'],
    ['{"a":1,}', 'a key in double quotes expected'],
    ['[01]', 'a comma or a closing bracket expected'],
  ])('explains %j', (text, words) => {
    const error = failure(text);
    expect(error.code).toBe('JSON_INVALID');
    expect(error.message).toContain(words);
  });

  it('bounds nesting instead of overflowing the stack', () => {
    const deep = (n: number) => '['.repeat(n) + ']'.repeat(n);
    expect(failure(deep(100_000)).message).toContain('nesting of at most 512 levels');
    expect(parseJson(deep(512))).toHaveLength(1);
  });
});

describe('a number that no double holds', () => {
  it.each(['1e400', '-1e309', `1${'0'.repeat(400)}`])('is refused as it is written: %s', (token) => {
    expect(failure(`{"a":\n [1, ${token}]}`)).toMatchObject({
      code: 'JSON_INVALID',
      message: `x.json, line 2, column 6: a number that a double holds expected, found ${token.slice(0, 80)}`,
    });
    expect(parseJson(`[${token}]`, { overflow: true })).toEqual([Number(token)]);
  });

  it('is told from those near it that a double holds', () => {
    expect(parseJson('[1e308, 1e-400, -0.0, "1e400"]')).toEqual([1e308, 0, -0, '1e400']);
  });
});

describe('a document that must be an object', () => {
  it.each(['null', '[]', '0', '"x"', 'true'])('is refused where it is %s, with its place', (text) => {
    expect(() => parseObject(text, { file: 'x.json', line: 3 })).toThrow(
      `x.json, line 3: a JSON object expected, found ${text}`,
    );
    expect(() => parseObject(text)).toThrow(`the document: a JSON object expected, found ${text}`);
  });
});

describe('the lines of the items of a list', () => {
  it('are those of any list written over lines', () => {
    const item = fc.oneof(fc.json({ maxDepth: 2 }), fc.constantFrom('"],[\\\\"', '{"a":[1,2]}', '[]'));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), fc.nat(3), (items, blank) => {
        const gap = '\n'.repeat(blank);
        const text = `[${items.map((source) => `${gap}\n ${source}`).join(',')}]`;
        expect(itemLines(text)).toEqual(items.map((_, i) => 1 + (i + 1) * (blank + 1)));
        const inner = `{"a": {"rows": [1, 2]}, "b": "rows",\n "rows": ${text}, "c": [3]}`;
        expect(itemLines(inner, 'rows')).toEqual(itemLines(text).map((line) => line + 1));
      }),
    );
    expect(itemLines('{"a":[1]}', 'b')).toEqual([]);
  });
});
