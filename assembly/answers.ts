import { isBlank, isBlankEscape, readLine, UNSURE } from './selection';

/**
 * Parsers v3 and v4 over the bytes of an answer. What is unusual in any way is left to the full reader, never guessed; under v4 that
 * is every answer in which a mark of reasoning may stand.
 *
 *   names    8 starts and ends a task, u32, of its normalised candidate names; 0 where it has none
 */

const NO_MARKER: i32 = -1;
const EMPTY_SELECTION: i32 = -2;
const CONTRADICTORY: i32 = -6;
const FOUND: i32 = 1;

let markerStart: usize = 0;
let markerEnd: usize = 0;

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
