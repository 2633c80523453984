import { namesOf, readAnswer } from './answers';
import { findName } from './names';
import { isBlankEscape } from './selection';

/**
 * Answer rows, read where they stand: a line is scanned as a flat JSON object, its task and model are looked up, and
 * the answer is read from its bytes. What is unusual in any way is left to the full reader, never guessed.
 *
 *   text     UTF-8 lines; 16 readable bytes must follow the end
 *   rows     14 i32 a row:
 *              0 end of the line   1 task or -1        2, 3 task id        4 model or -1    5, 6 model name
 *              7 answer code       8, 9 text or 0      10 text has escapes 11 kind: 0 full reader, 1 text,
 *                                                      2 selection in 8, 9; 3 no text; 4 failed status
 *              12, 13 panel or 0
 *   tasks, models   indexes as in names.ts
 *   names    8 starts and ends a task, u32, of its normalised candidate names; 0 where it has none
 */

const ROW: usize = 56;
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
const PANEL: i32 = 10;
const MAX_OTHERS: i32 = 16;
const others = memory.data(16 * 8);

let escapes = false;

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
  if (length == 5) {
    if (load<u8>(at, 4) != 108) return NONE;
    return head == 0x65646f6d ? MODEL : head == 0x656e6170 ? PANEL : NONE;
  }
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
  let panelAt: usize = 0, panelEnd: usize = 0;
  let textKey = TASK, textEscaped = false, failed = false;
  let keysFound = 0, count = 0;
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
      if ((keysFound & (1 << key)) != 0) return false;
      keysFound |= 1 << key;
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
        } else if (key == PANEL) {
          panelAt = valueAt;
          panelEnd = valueEnd;
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
  store<u32>(row, <u32>panelAt, 48);
  store<u32>(row, <u32>panelEnd, 52);
  return true;
}

/**
 * Reads up to `most` lines of `[at, end)` into `rows`; returns how many. Stops before a later line whose first byte may begin a blank line, of
 * which there may be as many as bytes.
 */
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
  marks: bool,
): i32 {
  let n = 0;
  let i = at;
  for (; n < most && i < end; n++) {
    if (n > 0 && <u32>load<u8>(i) - 33 > 94) break;
    const row = rows + <usize>n * ROW;
    if (scanLine(i, end, row)) {
      store<i32>(row, findName(tasks, taskMask, load<u32>(row, 8), load<u32>(row, 12)), 4);
      store<i32>(row, findName(models, modelMask, load<u32>(row, 20), load<u32>(row, 24)), 16);
      if (load<i32>(row, 44) == 1) {
        const list = namesOf(names, load<i32>(row, 4));
        const escaped = load<i32>(row, 40) != 0;
        store<i32>(row, readAnswer(load<u32>(row, 32), load<u32>(row, 36), escaped, list, marks), 28);
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

/** Counts the line feeds in `[at, end)`; 16 readable bytes must follow the end. */
export function lineFeeds(at: usize, end: usize): u32 {
  const feed = i8x16.splat(10);
  let count: u32 = 0;
  let i = at;
  while (i + 16 <= end) {
    // A byte of the tally holds 255 blocks at most.
    const stop = min(i + 255 * 16, i + ((end - i) & ~15));
    let tally = i8x16.splat(0);
    for (; i < stop; i += 16) tally = i8x16.sub(tally, i8x16.eq(v128.load(i), feed));
    const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(tally));
    count += i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
    count += i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  }
  for (; i < end; i++) if (load<u8>(i) == 10) count += 1;
  return count;
}
