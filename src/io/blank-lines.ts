/** Bytes of the blank, as `trim` takes it, that begins at `at`; 0 for anything else. */
function blankAt(bytes: Uint8Array, at: number): number {
  const code = bytes[at]!;
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13) ? 1 : 0;
  const next = bytes[at + 1]!;
  if (code === 0xc2) return next === 0xa0 ? 2 : 0;
  const last = bytes[at + 2]!;
  const isBlank =
    (code === 0xe2 &&
      next === 0x80 &&
      ((last >= 0x80 && last <= 0x8a) || (last >= 0xa8 && last <= 0xaf && last !== 0xaa))) ||
    (code === 0xe2 && next === 0x81 && last === 0x9f) ||
    (code === 0xe3 && next === 0x80 && last === 0x80) ||
    (code === 0xe1 && next === 0x9a && last === 0x80) ||
    (code === 0xef && next === 0xbb && last === 0xbf);
  return isBlank ? 3 : 0;
}

/** Tells whether a line that begins with a byte can be blank. */
export const mayBeBlank = (first: number): boolean => first <= 32 || first >= 0x80;

/**
 * Passes over the lines of nothing but blanks from `at` on, where a line begins, at the speed of memory: a file of a gigabyte may hold as many (reading 1.16). Returns where
 * the first other line begins, or `end`, and how many line ends were passed. `blank` gives the bytes of the blank at a place, or 0.
 */
export function pastBlankLines(
  bytes: Uint8Array,
  at: number,
  end: number,
  blank = blankAt,
): { readonly at: number; readonly lines: number } {
  let start = at;
  let lines = 0;
  for (let i = at; i < end; ) {
    if (bytes[i] === 10) {
      i += 1;
      lines += 1;
      start = i;
      continue;
    }
    const size = blank(bytes, i);
    if (size === 0) return { at: start, lines };
    i += size;
  }
  return { at: end, lines };
}
