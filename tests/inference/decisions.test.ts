import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holmCouldTurn } from '../../src/inference/decisions/could-turn.js';
import { decidedTests } from '../../src/inference/decisions/deciding-p.js';
import { DECISIONS, decisions } from '../../src/inference/decisions/decisions.js';
import type { ExactTests } from '../../src/inference/decisions/exact-p.js';
import { chooseMultiplicity, clustersNeeded, flipsNeeded, floorP } from '../../src/inference/decisions/multiplicity.js';
import { holm } from '../../src/inference/p-values.js';
import type { Multiplicity } from '../../src/inference/plan.js';

/** Tests of which nothing is known but c: every p is sampled unless `p` says otherwise. */
const known = (differing: readonly number[], p: readonly number[] = differing.map(() => 0)): ExactTests => ({
  differing: Int32Array.from(differing),
  p: Float64Array.from(p),
});

interface Case {
  readonly exceedances: readonly number[];
  readonly exact: ExactTests;
  readonly flips?: number;
  readonly clusters: number;
  readonly multiplicity?: Multiplicity;
  readonly direction?: readonly number[];
  readonly stepDown?: { exceedances: number[]; draws: number; enumerated: boolean; attainable: number[] };
}

function decide({ exceedances, exact, flips = 999, clusters, multiplicity = 'holm', direction, stepDown }: Case) {
  const tests = decidedTests({ exceedances, flips, exact, multiplicity, stepDown, alpha: 0.05 });
  const said = decisions({
    tests,
    differing: exact.differing,
    direction: direction ?? exceedances.map(() => 1),
    clusters,
    flips,
    multiplicity,
    stepDown,
    alpha: 0.05,
  });
  const decision = Array.from(said.decision, (code) => DECISIONS[code]);
  const untestable = decision.map((one) => (one === 'untestable' ? said.untestable : null));
  return { ...tests, ...said, decision, untestable };
}

describe('the p that decides (decisions 2.2)', () => {
  it('is the exact one where it is known, else the sampled one, and Holm adjusts both together', () => {
    const found = decide({ exceedances: [50, 3], exact: known([10, 40], [50 / 1024, 0]), clusters: 40 });
    expect([...found.p]).toEqual([50 / 1024, 4 / 1000]);
    expect([...found.decidedExactly]).toEqual([1, 0]);
    expect([...found.adjusted]).toEqual([50 / 1024, 8 / 1000]);
    expect([...found.rejected]).toEqual([1, 1]);
  });

  it('is never below its floor: 2 / 2^10 where no flip of 999 reached a pair with 10 clusters', () => {
    const found = decide({ exceedances: [0], exact: known([10]), clusters: 10 });
    expect(found.p[0]).toBe(2 / 1024);
    expect(found.floor[0]).toBe(2 / 1024);
  });

  it('is, under max-T, the larger of the sampled step-down p and the exact p', () => {
    const found = decide({
      exceedances: [1, 1, 1],
      exact: known([9, 9, 20], [0.06, 0.01, 0]),
      clusters: 20,
      multiplicity: 'max-t',
      stepDown: { exceedances: [9, 19, 29], draws: 999, enumerated: false, attainable: [1, 1, 1] },
    });
    expect([...found.adjusted]).toEqual([0.06, 0.02, 0.03]);
    expect([...found.rejected]).toEqual([0, 1, 1]);
    expect([...found.decidedExactly]).toEqual([0, 0, 0]);
    expect(found.decision).toEqual(['open', 'higher', 'higher']);
  });

  it('is, under max-T with all sign vectors, the share of them', () => {
    const found = decide({
      exceedances: [1, 1],
      exact: known([6, 6], [2 / 64, 4 / 64]),
      clusters: 6,
      multiplicity: 'max-t',
      stepDown: { exceedances: [2, 6], draws: 64, enumerated: true, attainable: [1, 1] },
    });
    expect([...found.adjusted]).toEqual([2 / 64, 6 / 64]);
    expect([...found.decidedExactly]).toEqual([1, 1]);
    expect([...found.couldTurn]).toEqual([0, 0]);
  });
});

describe('what is said of a pair (decisions 2.3)', () => {
  it('is untestable by design with one pair over 5 clusters: 2 / 32 is not below .05, 6 clusters are needed', () => {
    const found = decide({ exceedances: [0], exact: known([5], [2 / 32]), clusters: 5 });
    expect(found.decision).toEqual(['untestable']);
    expect(found.untestable).toEqual(['by_design']);
    expect(found.clustersNeeded).toBe(6);
    expect(found.flipsNeeded).toBeNull();
  });

  it('is untestable because the two differ in few clusters where the design has enough', () => {
    const found = decide({ exceedances: [999, 0, 700], exact: known([4, 30, 30], [1, 0, 0]), clusters: 30 });
    expect(found.decision).toEqual(['untestable', 'higher', 'open']);
    expect(found.untestable).toEqual(['differ_in_few', null, null]);
  });

  it('follows the order of Holm over the floors: 3 x 2/2^7 fails, so the two larger floors fail with it', () => {
    const found = decide({
      exceedances: [500, 500, 500],
      exact: known([7, 7, 7], [0.5, 0.5, 0.5]),
      clusters: 8,
    });
    expect(found.decision).toEqual(['open', 'open', 'open']);
    const short = decide({ exceedances: [9, 9, 9], exact: known([6, 6, 9], [0.5, 0.5, 0.5]), clusters: 9 });
    // Floors .03125, .03125, .00390625: 3 x the least is .0117, then 2 x .03125 fails.
    expect(short.decision).toEqual(['untestable', 'untestable', 'open']);
    expect(short.untestable).toEqual(['differ_in_few', 'differ_in_few', null]);
  });

  it('is identical where no cluster differs, and follows the sign where the test rejects', () => {
    const found = decide({
      exceedances: [999, 0, 0],
      exact: known([0, 30, 30], [1, 0, 0]),
      clusters: 30,
      direction: [0, -1, 1],
    });
    expect(found.decision).toEqual(['identical', 'lower', 'higher']);
  });

  it('calls for flips only where they are what lacks', () => {
    const sampled = { exceedances: Array.from({ length: 100 }, () => 0), exact: known(new Array(100).fill(40)) };
    const few = decide({ ...sampled, clusters: 40, flips: 999 });
    expect(few.decision[0]).toBe('open');
    expect(few.flipsNeeded).toBe(2000);
    expect(decide({ ...sampled, clusters: 40, flips: 1999 }).flipsNeeded).toBe(2000);
    expect(decide({ ...sampled, clusters: 40, flips: 2000 }).flipsNeeded).toBeNull();
    // 100 x 2 / 2^11 is above .05: no number of flips would do.
    const small = decide({ ...sampled, exact: known(new Array(100).fill(11)), clusters: 11 });
    expect(small.flipsNeeded).toBeNull();
    expect(small.untestable[0]).toBe('by_design');
    expect(small.clustersNeeded).toBe(12);
  });

  it('is, under max-T, untestable where the largest statistic would not do or the floor is too high', () => {
    const found = decide({
      exceedances: [1, 1, 1],
      exact: known([30, 5, 30], [0, 2 / 32, 0]),
      clusters: 30,
      multiplicity: 'max-t',
      stepDown: { exceedances: [900, 1, 900], draws: 999, enumerated: false, attainable: [0, 1, 1] },
    });
    expect(found.decision).toEqual(['untestable', 'untestable', 'open']);
    expect(found.untestable).toEqual(['differ_in_few', 'differ_in_few', null]);
    expect(found.clustersNeeded).toBe(6);
  });

  it('is, under max-T with 15 flips, open for want of flips and not untestable', () => {
    const found = decide({
      exceedances: [0],
      exact: known([30]),
      clusters: 30,
      flips: 15,
      multiplicity: 'max-t',
      stepDown: { exceedances: [0], draws: 15, enumerated: false, attainable: [0] },
    });
    expect(found.decision).toEqual(['open']);
    expect(found.flipsNeeded).toBe(20);
  });
});

describe('least numbers of clusters and flips', () => {
  it.each([
    [1, 0.05, 6],
    [3, 0.05, 7],
    [9591, 0.05, 19],
    [1, 0.5, 3],
  ])('%d tests at %d take %d clusters', (tests, alpha, clusters) => {
    expect(clustersNeeded(tests, alpha)).toBe(clusters);
    expect((tests * 2) / 2 ** clusters).toBeLessThan(alpha);
    expect((tests * 2) / 2 ** (clusters - 1)).toBeGreaterThanOrEqual(alpha);
  });

  it.each([1, 7, 351, 9591, 523_776])('%d tests take the least R with m / (R + 1) below alpha', (tests) => {
    const flips = flipsNeeded(tests, 0.05);
    expect(tests * (1 / (flips + 1))).toBeLessThan(0.05);
    expect(tests * (1 / flips)).toBeGreaterThanOrEqual(0.05);
  });

  it('a floor is 1 for no cluster and one, and never 0', () => {
    expect([0, 1, 2, 10, 5000].map(floorP)).toEqual([1, 1, 0.5, 2 / 1024, 2 ** -1022]);
  });
});

describe('the choice of multiplicity (decisions 3.1)', () => {
  const base = { usual: 'holm', tests: 351, clusters: 200, flips: 100_000, alpha: 0.05 } as const;
  it('is that of the command unless Holm could reject nothing', () => {
    expect(chooseMultiplicity(base)).toEqual({ multiplicity: 'holm', reason: 'default' });
    expect(chooseMultiplicity({ ...base, usual: 'max-t' }).multiplicity).toBe('max-t');
    const wide = chooseMultiplicity({ ...base, tests: 9591 });
    expect(wide.multiplicity).toBe('max-t');
    expect(wide.reason).toBe('over 9,591 tests Holm could reject nothing: with 100,000 flips its least p is 0.0959');
  });

  it('sees clusters that are too few, and keeps what was asked for by name', () => {
    const few = chooseMultiplicity({ ...base, tests: 45, clusters: 7 });
    expect(few.multiplicity).toBe('max-t');
    expect(few.reason).toContain('7 clusters');
    expect(chooseMultiplicity({ ...base, tests: 9591, asked: 'holm' })).toEqual({
      multiplicity: 'holm',
      reason: 'asked for',
    });
  });
});

describe('decisions that Monte Carlo error could turn (decisions 3.1)', () => {
  it('are those that differ between the ends of their own p, the others held', () => {
    const share = fc.integer({ min: 0, max: 60 }).map((x) => x / 300);
    const row = fc.tuple(share, share, share).map((three) => [...three].sort((a, b) => a - b));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const [low, p, high] = [0, 1, 2].map((at) => Float64Array.from(rows, (row) => row[at]!));
        const found = holmCouldTurn({ low: low!, p: p!, high: high!, alpha: 0.05 });
        rows.forEach((_, k) => {
          const rejected = (x: number) => holm(p!.map((value, other) => (other === k ? x : value)))[k]! < 0.05;
          expect(Boolean(found[k])).toBe(rejected(low![k]!) !== rejected(high![k]!));
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('are not all of them when one end moves: 20 sure rejections stay sure beside one that is not', () => {
    const p = Float64Array.from({ length: 21 }, (_, k) => (k < 20 ? 1e-4 : 0.049));
    const low = p.map((_, k) => (k < 20 ? 5e-5 : 0.04));
    const high = p.map((_, k) => (k < 20 ? 2e-4 : 0.06));
    expect([...holmCouldTurn({ p, low, high, alpha: 0.05 })]).toEqual([...new Array(20).fill(0), 1]);
  });
});
