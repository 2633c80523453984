import { utf8Length } from '#platform';
import { openArena } from '../engine/wasm/arena.js';
import { kernelModule } from '../engine/wasm/module.js';
import { mayBeBlank, pastBlankLines } from '../io/blank-lines.js';
import { assertName } from '../io/held/name-bound.js';
import { type ErrorPlace, fail } from '../util/error.js';
import { normalizeName } from '../util/text.js';
import { assertParser, type SetParser } from './parser.js';

/** The kernel is not certain about an answer; the parser decides (assembly/answers.ts). */
export const UNSURE = -100;

/** Int32 fields of a scanned row (assembly/scan.ts). */
export const ROW_FIELDS = 14;
export const LINE_END = 0;
export const TASK = 1;
export const TASK_START = 2;
export const TASK_END = 3;
export const MODEL = 4;
export const MODEL_START = 5;
export const MODEL_END = 6;
export const CODE = 7;
export const TEXT_START = 8;
export const TEXT_END = 9;
export const ESCAPED = 10;
export const KIND = 11;
export const PANEL_START = 12;
export const PANEL_END = 13;
export const KIND_FULL = 0;
export const KIND_TEXT = 1;
export const KIND_SELECTION = 2;
export const KIND_FAILED = 4;

const BATCH = 4096;
const PADDING = 64;
const MAX_MODELS = 32_768;
const MODEL_MASK = 2 * MAX_MODELS - 1;
const MODEL_BYTES = 4 * 1024 * 1024;

/** Rows of lines that follow on one another. */
interface ScannedRows {
  /** `ROW_FIELDS` numbers a row: a place p in them is at `bytes[p - base]`. */
  readonly rows: Int32Array;
  readonly count: number;
  readonly base: number;
  /** Where the first line begins, and how many blank lines were passed over before it. */
  readonly from: number;
  readonly passed: number;
}

export interface AnswerKernel {
  /** Texts of the model numbers. */
  readonly models: readonly string[];
  /** Number of a model, a new one where it is not known. Errors: BOUND_EXCEEDED past 32,768 models, and for a name past 2^14 characters. */
  model(name: string, place?: ErrorPlace): number;
  /** Memory of the kernel for lines to scan, to be filled and scanned before the next call of anything else. */
  room(bytes: number): Uint8Array;
  /** Counts the line feeds in `bytes[start, end)`. */
  lineFeeds(bytes: Uint8Array, start: number, end: number): number;
  /**
   * Scans whole lines `bytes[start, end)` and hands over rows in batches; blank lines have none. The rows are overwritten by the next batch.
   */
  scan(bytes: Uint8Array, start: number, end: number, visit: (scanned: ScannedRows) => void): void;
  /** Task or model numbers, or -1, of `count` names in one run of UTF-8, bounded by `offsets`. */
  find(index: 'tasks' | 'models', text: Uint8Array, offsets: Int32Array, count: number): Int32Array;
  /** Answer codes of texts in one run of UTF-8, bounded by `offsets`, to `tasks`; UNSURE where the parser must look. */
  read(text: Uint8Array, offsets: Int32Array, tasks: Int32Array): Int32Array;
}

function slotsFor(count: number): number {
  let size = 16;
  while (size < 4 * count) size *= 2;
  return size;
}

/** A task as the kernel knows it. */
interface KernelTask {
  readonly id: string;
  /** Candidate names in label order; empty where the task has none. */
  readonly choices: readonly string[];
}

/** Longest normalised name the kernel compares, UTF-16 units, each of which is three bytes at most. */
const LONGEST_NAME = 80;

/** Opens the byte scanner for a list of tasks; under parser v4 it is not certain about an answer that may hold a mark of reasoning. Errors: USAGE for an unknown parser. */
export function openAnswerKernel(list: readonly KernelTask[], parser: SetParser): AnswerKernel {
  assertParser(parser);
  const marks = parser === 'v4';
  const arena = openArena(kernelModule());
  const { kernels } = arena;
  const encoder = new TextEncoder();

  function openIndex(slots: number, names: number): number {
    const address = arena.take(slots * 4 + names * 8);
    new Int32Array(arena.memory.buffer, address, slots).fill(-1);
    return address;
  }

  const taskMask = slotsFor(list.length) - 1;
  const tasks = openIndex(taskMask + 1, list.length);
  const texts = list.map(({ id, choices }) => {
    const spelled = choices.map(normalizeName);
    const fits = spelled.length === 8 && spelled.every((name) => name.length <= LONGEST_NAME);
    return fits ? [id, ...spelled] : [id];
  });
  const sizes = texts.map((parts) => parts.map((part) => utf8Length(part)));
  // A byte between two texts keeps halves of surrogate pairs from meeting.
  let address = arena.put(encoder.encode(texts.map((parts) => parts.join('\n')).join('\n')));
  const bounds = new Uint32Array(list.length * 16);
  sizes.forEach(([size = 0, ...rest], number) => {
    kernels.insertName({ index: tasks, mask: taskMask, number, start: address, end: address + size });
    address += size + 1;
    rest.forEach((length, label) => {
      bounds.set([address, address + length], number * 16 + label * 2);
      address += length + 1;
    });
  });
  const names = arena.put(bounds);
  const models: string[] = [];
  const numbers = new Map<string, number>();
  const modelIndex = openIndex(MODEL_MASK + 1, MAX_MODELS);
  const modelBytes = arena.take(MODEL_BYTES);
  let modelsEnd = modelBytes;
  const rows = arena.take(BATCH * ROW_FIELDS * 4);
  const mark = arena.mark();

  function model(name: string, place: ErrorPlace | null = null): number {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    assertName('a model', name, place);
    const bytes = encoder.encode(name);
    if (models.length === MAX_MODELS || modelsEnd + bytes.length > modelBytes + MODEL_BYTES) {
      fail('BOUND_EXCEEDED', null, `more than ${models.length} models in one run`, 'Split the files by model.');
    }
    new Uint8Array(arena.memory.buffer, modelsEnd, bytes.length).set(bytes);
    const number = models.length;
    const start = modelsEnd;
    modelsEnd += bytes.length;
    kernels.insertName({ index: modelIndex, mask: MODEL_MASK, number, start, end: modelsEnd });
    models.push(name);
    numbers.set(name, number);
    return number;
  }

  function load(bytes: Uint8Array, padding: number): number {
    const address = arena.take(bytes.length + padding);
    new Uint8Array(arena.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  let held: Uint8Array | undefined;

  /** Where bytes stand in the memory of the kernel: in its room, or put there in its place. */
  function addressOf(bytes: Uint8Array, start: number, end: number): number {
    arena.reset(mark);
    return bytes === held ? held.byteOffset + start : load(bytes.subarray(start, end), PADDING);
  }

  return {
    models,
    model,
    room(bytes) {
      arena.reset(mark);
      const address = arena.take(bytes + PADDING);
      held = new Uint8Array(arena.memory.buffer, address, bytes);
      return held;
    },
    lineFeeds(bytes, start, end) {
      const at = addressOf(bytes, start, end);
      return kernels.lineFeeds({ at, end: at + (end - start) });
    },
    scan(bytes, start, end, visit) {
      const address = addressOf(bytes, start, end);
      const stop = address + (end - start);
      const view = new Int32Array(arena.memory.buffer, rows, BATCH * ROW_FIELDS);
      const memory = new Uint8Array(arena.memory.buffer);
      const base = address - start;
      for (let at = address; at < stop; ) {
        const blank = mayBeBlank(memory[at]!) ? pastBlankLines(memory, at, stop) : { at, lines: 0 };
        at = blank.at;
        if (at === stop) return;
        const count = kernels.scanAnswers({
          at,
          end: stop,
          rows,
          most: BATCH,
          tasks,
          taskMask,
          models: modelIndex,
          modelMask: MODEL_MASK,
          names,
          marks,
        });
        visit({ rows: view, count, base, from: at - base, passed: blank.lines });
        at = view[(count - 1) * ROW_FIELDS + LINE_END]! + 1;
      }
    },
    find(index, text, offsets, count) {
      arena.reset(mark);
      const address = load(text, PADDING);
      const bounds = arena.put(offsets.subarray(0, count + 1));
      const found = arena.take(4 * count);
      const [table, mask] = index === 'tasks' ? [tasks, taskMask] : [modelIndex, MODEL_MASK];
      kernels.findNames({ index: table, mask, text: address, offsets: bounds, count, numbers: found });
      return arena.get(found, new Int32Array(count));
    },
    read(text, offsets, taskNumbers) {
      arena.reset(mark);
      const count = taskNumbers.length;
      const address = load(text, PADDING);
      const bounds = arena.put(offsets.subarray(0, count + 1));
      const asked = arena.put(taskNumbers);
      const codes = arena.take(4 * count);
      kernels.readAnswers({ text: address, offsets: bounds, count, tasks: asked, names, codes, marks });
      return arena.get(codes, new Int32Array(count));
    },
  };
}
