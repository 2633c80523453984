/**
 * Answer rows, read where they stand: a line is scanned as a flat JSON object, its task and model are looked up, and the
 * answer is read from its bytes. What is unusual in any way is left to the full reader, never guessed.
 *
 *   text     UTF-8 lines; 16 readable bytes must follow the end
 *   rows     12 i32 a row:
 *              0 end of the line   1 task or -1        2, 3 task id        4 model or -1    5, 6 model name
 *              7 answer code       8, 9 text or 0      10 text has escapes 11 kind: 0 full reader, 1 text,
 *                                                      2 selection in 8, 9; 3 no text; 4 failed status
 *   index    slots (mask + 1 i32, -1 free), then for each number the start and end of its name, 2 u32
 *   names    8 starts and ends a task, u32, of its normalised candidate names; 0 where it has none
 */

const ROW: usize = 48;
const NO_MARKER: i32 = -1;
const EMPTY_SELECTION: i32 = -2;
const WRONG_COUNT: i32 = -3;
const UNKNOWN_LABEL: i32 = -4;
const DUPLICATE_LABEL: i32 = -5;
const CONTRADICTORY: i32 = -6;
const UNSURE: i32 = -100;
const FOUND: i32 = 1;
const NONE: i32 = -1;

/** Numbers of keys; text keys come first, in the order they are tried. */
const COMPLETION: i32 = 1;
const ANSWER: i32 = 2;
const MARKDOWN: i32 = 3;
const TASK: i32 = 4;
const MODEL_ID: i32 = 5;
const MODEL: i32 = 6;
const STATUS: i32 = 7;
const SELECTION: i32 = 8;
const GENERATION: i32 = 9;

const MAX_OTHERS: i32 = 16;
const others = memory.data(16 * 8);
/** Longest normalised name that is looked up here, bytes; the host lets no task with a longer one in. */
const LONGEST_NAME: usize = 254;
const spelled = memory.data(256);

let escapes = false;
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
function isBlankEscape(letter: u32): bool {
  return letter == 110 || letter == 114 || letter == 116 || letter == 102;
}

/** End of the string whose inside begins at `at`, or 0: not closed, a raw control character, or a `\u` escape. */
function stringEnd(at: usize, end: usize): usize {
  escapes = false;
  let i = at;
  while (i < end) {
    const v = v128.load(i);
    const stops = v128.or(
      v128.or(i8x16.eq(v, i8x16.splat(34)), i8x16.eq(v, i8x16.splat(92))),
      i8x16.lt_u(v, i8x16.splat(32)),
    );
    const mask = i8x16.bitmask(stops);
    if (mask == 0) {
      i += 16;
      continue;
    }
    i += ctz(mask);
    if (i >= end) return 0;
    const code = load<u8>(i);
    if (code == 34) return i;
    if (code != 92) return 0;
    const next = <u32>load<u8>(i, 1);
    if (
      !isBlankEscape(next) && next != 34 && next != 92 && next != 47 && next != 98
    ) return 0;
    escapes = true;
    i += 2;
  }
  return 0;
}

/** End of a number, `true`, `false` or `null` at `at`, or 0. */
function scalarEnd(at: usize, end: usize): usize {
  let i = at;
  if (load<u8>(i) == 45) i++;
  const first = i;
  while (i < end && <u32>load<u8>(i) - 48 <= 9) i++;
  if (i > first) {
    if (load<u8>(first) == 48 && i > first + 1) return 0;
    if (i < end && load<u8>(i) == 46) {
      const point = ++i;
      while (i < end && <u32>load<u8>(i) - 48 <= 9) i++;
      if (i == point) return 0;
    }
    return i;
  }
  if (i > at) return 0;
  const word = load<u32>(at);
  if (word == 0x6c6c756e || word == 0x65757274) return at + 4;
  if (word == 0x736c6166 && load<u8>(at, 4) == 101) return at + 5;
  return 0;
}

function keyOf(at: usize, length: usize): i32 {
  const head = load<u32>(at);
  const tail = load<u32>(at + length - 4);
  if (length == 5) return head == 0x65646f6d && load<u8>(at, 4) == 108 ? MODEL : NONE;
  if (length == 6) {
    if (head == 0x77736e61 && tail == 0x72657773) return ANSWER;
    return head == 0x74617473 && tail == 0x73757461 ? STATUS : NONE;
  }
  if (length == 7) return head == 0x6b736174 && tail == 0x64695f6b ? TASK : NONE;
  if (length == 8) {
    if (head == 0x70736572 && tail == 0x65736e6f) return 0;
    return head == 0x65646f6d && tail == 0x64695f6c ? MODEL_ID : NONE;
  }
  if (length == 9) {
    return load<u64>(at) == 0x6f697463656c6573 && load<u8>(at, 8) == 110 ? SELECTION : NONE;
  }
  if (length == 10) {
    const most = load<u64>(at);
    if (most == 0x6974656c706d6f63 && tail == 0x6e6f6974) return COMPLETION;
    return most == 0x69746172656e6567 && tail == 0x6e6f6974 ? GENERATION : NONE;
  }
  if (length == 15) {
    const same = load<u64>(at) == 0x6d5f726577736e61 && load<u64>(at + 7) == 0x6e776f646b72616d;
    return same ? MARKDOWN : NONE;
  }
  return NONE;
}

/** True for the words that say an answer is there. */
function isDone(at: usize, length: usize): bool {
  if (length == 0) return true;
  if (length == 2) return load<u16>(at) == 0x6b6f;
  if (length == 7) return load<u32>(at) == 0x63637573 && load<u32>(at, 3) == 0x73736563;
  return length == 9 && load<u64>(at) == 0x6574656c706d6f63 && load<u8>(at, 8) == 100;
}

// @ts-ignore: decorator
@inline
function skipSpaces(at: usize): usize {
  let i = at;
  while (load<u8>(i) == 32) i++;
  return i;
}

/** Ids differ towards their ends, so the last sixteen bytes and the length are hashed. */
function hash(start: usize, end: usize): u32 {
  let h: u32 = 0x811c9dc5 ^ <u32>(end - start);
  for (let i = end - start > 16 ? end - 16 : start; i < end; i++) {
    h = (h ^ <u32>load<u8>(i)) * 0x01000193;
  }
  return h ^ (h >> 15);
}

/** Number of a name in an index, or -1. */
function findName(index: usize, mask: u32, start: usize, end: usize): i32 {
  const names = index + ((<usize>mask + 1) << 2);
  let slot = hash(start, end) & mask;
  let number = load<i32>(index + (<usize>slot << 2));
  while (number >= 0) {
    const from = <usize>load<u32>(names + (<usize>number << 3));
    const to = <usize>load<u32>(names + (<usize>number << 3), 4);
    if (to - from == end - start && memory.compare(from, start, end - start) == 0) return number;
    slot = (slot + 1) & mask;
    number = load<i32>(index + (<usize>slot << 2));
  }
  return -1;
}

/** Puts the next name into an index; the caller keeps a free slot. */
export function insertName(index: usize, mask: u32, number: i32, start: usize, end: usize): void {
  const names = index + ((<usize>mask + 1) << 2);
  let slot = hash(start, end) & mask;
  while (load<i32>(index + (<usize>slot << 2)) >= 0) slot = (slot + 1) & mask;
  store<i32>(index + (<usize>slot << 2), number);
  store<u32>(names + (<usize>number << 3), <u32>start);
  store<u32>(names + (<usize>number << 3), <u32>end, 4);
}

/** Numbers, or -1, of `count` names that lie one after another, `offsets` their count + 1 i32 bounds. */
export function findNames(
  index: usize,
  mask: u32,
  text: usize,
  offsets: usize,
  count: i32,
  numbers: usize,
): void {
  let from = text + <usize>load<u32>(offsets);
  for (let n: usize = 0; n < <usize>count; n++) {
    const to = text + <usize>load<u32>(offsets + ((n + 1) << 2));
    store<i32>(numbers + (n << 2), findName(index, mask, from, to));
    from = to;
  }
}

/** True where the key `[at, at + length)` stands among the first `count` other keys. */
function isRepeated(at: usize, length: usize, count: i32): bool {
  for (let k = 0; k < count; k++) {
    const from = <usize>load<u32>(others + (<usize>k << 3));
    if (<usize>load<u32>(others + (<usize>k << 3), 4) == length) {
      if (memory.compare(from, at, length) == 0) return true;
    }
  }
  return false;
}

/** Scans one line into its row; false where it must be read in full. */
function scanLine(at: usize, end: usize, row: usize): bool {
  let taskAt: usize = 0, taskEnd: usize = 0, modelAt: usize = 0, modelEnd: usize = 0;
  let textAt: usize = 0, textEnd: usize = 0, choiceAt: usize = 0, choiceEnd: usize = 0;
  let textKey = TASK, textEscaped = false, failed = false;
  let seen = 0, count = 0;
  if (load<u8>(at) != 123) return false;
  let i = at + 1;
  for (;;) {
    i = skipSpaces(i);
    if (load<u8>(i) != 34) return false;
    const keyAt = i + 1;
    const keyEnd = stringEnd(keyAt, end);
    if (keyEnd == 0 || escapes) return false;
    const key = keyOf(keyAt, keyEnd - keyAt);
    if (key == GENERATION) return false;
    if (key >= 0) {
      if ((seen & (1 << key)) != 0) return false;
      seen |= 1 << key;
    } else {
      if (count == MAX_OTHERS || isRepeated(keyAt, keyEnd - keyAt, count)) return false;
      store<u32>(others + (<usize>count << 3), <u32>keyAt);
      store<u32>(others + (<usize>count << 3), <u32>(keyEnd - keyAt), 4);
      count++;
    }
    i = skipSpaces(keyEnd + 1);
    if (load<u8>(i) != 58) return false;
    i = skipSpaces(i + 1);
    if (load<u8>(i) == 34) {
      const valueAt = i + 1;
      const valueEnd = stringEnd(valueAt, end);
      if (valueEnd == 0) return false;
      i = valueEnd + 1;
      if (key >= TASK) {
        if (escapes) return false;
        if (key == TASK) {
          taskAt = valueAt;
          taskEnd = valueEnd;
        } else if (key == STATUS) failed = !isDone(valueAt, valueEnd - valueAt);
        else if (key == SELECTION) {
          choiceAt = valueAt;
          choiceEnd = valueEnd;
        } else if (valueEnd > valueAt && (key == MODEL_ID || modelAt == 0)) {
          modelAt = valueAt;
          modelEnd = valueEnd;
        }
      } else if (key >= 0 && key < textKey) {
        textKey = key;
        textAt = valueAt;
        textEnd = valueEnd;
        textEscaped = escapes;
      }
    } else {
      const scalar = scalarEnd(i, end);
      if (scalar == 0) return false;
      if (key == STATUS && load<u8>(i) != 110) failed = true;
      i = scalar;
    }
    i = skipSpaces(i);
    const code = load<u8>(i++);
    if (code == 125) break;
    if (code != 44) return false;
  }
  while (i < end && (load<u8>(i) == 32 || load<u8>(i) == 13)) i++;
  if (i > end || (i < end && load<u8>(i) != 10) || taskEnd == taskAt) return false;
  store<u32>(row, <u32>i);
  store<u32>(row, <u32>taskAt, 8);
  store<u32>(row, <u32>taskEnd, 12);
  store<u32>(row, <u32>modelAt, 20);
  store<u32>(row, <u32>modelEnd, 24);
  const kind = failed ? 4 : textAt != 0 ? 1 : choiceAt != 0 ? 2 : 3;
  store<u32>(row, <u32>(kind == 2 ? choiceAt : textAt), 32);
  store<u32>(row, <u32>(kind == 2 ? choiceEnd : textEnd), 36);
  store<i32>(row, <i32>textEscaped, 40);
  store<i32>(row, kind, 44);
  return true;
}

/** Reads up to `most` lines of `[at, end)` into `rows`; returns how many. */
export function scanAnswers(
  at: usize,
  end: usize,
  rows: usize,
  most: i32,
  tasks: usize,
  taskMask: u32,
  models: usize,
  modelMask: u32,
  names: usize,
): i32 {
  let n = 0;
  let i = at;
  for (; n < most && i < end; n++) {
    const row = rows + <usize>n * ROW;
    if (scanLine(i, end, row)) {
      store<i32>(row, findName(tasks, taskMask, load<u32>(row, 8), load<u32>(row, 12)), 4);
      store<i32>(row, findName(models, modelMask, load<u32>(row, 20), load<u32>(row, 24)), 16);
      if (load<i32>(row, 44) == 1) {
        const list = namesOf(names, load<i32>(row, 4));
        const escaped = load<i32>(row, 40) != 0;
        store<i32>(row, readAnswer(load<u32>(row, 32), load<u32>(row, 36), escaped, list), 28);
      }
    } else {
      store<u32>(row, <u32>lineEnd(i, end));
      store<i32>(row, 0, 44);
    }
    i = <usize>load<u32>(row) + 1;
  }
  return n;
}

function lineEnd(at: usize, end: usize): usize {
  let i = at;
  while (i < end) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(i), i8x16.splat(10)));
    if (mask != 0) return min(i + ctz(mask), end);
    i += 16;
  }
  return end;
}

/**
 * Codes of `count` texts that lie one after another, `offsets` their count + 1 i32 bounds, `tasks` their task numbers:
 * an Arrow column of texts.
 */
export function readAnswers(
  text: usize,
  offsets: usize,
  count: i32,
  tasks: usize,
  names: usize,
  codes: usize,
): void {
  let from = text + <usize>load<u32>(offsets);
  for (let n: usize = 0; n < <usize>count; n++) {
    const to = text + <usize>load<u32>(offsets + ((n + 1) << 2));
    const task = load<i32>(tasks + (n << 2));
    store<i32>(codes + (n << 2), readAnswer(from, to, false, namesOf(names, task)));
    from = to;
  }
}

/** Names of a task: 8 starts and ends, u32; 0 where the task is unknown or has none. */
// @ts-ignore: decorator
@inline
function namesOf(names: usize, task: i32): usize {
  if (task < 0) return 0;
  const at = names + (<usize>task << 6);
  return load<u32>(at) == 0 ? 0 : at;
}

/**
 * Parser v3 for answers whose markers and the lines after them are ASCII: an action, minus the place of the outcome, or
 * UNSURE. With `escaped` the bytes are the inside of a JSON string without `\u`.
 */
function readAnswer(start: usize, end: usize, escaped: bool, names: usize): i32 {
  if (names == 0) return UNSURE;
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

/** After `SELECTION` in any case at `at`; 1 where it does not stand there, 0 where a byte past ASCII leaves that open. */
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
