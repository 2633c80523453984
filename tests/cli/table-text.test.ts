import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intervalBars } from '../../src/cli/interval-bars.js';
import { columnsOf, cutNames, tableText, wrapped } from '../../src/cli/table-text.js';

describe('names that are cut', () => {
  it('keep both ends, and still differ', () => {
    expect(cutNames(['meta-llama/Llama-3.1-8B-Instruct'], 20)).toEqual(['meta-llama/…Instruct']);
    const names = ['a', 'b', 'c'].map((end) => `${'x'.repeat(300)}${end}${'y'.repeat(300)}`);
    const later = [`${'x'.repeat(300)}a${'y'.repeat(290)}z${'y'.repeat(9)}`];
    const cut = cutNames([...names, ...later], 16);
    expect(new Set(cut).size).toBe(4);
    for (const name of cut) expect(columnsOf(name)).toBeLessThanOrEqual(16);
  });

  it('count letters that take two places as two', () => {
    expect(columnsOf('模型')).toBe(4);
    expect(columnsOf(cutNames(['模型'.repeat(30)], 15)[0]!)).toBeLessThanOrEqual(15);
  });
});

describe('a table of text', () => {
  it('takes no more than its width, whatever the names are, and cuts no number', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme', maxLength: 90 }).map((name) => name.replace(/\s|\p{C}/gu, '')),
          { minLength: 1, maxLength: 5 },
        ),
        fc.integer({ min: 40, max: 120 }),
        (names, width) => {
          const text = tableText({
            head: ['rank', 'model', 'score'],
            rows: names.map((name, k) => [String(k), name, '1234.5678']),
            width,
          });
          for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
          expect(text.match(/1234\.5678/g)).toHaveLength(names.length);
        },
      ),
    );
  });
});

describe('bars of intervals', () => {
  it('stand on an axis from the least to the greatest value', () => {
    const bars = intervalBars({ low: 0, high: 10, width: 11, label: String });
    expect(
      bars.bar(
        [
          { range: [0, 10], mark: '─' },
          { range: [2, 4], mark: '━' },
        ],
        3,
      ),
    ).toBe('──━●━──────');
    expect(bars.axis).toEqual(['├─────────┤', '0        10']);
  });

  it('say one value where there is one', () => {
    const bars = intervalBars({ low: 7, high: 7, width: 10, label: String });
    expect(bars.bar([{ range: [7, 7], mark: '─' }], 7)).toBe('●         ');
    expect(bars.axis[1]).toBe('7');
  });
});

describe('text that is wrapped', () => {
  it('keeps every word, in lines of the width; a longer word is broken', () => {
    expect(wrapped('aa bb cc\ndd', 5)).toBe('aa bb\ncc\ndd');
    expect(wrapped('a verylongword b', 5)).toBe('a\nveryl\nongwo\nrd b');
  });
});
