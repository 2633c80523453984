/**
 * Gives the number with fewest decimals, seven at most, that a float of `bits` bits of fraction stands for: 0.731 for the float that is nearest
 * to it. A float that has more decimals stays as it is.
 */
export function shortDecimal(float: number, bits: number): number {
  if (Number.isInteger(float) || !Number.isFinite(float)) return float;
  const half = 2 ** (Math.floor(Math.log2(Math.abs(float))) - bits - 1);
  for (let power = 10; power <= 1e7; power *= 10) {
    const short = Math.round(float * power) / power;
    if (Math.abs(short - float) < half) return short;
  }
  return float;
}

/** Gives 64-bit integers as doubles where each is one, and 32-bit floats as the short decimals they stand for; anything else as it is. */
export function plainNumbers(values: ArrayLike<unknown>): ArrayLike<unknown> {
  if (values instanceof Float32Array) return Float64Array.from(values, (float) => shortDecimal(float, 23));
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) return values;
  const doubles = Float64Array.from(values as BigInt64Array, Number);
  return doubles.every(Number.isSafeInteger) ? doubles : Array.from(values as BigInt64Array);
}

/** A day or a moment, in milliseconds since 1970, in its ISO form; null for none, and past what a date holds. */
export function dateText(value: unknown): string | null {
  const date = value instanceof Date ? value : new Date(Number(value ?? Number.NaN));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A time of day, in thousandths of a second to the power of its unit, as `13:30:00`; null for none, and past a day. */
export function timeText(value: unknown, unit: number): string | null {
  if (value === null || value === undefined) return null;
  const date = new Date((Number(value) / 1000 ** unit) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(11, 19);
}

/** Gives a value as a text, a number, a truth value or null: dates in their ISO form, whatever has parts as JSON. */
function plainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value !== 'object') return value;
  if (value instanceof Date) return dateText(value);
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
}

/** Gives values one by one as texts, numbers, truth values and null; a bigint stays one where no double is the same. */
export function plainValues(values: ArrayLike<unknown>): unknown[] {
  const plain = new Array<unknown>(values.length);
  for (let i = 0; i < plain.length; i += 1) {
    const value = values[i];
    plain[i] = typeof value === 'string' || typeof value === 'number' ? value : plainValue(value);
  }
  return plain;
}
