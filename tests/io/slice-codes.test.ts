import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sliceCodes } from '../../src/io/slice-codes.js';

describe('texts that are numbered by their bytes', () => {
  it('are told from all others, whether their number is guessed or found', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ab]{0,9}$/), { minLength: 1, maxLength: 40 }), (texts) => {
        const bytes = new TextEncoder().encode(texts.join(''));
        const found = sliceCodes(bytes);
        const known: string[] = [];
        let at = 0;
        for (const text of texts) {
          const [start, end] = [at, at + text.length];
          at = end;
          for (let code = 0; code <= known.length; code += 1)
            expect(found.is(code, start, end)).toBe(known[code] === text);
          if (!known.includes(text)) known.push(text);
          expect(found.code(start, end)).toBe(known.indexOf(text));
        }
        expect([found.size, found.texts()]).toEqual([known.length, known]);
      }),
    );
  });
});
