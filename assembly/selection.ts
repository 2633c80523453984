/**
 * A selection: the line after a marker, as three labels or three candidate names, in the bytes of an answer (assembly/answers.ts).
 *
 *   names    8 starts and ends a task, u32, of its normalised candidate names; 0 where it has none
 */

/** Outcomes by their places, as assembly/answers.ts has them. */
const WRONG_COUNT: i32 = -3;
const UNKNOWN_LABEL: i32 = -4;
const DUPLICATE_LABEL: i32 = -5;
/** What is left to the full reader. */
export const UNSURE: i32 = -100;

/** Longest normalised name that is looked up here, bytes; the host lets no task with a longer one in. */
const LONGEST_NAME: usize = 254;
const spelled = memory.data(256);

// @ts-ignore: decorator
@inline
export function isBlank(code: u32): bool {
  return code == 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
}

/** Of the letters that escape a character in JSON those that stand for a blank: n, r, t, f. */
// @ts-ignore: decorator
@inline
export function isBlankEscape(letter: u32): bool {
  return letter == 110 || letter == 114 || letter == 116 || letter == 102;
}

/** End of the line at `start`, `stop` at the latest; 0 where it holds an escape or a byte past ASCII. */
function lineStop(start: usize, stop: usize, escaped: bool): usize {
  let i = start;
  while (i < stop) {
    const v = v128.load(i);
    // As signed bytes those past ASCII are negative, so one comparison finds them and the control characters.
    let odd = i8x16.lt_s(v, i8x16.splat(32));
    if (escaped) odd = v128.or(odd, i8x16.eq(v, i8x16.splat(92)));
    const mask = i8x16.bitmask(odd);
    if (mask == 0) {
      i += 16;
      continue;
    }
    i += ctz(mask);
    if (i >= stop) break;
    const code = <u32>load<u8>(i);
    if (code >= 128) return 0;
    if (code == 92) {
      const next = <u32>load<u8>(i, 1);
      return isBlankEscape(next) && next != 116 ? i : 0;
    }
    if (isBlank(code) && !isInner(code)) return i;
    i++;
  }
  return stop;
}

/** Reads the line after a marker as labels, else as names; UNSURE where it holds an escape or a byte past ASCII. */
export function readLine(start: usize, stop: usize, escaped: bool, names: usize): i32 {
  const end = lineStop(start, stop, escaped);
  if (end == 0) return UNSURE;
  const labels = labelsAt(start, end);
  return labels >= 0 ? action(labels >> 6, labels >> 3 & 7, labels & 7) : readNames(start, end, names);
}

// @ts-ignore: decorator
@inline
function isInner(code: u32): bool {
  return code == 32 || code == 9 || code == 31;
}

// @ts-ignore: decorator
@inline
function skipInner(at: usize, end: usize): usize {
  let i = at;
  while (i < end && isInner(load<u8>(i))) i++;
  return i;
}

// @ts-ignore: decorator
@inline
function isDecoration(code: u32): bool {
  return code == 42 || code == 95 || code == 96;
}

/** Three labels and what may follow them, filling the line: their numbers packed by threes, or -1. */
function labelsAt(at: usize, end: usize): i32 {
  let labels: i32 = 0;
  let i = at;
  for (let n = 0; n < 3; n++) {
    if (n > 0) {
      i = skipInner(i, end);
      if (i >= end || load<u8>(i) != 44) return -1;
      i = skipInner(i + 1, end);
    }
    if (i >= end) return -1;
    const label = (<i32>load<u8>(i) & 0xdf) - 65;
    if (label < 0 || label > 7) return -1;
    labels = labels << 3 | label;
    i++;
  }
  i = skipInner(i, end);
  while (i < end && isDecoration(load<u8>(i))) i++;
  i = skipInner(i, end);
  if (i + 17 <= end && load<u16>(i) == 0x7c3c && load<u16>(i, 7) == 0x3e7c) {
    const close = (load<u32>(i, 2) & 0xdfdfdfdf) == 0x534f4c43 && (load<u8>(i, 6) & 0xdf) == 69;
    if (close && (load<u64>(i, 9) & 0xdfdfdfdfdfdfdfdf) == 0x45534e4f50534552) {
      i = skipInner(i + 17, end);
    }
  }
  return i >= end ? labels : -1;
}

/** Three candidate names separated by commas, perhaps wrapped in emphasis. */
function readNames(start: usize, stop: usize, names: usize): i32 {
  let at = skipInner(start, stop);
  let end = stop;
  while (end > at && isInner(load<u8>(end - 1))) end--;
  while (at < end && isDecoration(load<u8>(at))) at++;
  while (end > at && isDecoration(load<u8>(end - 1))) end--;
  at = skipInner(at, end);
  while (end > at && isInner(load<u8>(end - 1))) end--;
  let commas = 0;
  let first: usize = 0, second: usize = 0;
  for (let i = at; i < end; i++) {
    if (load<u8>(i) == 44) {
      commas++;
      if (commas == 1) first = i;
      else second = i;
    }
  }
  if (commas != 2) return WRONG_COUNT;
  const a = nameAt(at, first, names);
  if (a < 0) return UNKNOWN_LABEL;
  const b = nameAt(first + 1, second, names);
  if (b < 0) return UNKNOWN_LABEL;
  const c = nameAt(second + 1, end, names);
  return c < 0 ? UNKNOWN_LABEL : action(a, b, c);
}

/** Label number of the candidate whose normalised name the bytes spell, or -1. */
function nameAt(at: usize, end: usize, names: usize): i32 {
  let length: usize = 0;
  let pending = false;
  for (let i = at; i < end; i++) {
    const code = <u32>load<u8>(i);
    if (isInner(code) || code == 95) {
      pending = length > 0;
      continue;
    }
    if (length + 2 > LONGEST_NAME) return -1;
    if (pending) store<u8>(spelled + length++, 32);
    pending = false;
    store<u8>(spelled + length++, code - 65 < 26 ? code | 32 : code);
  }
  for (let label: usize = 0; label < 8; label++) {
    const from = <usize>load<u32>(names + (label << 3));
    const size = <usize>load<u32>(names + (label << 3), 4) - from;
    if (size == length && memory.compare(from, spelled, size) == 0) return <i32>label;
  }
  return -1;
}

/** Action number of three labels in any order, or DUPLICATE_LABEL. */
function action(a: i32, b: i32, c: i32): i32 {
  const low = min(a, min(b, c));
  const high = max(a, max(b, c));
  const mid = a + b + c - low - high;
  if (low == mid || mid == high) return DUPLICATE_LABEL;
  let number = 0;
  for (let first = 0; first < low; first++) number += (7 - first) * (6 - first) >> 1;
  for (let second = low + 1; second < mid; second++) number += 7 - second;
  return number + high - mid - 1;
}
