import { once } from '../util/once.js';

/** A column as the list of its different values and, for each row, the place of its value in that list. */
export interface CodedColumn {
  /** Different values in the order in which rows first have them; where there is none, `null` is one of them. */
  readonly values: readonly unknown[];
  /** For each row a place in `values`. */
  readonly codes: ArrayLike<number>;
}

/** A column in either form. Each is made when it is asked for, once. */
export interface Column {
  /** Values by row: a typed array, or texts, numbers, bigints, booleans and null. */
  values(): ArrayLike<unknown>;
  coded(): CodedColumn;
}

/** Codes values; those that are the same in the sense of a `Map` share a code, undefined is null. */
function codesOf(column: ArrayLike<unknown>): CodedColumn {
  const places = new Map<unknown, number>();
  const codes = new Int32Array(column.length);
  let last: unknown;
  let code = -1;
  for (let row = 0; row < codes.length; row += 1) {
    const value = column[row] ?? null;
    if (value !== last || code < 0) {
      const known = places.get(value);
      code = known ?? places.size;
      if (known === undefined) places.set(value, code);
      last = value;
    }
    codes[row] = code;
  }
  return { values: [...places.keys()], codes };
}

/** Gives a coded column value by value. */
export function valuesOfCodes({ values, codes }: CodedColumn): unknown[] {
  const column = new Array<unknown>(codes.length);
  for (let row = 0; row < column.length; row += 1) column[row] = values[codes[row]!];
  return column;
}

/** Makes a column of its values. */
export function columnOfValues(make: () => ArrayLike<unknown>): Column {
  const values = once(make);
  return { values, coded: once(() => codesOf(values())) };
}

/** Makes a column of its codes. */
export function columnOfCodes(make: () => CodedColumn): Column {
  const coded = once(make);
  return { values: once(() => valuesOfCodes(coded())), coded };
}

/** Numbers codes anew by first appearance, without values that no row has. `value` gives the value of a code. */
export function tidyCodes(codes: ArrayLike<number>, size: number, value: (code: number) => unknown): CodedColumn {
  const tidy = new Int32Array(codes.length);
  const values: unknown[] = [];
  const add = (code: number) => values.push(value(code)) - 1;
  if (size > 4 * codes.length + 64) {
    const known = new Map<number, number>();
    for (let row = 0; row < tidy.length; row += 1) {
      const code = codes[row]!;
      let place = known.get(code);
      if (place === undefined) known.set(code, (place = add(code)));
      tidy[row] = place;
    }
  } else {
    const known = new Int32Array(size).fill(-1);
    for (let row = 0; row < tidy.length; row += 1) {
      const code = codes[row]!;
      if (known[code]! < 0) known[code] = add(code);
      tidy[row] = known[code]!;
    }
  }
  return { values, codes: tidy };
}

/**
 * Puts coded columns behind one another: equal values of two of them get one code. Each numbers its values by first appearance, without
 * any that no row has, as `tidyCodes` gives them; then the whole does too.
 */
export function joinedCodes(chunks: readonly CodedColumn[]): CodedColumn {
  if (chunks.length === 1) return chunks[0]!;
  const known = new Map<unknown, number>();
  const codes = new Int32Array(chunks.reduce((sum, chunk) => sum + chunk.codes.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    const numbers = Int32Array.from(chunk.values, (value) => {
      const code = known.get(value) ?? known.size;
      known.set(value, code);
      return code;
    });
    const own = chunk.codes;
    for (let i = 0; i < own.length; i += 1, at += 1) codes[at] = numbers[own[i]!]!;
  }
  return { values: [...known.keys()], codes };
}
