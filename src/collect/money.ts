import { fail, shown } from '../util/error.js';

/** Prices are held as integers of 1e-12 micro-USD, so that a product with a token count is exact. */
const DIGITS = 12;
const ONE = 10n ** BigInt(DIGITS);
const DECIMAL = /^(\d{1,15})(?:\.(\d{1,24}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads a non-negative decimal as an integer of 1e-12, rounded up. Takes a string, or a number by its shortest digits.
 * One USD per million tokens is one micro-USD per token, so a price in a plan is micro-USD per token as it stands.
 * Errors: SCHEMA_INVALID.
 */
export function parseDecimal(value: string | number): bigint {
  const text = String(value).trim();
  const match = DECIMAL.exec(text);
  if (match === null) {
    fail(
      'SCHEMA_INVALID',
      null,
      `${shown(value)} is not a non-negative decimal`,
      'Write a price or an amount as digits with an optional fraction, for example "2.50".',
    );
  }
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const power = DIGITS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (power >= 0) return digits * 10n ** BigInt(power);
  return ceilDivide(digits, 10n ** BigInt(-power));
}

/** Tells whether a value can be read by `parseDecimal`. */
export function isDecimal(value: string | number): boolean {
  return DECIMAL.test(String(value).trim());
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

function toMicros(scaled: bigint): number {
  const micros = ceilDivide(scaled, ONE);
  if (micros > BigInt(Number.MAX_SAFE_INTEGER)) {
    fail('BOUND_EXCEEDED', null, `${micros} micro-USD is past what can be counted`);
  }
  return Number(micros);
}

/** Converts an amount in USD to whole micro-USD, rounded up (collection 0.1). Errors: SCHEMA_INVALID, BOUND_EXCEEDED. */
export function usdToMicros(usd: string | number): number {
  return toMicros(parseDecimal(usd) * 1_000_000n);
}

/** Writes whole micro-USD as USD, a decimal string without trailing zeros, for people and reports. */
export function microsToUsd(micros: number): string {
  const whole = Math.floor(micros / 1_000_000);
  const rest = String(micros % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return rest === '' ? String(whole) : `${whole}.${rest}`;
}

/** Prices of a route: prompt and completion in USD per million tokens, request in USD per million requests. */
interface Price {
  readonly prompt: string;
  readonly completion: string;
  readonly request: string;
}

/** Computes what a request costs at frozen prices, in whole micro-USD, rounded up once. */
export function costMicros(options: {
  readonly price: Price;
  readonly promptTokens: number;
  readonly completionTokens: number;
}): number {
  const { price, promptTokens, completionTokens } = options;
  return toMicros(
    parseDecimal(price.prompt) * BigInt(promptTokens) +
      parseDecimal(price.completion) * BigInt(completionTokens) +
      parseDecimal(price.request),
  );
}
