import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/responses/outcome.js';
import { parseSelection } from '../../src/responses/parser.js';
import { oracleLine, oracleV3 } from './oracle.js';

const names = ['basil', 'black_pepper', 'quinoa', 'lemon_balm', 'red_currant', 'cherry', 'jam', 'straße'];

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('FINAL_SELECTION', 'final_selection', 'fınal_ſelectİon'),
  },
  { weight: 4, arbitrary: fc.constantFrom(':', ': ', ' : ', ':\n', '_', 'FINAL', 'SELECTION') },
  {
    weight: 6,
    arbitrary: fc.constantFrom('A,B,C', 'c , A,b', 'A,A,B', 'D,\nE,F', 'A', 'h', 'I', ','),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('basil, jam, Quinoa', 'STRASSE', 'Black  Pepper', 'red_currant'),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(' ', '\n', '\r\n', '\t', '\x0b', '\x1c', '\x1f', '\x85', '\u2028', '\u3000', '\ufeff'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('**', '`', '_', '<|close|>response', '<|CLOSE|>reſponse', '.', 'x'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const answer = fc.oneof(
  text,
  text.map((rest) => `FINAL_SELECTION: ${rest}`),
  fc.tuple(text, text).map(([a, b]) => `${a}\nFINAL_SELECTION: A,B,C${b}`),
);

describe('parsers against regular expressions', () => {
  it('agree on every text, and an outcome is ok exactly when there is a key', () => {
    let readable = 0;
    fc.assert(
      fc.property(answer, (raw) => {
        const v3 = parseSelection(raw, names, { version: 'v3' });
        expect(v3.key).toBe(oracleV3(raw, names));
        expect(v3.outcome === 'ok').toBe(v3.key !== null);
        expect(OUTCOMES).toContain(v3.outcome);
        for (const version of ['v2', 'v1'] as const) {
          const line = parseSelection(raw, names, { version });
          expect(line.key).toBe(oracleLine(raw, version));
          expect(line.outcome === 'ok').toBe(line.key !== null);
        }
        if (v3.key !== null) readable += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(readable).toBeGreaterThan(1000);
  });
});
