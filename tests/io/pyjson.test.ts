import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderKey, sha256 } from '../../src/io/digest.js';
import {
  compareCodePoints,
  type PyValue,
  parsePyJson,
  pyCanonical,
  pyDigest,
  pyFloat,
  pyFloatText,
  pySealed,
  pyStored,
} from '../../src/io/pyjson.js';
import { noShared, shared } from '../support/shared.js';

const document = (path: string) => parsePyJson(readFileSync(shared(path), 'utf8'));
type Tree = { [key: string]: PyValue } & PyValue;

describe('Python-style canonical JSON', () => {
  it('prints floats as Python does', () => {
    const cases: [number, string][] = [
      [100, '100.0'],
      [-0, '-0.0'],
      [0, '0.0'],
      [1e-4, '0.0001'],
      [1e-5, '1e-05'],
      [9.99990000099999e-6, '9.99990000099999e-06'],
      [1e15, '1000000000000000.0'],
      [9999999999999998, '9999999999999998.0'],
      [1e16, '1e+16'],
      [1.2345678901234568e17, '1.2345678901234568e+17'],
      [5e-324, '5e-324'],
      [-1.5e300, '-1.5e+300'],
      [0.1, '0.1'],
    ];
    for (const [value, text] of cases) expect(pyFloatText(value)).toBe(text);
    expect(() => pyFloatText(Number.NaN)).toThrow(/NaN cannot be written/);
  });

  it('keeps integers, floats and large integers apart through a round trip', () => {
    const text = '{"a":1,"b":1.0,"c":12345678901234567890,"d":-0.0,"e":1e+21,"f":-0}';
    expect(pyCanonical(parsePyJson(text))).toBe(text.replace('-0}', '0}'));
  });

  it('sorts keys by code point and escapes only what Python escapes', () => {
    expect(['🍲', 'ﬁ', 'é', 'z', 'Z', ''].sort(compareCodePoints)).toEqual(['', 'Z', 'z', 'é', 'ﬁ', '🍲']);
    expect(pyCanonical({ '🍲': 1, ﬁ: 'é/\t\u0001\u007f\u2028"' })).toBe('{"ﬁ":"é/\\t\\u0001\u007f\u2028\\"","🍲":1}');
    expect(pyCanonical({ é: '🍲\u007f' }, { ascii: true })).toBe('{"\\u00e9":"\\ud83c\\udf72\\u007f"}');
  });

  it('refuses what has no canonical form unless told to be lenient', () => {
    expect(() => pyCanonical('\ud800x')).toThrow(/lone surrogate/);
    expect(() => pyCanonical(Number.POSITIVE_INFINITY)).toThrow(/Infinity/);
    const odd = parsePyJson('["\\udc00",NaN,-Infinity]', { nonFinite: true });
    expect(pyCanonical(odd, { lenient: true })).toBe('["\\udc00",null,null]');
  });

  it('reads its own output back unchanged', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const once = pyCanonical(parsePyJson(text), { lenient: true });
        expect(pyCanonical(parsePyJson(once), { lenient: true })).toBe(once);
        expect(JSON.parse(once)).toEqual(JSON.parse(pyStored(JSON.parse(once) as PyValue)));
      }),
      { numRuns: 300 },
    );
  });

  it('stores documents with two blanks, sorted keys and a line feed', () => {
    expect(pyStored({ b: [], a: { c: pyFloat(1), d: [1, 2] }, e: {} })).toBe(
      '{\n  "a": {\n    "c": 1.0,\n    "d": [\n      1,\n      2\n    ]\n  },\n  "b": [],\n  "e": {}\n}\n',
    );
  });

  it('seals a document over everything but the seal', () => {
    const seal = pySealed({ artifact_sha256: 'old', a: pyFloat(2) });
    expect(seal.artifact_sha256).toBe(sha256('{"a":2.0}'));
  });
});

describe.skipIf(noShared)('the released canonical form', () => {
  it('matches every vector of the laboratory kit', () => {
    const vectors = document('golden/lab/hash-vectors.json') as Tree;
    for (const vector of vectors.canonical_json as unknown as {
      canonical: string;
      sha256: string;
    }[]) {
      expect(pyCanonical(parsePyJson(vector.canonical))).toBe(vector.canonical);
      expect(sha256(vector.canonical)).toBe(vector.sha256);
    }
    for (const name of ['endpoint_execution_contract', 'endpoint_contract_example', 'cell_id']) {
      const vector = vectors[name] as { input: PyValue; sha256: string };
      expect(pyDigest(vector.input), name).toBe(vector.sha256);
    }
    for (const name of ['primary_order_key', 'common_core_order_key']) {
      const vector = vectors[name] as { input: string[]; sha256: string };
      expect(orderKey(...vector.input), name).toBe(vector.sha256);
    }
    const split = vectors.lab_split_key as { input: string; sha256: string };
    expect(sha256(split.input)).toBe(split.sha256);
    const jitter = vectors.retry_jitter as { [key: string]: string } & { jitter_s: unknown };
    const first = sha256(jitter.idempotency_key!).slice(0, 8);
    expect(first).toBe(jitter.first_8_hex);
    expect(jitter.jitter_s).toMatchObject({ value: (Number.parseInt(first, 16) % 1000) / 1000 });
  });

  it('matches every vector of the compiler', () => {
    const vectors = document('golden/hash_vectors_compiler.json') as Tree;
    for (const vector of vectors.canonical_json as {
      value: PyValue;
      text: string;
      sha256: string;
    }[]) {
      expect(pyCanonical(vector.value)).toBe(vector.text);
      expect(pyDigest(vector.value)).toBe(vector.sha256);
    }
    const task = vectors.panel_1_first_task as { [key: string]: PyValue };
    expect(pyCanonical(task.oracle_reference as PyValue)).toBe(task.oracle_reference_canonical);
    expect(pyDigest(task.oracle_reference as PyValue)).toBe(task.oracle_reference_sha256);
    const keys = [
      ...(vectors.choice_key_examples as { string: string; sha256: string }[]),
      vectors.lab_split_key as { string: string; sha256: string },
      vectors.control_key as { string: string; sha256: string },
      vectors.core_key as { string: string; sha256: string },
    ];
    for (const { string, sha256: digest } of keys) {
      expect(orderKey(...string.split('\\0')), string).toBe(digest);
    }
  });

  it('rewrites the released documents byte for byte', () => {
    const name = 'epicure-selection-taskset-925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f.json';
    const text = readFileSync(shared(`data/tasksets/${name}`), 'utf8');
    expect(pyStored(parsePyJson(text))).toBe(text);
  });
});
