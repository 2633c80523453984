/** A column as the list of its different values and, for each row, the place of its value in that list. */
export interface CodedColumn {
  /** Different values in the order in which rows first have them; where there is none, `null` is one of them. */
  readonly values: readonly unknown[];
  /** For each row a place in `values`. */
  readonly codes: ArrayLike<number>;
}

/** Codes the values of a column. Values that are the same in the sense of a `Map` share a code; undefined is null. */
export function coded(column: ArrayLike<unknown>): CodedColumn {
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
