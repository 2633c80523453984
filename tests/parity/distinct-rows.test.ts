import { describe, expect, it } from 'vitest';
import { distinctRows } from '../../src/engine/distinct-rows.js';
import { type ClusterDesign, type ExactFlipRequest, pairCount } from '../../src/engine/index.js';
import { bothEngines } from '../support/both-engines.js';
import { buildDesign } from '../support/random-design.js';

/** Scores of 0 and 1 over few tasks, which most rows share with others. */
const alike = (more: { readonly tasks: number; readonly chance: boolean; readonly strata?: number }): ClusterDesign =>
  buildDesign({
    rows: 80,
    clusters: more.tasks,
    strata: 1,
    largest: 1,
    degenerate: true,
    negative: false,
    seed: 6,
    ...more,
  });

describe('rows that are alike', () => {
  const engines = bothEngines();

  it.each([
    { tasks: 4, chance: true },
    { tasks: 4, chance: false, strata: 2 },
  ])('count in flips as each does by itself: $tasks tasks, chance $chance', async (shape) => {
    const design = alike(shape);
    expect(distinctRows(design)!.design.rows).toBeLessThan(design.rows / 2);
    const { ranked } = design;
    const none = new Uint8Array(pairCount(ranked));
    const asked: ExactFlipRequest[] = [
      { maxT: true, stepDown: { alpha: 0.3 }, rankSets: { alpha: 0.3, excluded: none } },
      { test: 'centred', stepDown: { alpha: 0.3, excluded: none } },
      { stepDown: { alpha: 0.3, excluded: none.map((_, pair) => Number(pair % 3 === 0)) } },
    ];
    for (const request of asked) {
      const [expected, found] = await Promise.all(
        [engines.reference, engines.wasm].map((engine) => engine.exactFlips(design, request)),
      );
      expect(found).toEqual(expected);
    }
    const drawn = { ...asked[0]!, draws: 300, random: { kind: 'philox', seed: 4n, stream: 1 } } as const;
    expect(await engines.wasm.flips(design, drawn)).toEqual(await engines.reference.flips(design, drawn));
  });

  it('are two at most among the rows that stand for all, and all are stood for', () => {
    const design = alike({ tasks: 4, chance: true });
    const { design: few, copies } = distinctRows(design)!;
    const key = (of: ClusterDesign, m: number) =>
      [...of.partStratum.keys()].map((p) => of.partTotals[p * of.rows + m]).join();
    const tally = new Map<string, number>();
    for (let m = 0; m < few.ranked; m++) tally.set(key(few, m), (tally.get(key(few, m)) ?? 0) + 1);
    expect(Math.max(...tally.values())).toBe(2);
    expect(copies.reduce((sum, n) => sum + n, 0)).toBe(design.rows);
    expect(key(few, few.ranked)).toBe(key(design, design.ranked));
  });

  it('are not looked for among few rows, or where hardly any are', () => {
    const shape = { tasks: 12, clusters: 12, strata: 1, chance: false, degenerate: false, negative: false, seed: 2 };
    expect(distinctRows(buildDesign({ ...shape, rows: 90, largest: 1 }))).toBeNull();
    expect(distinctRows(buildDesign({ ...shape, rows: 40, tasks: 2, clusters: 2, largest: 1 }))).toBeNull();
  });
});
