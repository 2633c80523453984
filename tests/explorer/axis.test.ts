import { describe, expect, it } from 'vitest';
import { axisOver } from '../../src/explorer/interval-axis.js';
import { apartWords } from '../../src/explorer/result-verdict.js';
import type { Inference } from '../../src/inference/result.js';

describe('an axis', () => {
  it.each([
    [[0.15, 1], 64, 6],
    [[0.275, 0.925], 64, 3],
    [[0, 100_000_000], 112, 6],
    [[-0.00035, 0.00041], 60, 3],
    [[0, 1], 900, 12],
  ])('over %j of %i pixels has numbers that stand apart', (values, width, most) => {
    const { ticks } = axisOver(values, width, most);
    const gaps = ticks.slice(1).map(({ at, text }, k) => at - ticks[k]!.at - 4 * (text.length + ticks[k]!.text.length));
    expect(ticks.length).toBeGreaterThan(0);
    expect(gaps.every((gap) => gap >= 6)).toBe(true);
  });

  it.each([
    [[27.3, 71.8], 64, 3],
    [[0.31, 0.94], 60, 3],
    [[41, 69], 64, 3],
  ])('over %j of %i pixels has more than one number, as one is no scale', (values, width, most) => {
    expect(axisOver(values, width, most).ticks.length).toBeGreaterThan(1);
  });

  it('over nothing but zero spans round numbers about it', () => {
    const { ticks, at } = axisOver([0, 0], 520, 7);
    expect([at(0), ticks[0]!.text, ticks.at(-1)!.text]).toEqual([260, '-1.0', '1.0']);
  });
});

describe('how many pairs are told apart', () => {
  const said = (models: number, resolvedPairs: number, against: string | null = null) =>
    apartWords({ models: Array.from({ length: models }), resolvedPairs, plan: { against } } as unknown as Inference);

  it('is said where the steps between neighbours leave it open, and nowhere else', () => {
    expect(said(12, 33)).toBe('33 of 66 pairs of models are told apart: All pairs shows which, and by how much.');
    expect(said(3, 1)).toBe('1 of 3 pairs of models is told apart: All pairs shows which, and by how much.');
    expect(said(61, 7)).toBe('7 of 1,830 pairs of models are told apart: All pairs shows which, and by how much.');
    expect(said(1000, 499_500)).toBe('All 499,500 pairs of models are told apart.');
    expect([said(2, 1), said(12, 0), said(12, 5, 'm0')]).toEqual([null, null, null]);
  });
});
