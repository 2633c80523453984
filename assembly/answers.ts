/**
 * Parsers v3 and v4 over the bytes of an answer. What is unusual in any way is left to the full reader, never guessed; under v4 that
 * is every answer in which a mark of reasoning may stand.
 *
 *   names    8 starts and ends a task, u32, of its normalised candidate names; 0 where it has none
 */

const NO_MARKER: i32 = -1;
const EMPTY_SELECTION: i32 = -2;
const WRONG_COUNT: i32 = -3;
const UNKNOWN_LABEL: i32 = -4;
const DUPLICATE_LABEL: i32 = -5;
const CONTRADICTORY: i32 = -6;
const UNSURE: i32 = -100;
const FOUND: i32 = 1;

/** Longest normalised name that is looked up here, bytes; the host lets no task with a longer one in. */
const LONGEST_NAME: usize = 254;
const spelled = memory.data(256);

let markerStart: usize = 0;
let markerEnd: usize = 0;

// @ts-ignore: decorator
@inline
function isBlank(code: u32): bool {
  return code == 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
}

/** Of the letters that escape a character in JSON those that stand for a blank: n, r, t, f. */
// @ts-ignore: decorator
@inline
export function isBlankEscape(letter: u32): bool {
  return letter == 110 || letter == 114 || letter == 116 || letter == 102;
}

/**
 * Reads the answers of a column of texts, as Arrow keeps one.
 *
 *   text      text 0 | text 1 | ...                                   UTF-8; 16 readable bytes must follow the end
 *   offsets   start of text 0 | start of text 1 | ... | end           i32, count + 1
 *   tasks     task number of each text, -1 where it is unknown        i32
 *   codes     an action, minus the place of an outcome, or UNSURE     i32
 */
export function readAnswers(
  text: usize,
  offsets: usize,
  count: i32,
  tasks: usize,
  names: usize,
  codes: usize,
  marks: bool,
): void {
  let from = text + <usize>load<u32>(offsets);
  for (let n: usize = 0; n < <usize>count; n++) {
    const to = text + <usize>load<u32>(offsets + ((n + 1) << 2));
    const task = load<i32>(tasks + (n << 2));
    store<i32>(codes + (n << 2), readAnswer(from, to, false, namesOf(names, task), marks));
    from = to;
  }
}

/** Address of the names of a task, or 0 where the task is unknown or has none. */
// @ts-ignore: decorator
@inline
export function namesOf(names: usize, task: i32): usize {
  if (task < 0) return 0;
  const at = names + (<usize>task << 6);
  return load<u32>(at) == 0 ? 0 : at;
}

/**
 * Reads answers whose markers and the lines after them are ASCII: an action, minus the place of the outcome, or UNSURE. With `escaped`
 * the bytes are the inside of a JSON string without `\u`; with `marks` reasoning would be passed over.
 */
export function readAnswer(start: usize, end: usize, escaped: bool, names: usize, marks: bool): i32 {
  if (names == 0) return UNSURE;
  if (marks && mayReason(start, end)) return UNSURE;
  let found: i32 = -1;
  let reason = NO_MARKER;
  let contradictory = false;
  let status = findMarker(start, start, end, escaped);
  while (status == FOUND) {
    const at = markerEnd;
    status = findMarker(start, at, end, escaped);
    if (status == UNSURE) return UNSURE;
    const stop = status == FOUND ? markerStart : end;
    if (at >= stop) return EMPTY_SELECTION;
    const code = readLine(at, stop, escaped, names);
    if (code == UNSURE) return UNSURE;
    if (code < 0) reason = code;
    else if (found < 0) found = code;
    else if (found != code) contradictory = true;
  }
  if (status == UNSURE) return UNSURE;
  if (contradictory) return CONTRADICTORY;
  return found >= 0 ? found : reason;
}

/** A letter, `/`, `_`, `-`, `:`, or the escape in front of `/`: what may follow the sign that opens a tag. */
// @ts-ignore: decorator
@inline
function opensTag(code: u32): bool {
  return ((code | 32) - 97) < 26 || code == 47 || code == 95 || code == 45 || code == 58 || code == 92;
}

/** True where a mark of reasoning may stand: `<` or `[` before a name, `<|` but in `<|cl`, or a white triangle. */
function mayReason(start: usize, end: usize): bool {
  let i = start;
  while (i < end) {
    const v = v128.load(i);
    const signs = v128.or(
      v128.or(i8x16.eq(v, i8x16.splat(60)), i8x16.eq(v, i8x16.splat(91))),
      i8x16.eq(v, i8x16.splat(-30)),
    );
    const mask = i8x16.bitmask(signs);
    if (mask == 0) {
      i += 16;
      continue;
    }
    i += ctz(mask);
    if (i + 1 >= end) break;
    const code = <u32>load<u8>(i);
    const next = <u32>load<u8>(i, 1);
    if (code == 0xe2) {
      if (next == 0x97 && load<u8>(i, 2) == 0x81) return true;
    } else if (opensTag(next)) return true;
    else if (next == 124 && (load<u16>(i, 2) & 0xdfdf) != 0x4c43) return true;
    i++;
  }
  return false;
}

/** Finds the first marker that begins at or after `from` and sets its bounds: FOUND, NO_MARKER or UNSURE. */
function findMarker(start: usize, from: usize, end: usize, escaped: bool): i32 {
  let i = from + 5;
  while (i < end) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(i), i8x16.splat(95)));
    if (mask == 0) {
      i += 16;
      continue;
    }
    i += ctz(mask);
    if (i >= end) break;
    if ((load<u32>(i - 4) & 0xdfdfdf00) != 0x4c414e00) {
      i++;
      continue;
    }
    const vowel = <u32>load<u8>(i - 4);
    if (vowel >= 128) return UNSURE;
    if ((vowel & 0xdf) != 73 || (load<u8>(i - 5) & 0xdf) != 70) {
      i++;
      continue;
    }
    if (escaped && i > start + 5 && load<u8>(i - 6) == 92) return UNSURE;
    const after = afterWord(i + 1, end);
    if (after == 0) return UNSURE;
    if (after > 1) {
      let at = skipBlanks(after, end, escaped);
      if (at == 0) return UNSURE;
      if (at < end && load<u8>(at) == 58) {
        at = skipBlanks(at + 1, end, escaped);
        if (at == 0) return UNSURE;
        markerStart = i - 5;
        markerEnd = at;
        return FOUND;
      }
    }
    i++;
  }
  return NO_MARKER;
}

/**
 * After `SELECTION` in any case at `at`; 1 where it does not stand there, 0 where a byte past ASCII leaves that open.
 */
function afterWord(at: usize, end: usize): usize {
  if (at + 9 <= end) {
    const most = load<u64>(at) & 0xdfdfdfdfdfdfdfdf;
    if (most == 0x4f495443454c4553 && (load<u8>(at, 8) & 0xdf) == 78) return at + 9;
  }
  for (let i = at; i < min(at + 10, end); i++) if (load<u8>(i) >= 128) return 0;
  return 1;
}

/** After the blanks at `at`, line breaks among them; 0 where a byte past ASCII leaves that open. */
function skipBlanks(at: usize, end: usize, escaped: bool): usize {
  let i = at;
  while (i < end) {
    const code = <u32>load<u8>(i);
    if (code >= 128) return 0;
    if (escaped && code == 92) {
      if (!isBlankEscape(load<u8>(i, 1))) return i;
      i += 2;
    } else if (isBlank(code)) i++;
    else return i;
  }
  return i;
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
function readLine(start: usize, stop: usize, escaped: bool, names: usize): i32 {
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
