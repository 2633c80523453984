import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankTicks, rowPlot } from '../../src/draw/axis.js';
import { lookOf } from '../../src/draw/look.js';
import { measured, missingLetters, shortened, shortenedDistinctly, signed, wrapped } from '../../src/draw/text.js';

describe('text of figures', () => {
  it('has the letters of the font: Latin, Greek and Cyrillic, no others', () => {
    expect(missingLetters('Modèle ρ Модель − … ×')).toEqual([]);
    expect(missingLetters('模型 模型 a 🍋')).toEqual(['模', '型', '🍋']);
  });

  it('keeps a square free for a letter that another font will draw', () => {
    expect(measured('模型', 12)).toBe(24);
    expect(measured('a模', 12)).toBe(measured('a', 12) + 12);
  });

  it('cuts names in their middle, and where they differ if they would look alike', () => {
    expect(shortened(`provider/${'x'.repeat(60)}-v2`, 12, 150)).toMatch(/^provider\/x+…x+-v2$/);
    expect(shortened('a\u202eb\u0000c', 12, 150)).toBe('a b c');
    const stem = 'a'.repeat(60);
    const names = [1, 2, 3].map((i) => `${stem}-${i}-${'z'.repeat(60)}`);
    const labels = shortenedDistinctly([...names, 'other'], 12, 120);
    expect(new Set(labels).size).toBe(4);
    expect(labels[1]).toMatch(/^…a+-2-z+…$/);
    expect(labels[3]).toBe('other');
    for (const label of labels) expect(measured(label, 12)).toBeLessThanOrEqual(120);
  });

  it('shows a name and a longer one that begins with it differently', () => {
    const stem = 'word '.repeat(30);
    const labels = shortenedDistinctly([`${stem}end`, `${stem}end and more`], 12, 100);
    expect(labels[0]).not.toBe(labels[1]);
  });

  it('is wrapped with every word kept, and no line beyond the width unless one word is', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 30 }), (words) => {
        const lines = wrapped(words.join(' '), 12, 120);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(measured(line, 12)).toBeLessThanOrEqual(120);
      }),
      { numRuns: 30 },
    );
  });

  it('has the minus sign that axes have', () => {
    expect(signed('-1.20 [-3.00, 0.50] co-op')).toBe('−1.20 [−3.00, 0.50] co-op');
  });
});

describe('axes of figures', () => {
  it('write the first, the last and round ranks between', () => {
    const every = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
    const ticksOf = (n: number, size: 'column' | 'screen' = 'column', shared = false) => {
      const look = lookOf({ theme: 'light', size });
      return rankTicks(look, n, rowPlot(look, { names: ['a model of a usual name'], right: 20 }), shared);
    };
    for (const n of [1, 6, 12]) expect(ticksOf(n)).toEqual(every(n));
    expect(ticksOf(27)).toEqual([1, 5, 10, 15, 20, 27]);
    expect(ticksOf(60)).toEqual([1, 10, 20, 30, 40, 50, 60]);
    expect(ticksOf(16, 'screen')).toEqual(every(16));
    expect([ticksOf(20, 'screen').length, ticksOf(20, 'screen', true).length]).toEqual([20, 5]);
    for (const n of [99, 1000, 4321]) {
      const ticks = ticksOf(n);
      expect(ticks.length).toBeLessThan(12);
      expect([ticks[0], ticks.at(-1)]).toEqual([1, n]);
    }
  });

  it('give every row a band of its own, whatever the names', () => {
    const plot = rowPlot(lookOf({ theme: 'light', size: 'column' }), {
      names: ['same', 'same', 'x'.repeat(500)],
      right: 8,
    });
    expect(plot.y.domain).toEqual([0, 1, 2]);
    expect(plot.margins.marginLeft).toBeLessThan(146);
  });
});
