import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairCount } from '../../src/engine/design.js';
import { MAP_STATUS, type PortfolioRequest } from '../../src/engine/maps.js';
import { referenceMapKernels } from '../../src/engine/reference/maps.js';
import { openWasmMapKernels } from '../../src/engine/wasm/maps.js';

const wasm = openWasmMapKernels();

/** Values with many ties and many awkward fractions. */
const value = fc.oneof(fc.constantFrom(0, 0.5, -0.25, 1), fc.double({ min: -1, max: 1, noNaN: true }));
const doubles = (length: number, of = value) =>
  fc.array(of, { minLength: length, maxLength: length }).map((v) => Float64Array.from(v));
const words = (length: number, of = fc.nat(0xffff_ffff)) =>
  fc.array(of, { minLength: length, maxLength: length }).map((v) => Uint32Array.from(v));

const batch = (n: number, k: number, tasks: number): fc.Arbitrary<PortfolioRequest> =>
  fc.record({
    choices: fc.constant(n),
    select: fc.constant(k),
    singles: doubles(n * tasks),
    pairs: doubles(pairCount(n) * tasks),
    weights: doubles(2 * tasks, fc.constantFrom(0.8, 0.2, 0.65, 0.35, 1, 0)),
    allowed: words(tasks, fc.constantFrom(0xffff_ffff, 0b1101_1011_0111_1011, 0b11_0000_1111)),
    conflicts: words(
      Math.ceil(pairCount(n) / 32) * tasks,
      fc.oneof(
        fc.constant(0),
        fc.nat(0xffff_ffff).map((w) => w & 0x1111_0101),
      ),
    ),
    leastFeasible: fc.constantFrom(1, 4),
    leastRange: fc.constant(1e-6),
  });

const eightThree = (values: Partial<PortfolioRequest> = {}): PortfolioRequest => ({
  choices: 8,
  select: 3,
  singles: Float64Array.from({ length: 8 }, (_, i) => i / 10),
  pairs: new Float64Array(28),
  weights: Float64Array.of(0.8, 0.2),
  allowed: Uint32Array.of(0xff),
  conflicts: Uint32Array.of(0),
  leastFeasible: 4,
  leastRange: 1e-6,
  ...values,
});

describe('the kernel portfolioMaps', () => {
  it('gives the bits of the reference for 3 of 8', () => {
    fc.assert(
      fc.property(
        fc.nat(5).chain((tasks) => batch(8, 3, tasks)),
        (request) => {
          expect(wasm.portfolioMaps(request)).toEqual(referenceMapKernels.portfolioMaps(request));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('gives the bits of the reference for any k of n', () => {
    const shapes = fc
      .integer({ min: 1, max: 9 })
      .chain((n) => fc.integer({ min: 1, max: n }).chain((k) => batch(n, k, 2)));
    fc.assert(
      fc.property(fc.oneof(shapes, batch(12, 4, 1), batch(16, 2, 2)), (request) => {
        expect(wasm.portfolioMaps(request)).toEqual(referenceMapKernels.portfolioMaps(request));
      }),
      { numRuns: 150 },
    );
  });

  it('counts 12,870 keys at 8 of 16', () => {
    const request = {
      ...eightThree(),
      choices: 16,
      select: 8,
      singles: Float64Array.from({ length: 16 }, (_, i) => Math.sqrt(i)),
      pairs: Float64Array.from({ length: 120 }, (_, i) => Math.sin(i)),
      allowed: Uint32Array.of(0xffff),
      conflicts: new Uint32Array(4),
    };
    const maps = wasm.portfolioMaps(request);
    expect(maps.keys).toBe(12_870);
    expect(maps).toEqual(referenceMapKernels.portfolioMaps(request));
  });

  it('takes the range over feasible portfolios only and sends the rest to zero', () => {
    const maps = wasm.portfolioMaps(eightThree({ allowed: Uint32Array.of(0b1111) }));
    const positive = [...maps.scores].filter((score) => score > 0);
    expect(maps.feasible[0]).toBe(4);
    expect(positive.sort((a, b) => a - b)).toEqual([3333, 6667, 10_000]);
    expect(maps.optimal[0]).toBe(21);
  });

  it('says why a task has no map', () => {
    const status = (values: Partial<PortfolioRequest>) => wasm.portfolioMaps(eightThree(values)).status[0];
    expect(status({})).toBe(MAP_STATUS.OK);
    expect(status({ allowed: Uint32Array.of(0b111) })).toBe(MAP_STATUS.FEW_FEASIBLE);
    expect(status({ singles: new Float64Array(8) })).toBe(MAP_STATUS.FLAT);
    expect(status({ singles: Float64Array.of(0, 0, 0, 0, 1, 1, 1, 1) })).toBe(MAP_STATUS.TIED);
  });

  it('rounds half to even: 0.5, 2.5 and 3.5 basis points', () => {
    const steps = [0, 0.5, 2.5, 3.5, 10_000];
    const singles = Float64Array.from({ length: 5 }, (_, i) => steps[i]! / 10_000);
    const request = {
      ...eightThree({ singles, weights: Float64Array.of(1, 0) }),
      choices: 5,
      select: 1,
      pairs: new Float64Array(10),
    };
    for (const kernels of [wasm, referenceMapKernels]) {
      expect([...kernels.portfolioMaps(request).scores]).toEqual([0, 0, 2, 4, 10_000]);
    }
  });

  it('rounds a half in the mean to even', () => {
    const singles = Float64Array.of(0, 1, 0.5, 0.0002);
    const request = {
      ...eightThree({ singles, weights: Float64Array.of(1, 0) }),
      choices: 4,
      select: 1,
      pairs: new Float64Array(6),
    };
    for (const kernels of [wasm, referenceMapKernels]) {
      const maps = kernels.portfolioMaps(request);
      expect([...maps.scores]).toEqual([0, 10_000, 5_000, 2]);
      expect(maps.chance[0]).toBe(3750);
    }
  });
});
