/** Gives 64-bit integers as doubles where each is one; anything else as it is. */
export function plainNumbers(values: ArrayLike<unknown>): ArrayLike<unknown> {
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
