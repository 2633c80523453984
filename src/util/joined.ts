/**
 * Joins each pair of names into one, so that different pairs have different names: `a/b`; where two pairs would share a name, all of them
 * in quotes as JSON writes texts: `"x/y"/"z"` and `"x"/"y/z"`.
 */
export function joinedNames(pairs: readonly (readonly [string, string])[], separator: string): string[] {
  const quoted = pairs.map(([a, b]) => `${JSON.stringify(a)}${separator}${JSON.stringify(b)}`);
  const plain = pairs.map(([a, b]) => `${a}${separator}${b}`);
  return new Set(plain).size === new Set(quoted).size ? plain : quoted;
}

/** Makes one key of several names: different names have different keys, whatever characters they hold. */
export const joinedKey = (...names: readonly string[]): string => JSON.stringify(names);
