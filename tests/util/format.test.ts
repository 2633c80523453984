import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, fixed, general, placesFor, pointsText } from '../../src/util/format.js';

describe("C's number formats", () => {
  it('round exact ties half to even, where toFixed does not', () => {
    expect(fixed(1 / 128, 6)).toBe('0.007812');
    expect((1 / 128).toFixed(6)).toBe('0.007813');
    expect([0.5, 1.5, 2.5, -0.5, -1.5].map((x) => fixed(x, 0))).toEqual(['0', '2', '2', '0', '-2']);
    expect(fixed(0.125, 2)).toBe('0.12');
    expect(fixed(0.375, 2)).toBe('0.38');
    expect(fixed(1.005, 2)).toBe('1.00');
    expect(general(1 + 1 / 2048, 11)).toBe('1.0004882812');
  });

  it('never print a negative zero', () => {
    expect([-0, -1e-9, -0.0000004].map((x) => fixed(x, 6))).toEqual(Array(3).fill('0.000000'));
    expect(general(-0, 10)).toBe('0');
  });

  it('agree with printf', () => {
    const g: [number, string][] = [
      [0.0001, '0.0001'],
      [0.00001, '1e-05'],
      [9.99990000099999e-6, '9.999900001e-06'],
      [1234567890, '1234567890'],
      [12345678901, '1.23456789e+10'],
      [9999999999.5, '1e+10'],
      [99999.999994, '99999.99999'],
      [99999.999999, '100000'],
      [1, '1'],
      [100, '100'],
      [0.1 + 0.2, '0.3'],
      [1e300, '1e+300'],
      [5e-324, '4.940656458e-324'],
    ];
    for (const [value, text] of g) expect(general(value, 10), String(value)).toBe(text);
    expect(fixed(1e21, 2)).toBe('1000000000000000000000.00');
    expect(fixed(51.346179775280895, 8)).toBe('51.34617978');
  });

  it('agree with the built-in formats away from ties', () => {
    const value = fc.double({ min: -1e15, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 10 }), (x, places) => {
        fc.pre(!Number.isInteger(x * 2 ** 11));
        expect(Number(fixed(x, places))).toBe(Number(x.toFixed(places)) + 0);
        expect(Number(general(x, places + 1))).toBe(Number(x.toPrecision(places + 1)));
      }),
    );
  });

  it('agree with exact arithmetic on fractions of powers of two, where ties are', () => {
    const halfEven = (over: bigint, under: bigint): bigint => {
      const [quotient, twice] = [over / under, (over % under) * 2n];
      return twice > under || (twice === under && quotient % 2n === 1n) ? quotient + 1n : quotient;
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40_000 }),
        fc.nat({ max: 12 }),
        fc.nat({ max: 8 }),
        (k, halvings, places) => {
          const x = k / 2 ** halvings;
          const digits = halfEven(BigInt(k) * 10n ** BigInt(places), 2n ** BigInt(halvings));
          expect(
            fixed(x, places)
              .replace('.', '')
              .replace(/^0+(?=.)/, ''),
          ).toBe(String(digits));
          const exponent = Number(x.toExponential().split('e')[1]);
          const power = 6 - exponent;
          const seven = halfEven(
            BigInt(k) * 10n ** BigInt(Math.max(power, 0)),
            2n ** BigInt(halvings) * 10n ** BigInt(Math.max(-power, 0)),
          );
          expect(Number(general(x, 7))).toBe(Number(`${seven}e${-power}`));
        },
      ),
    );
  });

  it('are refused for what has no digits', () => {
    expect(() => fixed(Number.NaN, 6)).toThrow(/NaN/);
    expect(() => general(Number.POSITIVE_INFINITY, 6)).toThrow(/Infinity/);
  });
});

describe('numbers for readers', () => {
  it('have the singular for one thing and separators for thousands', () => {
    expect(['rank', 'data set'].map((noun) => counted(1, noun))).toEqual(['1 rank', '1 data set']);
    expect([counted(0, 'task'), counted(12_345, 'task')]).toEqual(['0 tasks', '12,345 tasks']);
  });

  it('have as many places as a range of scores asks for', () => {
    expect(placesFor([80.75, 16])).toBe(1);
    expect(placesFor([1512, 1300])).toBe(1);
    expect(placesFor([0.75, 0.5])).toBe(3);
    expect(placesFor([1, 0])).toBe(3);
    expect(placesFor([-5, 3])).toBe(2);
    expect(placesFor([99.91, 99.97])).toBe(3);
    expect(placesFor([0.0045])).toBe(5);
    expect(placesFor([0.11133333333333333, 0.11133333333333334])).toBe(3);
    expect([placesFor([]), placesFor([0, 0]), placesFor([1e-300])]).toEqual([1, 1, 15]);
  });

  it('are written in sentences with two digits at least, and without decimals where they are large', () => {
    expect([0.0625, 2.5, -0.5, 0, 12_345.6, -1e21].map((value) => pointsText(value, 1))).toEqual([
      '0.0625',
      '2.5',
      '-0.500',
      '0.0',
      '12,346',
      '-1,000,000,000,000,000,000,000',
    ]);
  });
});
