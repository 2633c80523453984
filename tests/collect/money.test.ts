import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costMicros, microsToUsd, parseDecimal, usdToMicros } from '../../src/collect/money.js';

describe('money in micro-USD', () => {
  it('gives the published reservation for 4,096 prompt and 16,384 output tokens', () => {
    const price = { prompt: '2', completion: '6', request: '0' };
    expect(costMicros({ price, promptTokens: 4096, completionTokens: 16_384 })).toBe(106_496);
  });

  it('is rounded up once, at the end', () => {
    const price = { prompt: '0.1', completion: '0.1', request: '0.1' };
    expect(costMicros({ price, promptTokens: 1, completionTokens: 1 })).toBe(1);
    expect(costMicros({ price, promptTokens: 5, completionTokens: 4 })).toBe(1);
    expect(costMicros({ price, promptTokens: 5, completionTokens: 5 })).toBe(2);
    expect(costMicros({ price, promptTokens: 0, completionTokens: 0 })).toBe(1);
  });

  it('is read from the numbers that a JSON reply may hold', () => {
    expect(usdToMicros(1e-7)).toBe(1);
    expect(usdToMicros(0)).toBe(0);
    expect(usdToMicros(0.000_123)).toBe(123);
    expect(usdToMicros('0.0000001')).toBe(1);
    expect(usdToMicros('12.5')).toBe(12_500_000);
  });

  it.each(['-1', 'NaN', '', '1.2.3', '0x10', '1e999', 'Infinity', ' '])('is not read from %j', (text) => {
    expect(() => parseDecimal(text)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
  });

  it('is booked at the exact product or less than one micro-USD above it', () => {
    const cents = fc.integer({ min: 0, max: 5_000_000 });
    const tokens = fc.integer({ min: 0, max: 200_000 });
    fc.assert(
      fc.property(cents, cents, tokens, tokens, (a, b, promptTokens, completionTokens) => {
        const price = { prompt: String(a / 1000), completion: String(b / 1000), request: '0' };
        const exact = BigInt(a) * BigInt(promptTokens) + BigInt(b) * BigInt(completionTokens);
        const booked = BigInt(costMicros({ price, promptTokens, completionTokens })) * 1000n;
        expect(booked >= exact && booked - exact < 1000n).toBe(true);
      }),
    );
  });

  it('is printed without losing a digit', () => {
    expect(microsToUsd(0)).toBe('0');
    expect(microsToUsd(1)).toBe('0.000001');
    expect(microsToUsd(2_500_000)).toBe('2.5');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (n) => {
        expect(usdToMicros(microsToUsd(n))).toBe(n);
      }),
    );
  });
});
