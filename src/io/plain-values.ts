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

/** Gives a value as a text, a number, a truth value or null: dates in their ISO form, whatever has parts as JSON. */
function plainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value !== 'object') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
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
