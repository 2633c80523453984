import { type Cursor, varint } from './thrift.js';

/** A piece of a page between two places. */
export interface Span {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Widest numbers of a dictionary: one of 16 million entries. */
const MOST_BITS = 24;
export const MOST_ENTRIES = 2 ** MOST_BITS;

/**
 * Walks `count` numbers of `width` bits that are written in runs and packed groups. Gives how many equal `greatest`; a greater
 * one is an error, as is a run past the end: the library would follow it without end.
 */
export function walkRuns(span: Span, width: number, count: number, greatest: number): { readonly greatest: number } {
  if (width > MOST_BITS) throw new Error(`numbers of ${width} bits`);
  const cursor: Cursor = { bytes: span.bytes.subarray(0, span.to), at: span.from };
  const bytes = (width + 7) >> 3;
  let left = count;
  let equal = 0;
  while (left > 0) {
    const head = varint(cursor);
    const packed = head % 2 === 1;
    const size = Math.floor(head / 2);
    const rows = packed ? Math.min(left, size * 8) : size;
    const length = packed ? size * width : bytes;
    if (rows === 0 || rows > left || (packed && size > Math.ceil(left / 8) + 63))
      throw new Error(`a run of ${packed ? size * 8 : size} values where ${left} are left`);
    if (cursor.at + length > span.to + (packed ? width : 0)) throw new Error('a run is cut off');
    const found = packed
      ? packedEqual(span.bytes, cursor.at, width, rows, greatest)
      : runValue(span.bytes, cursor.at, bytes) === greatest
        ? rows
        : 0;
    if (!packed && runValue(span.bytes, cursor.at, bytes) > greatest)
      throw new Error(`value ${runValue(span.bytes, cursor.at, bytes)} where ${greatest} is the most`);
    equal += found;
    left -= rows;
    cursor.at += length;
  }
  return { greatest: equal };
}

function runValue(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let i = length - 1; i >= 0; i -= 1) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

/** How many of the packed numbers are the greatest; a greater one is an error. */
function packedEqual(bytes: Uint8Array, at: number, width: number, rows: number, greatest: number): number {
  const mask = (1 << width) - 1;
  const most = greatest | 0;
  let equal = 0;
  let have = 0;
  let held = 0;
  let next = at;
  const end = bytes.length;
  for (let i = 0; i < rows; i += 1) {
    while (have < width) {
      if (next < end) held |= bytes[next]! << have;
      next += 1;
      have += 8;
    }
    const value = held & mask;
    held >>>= width;
    have -= width;
    if (value > most) throw new Error(`value ${value} where ${most} is the most`);
    if (value === most) equal += 1;
  }
  return equal;
}

/** Bytes of one value of a type that has the same everywhere. */
const WIDTHS: Readonly<Record<string, number>> = {
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
};

/** Checks that plain values fill a span, neither more nor less. */
export function checkPlain(span: Span, type: string, length: number, count: number): void {
  const { bytes, from, to } = span;
  let end = from;
  if (type === 'BOOLEAN') end += Math.ceil(count / 8);
  else if (type === 'FIXED_LEN_BYTE_ARRAY') end += count * length;
  else if (type !== 'BYTE_ARRAY') end += count * (WIDTHS[type] ?? Number.NaN);
  else {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < count; i += 1) {
      if (end + 4 > to) throw new Error(`${count} values where ${i} are there`);
      end += 4 + view.getUint32(end, true);
    }
  }
  if (end !== to) throw new Error(`${count} values of ${end - from} bytes where ${to - from} are`);
}

/** Checks the head of delta-coded numbers: sizes of blocks and how many numbers there are. */
export function checkDeltaHead(span: Span, count: number): void {
  if (count === 0) return;
  const cursor: Cursor = { bytes: span.bytes.subarray(0, span.to), at: span.from };
  const block = varint(cursor);
  const parts = varint(cursor);
  const total = varint(cursor);
  const fits = block > 0 && block <= 2 ** 20 && parts > 0 && parts <= 512 && block % parts === 0;
  if (!fits || total !== count) throw new Error(`${total} numbers in blocks of ${block} where ${count} are expected`);
}

/** Reads `count` delta-coded numbers, blocks of parts of one width each, and moves behind them. Throws a plain error where one is negative or 2^31 and more. */
function deltaLengths(cursor: Cursor, count: number): Int32Array {
  const lengths = new Int32Array(count);
  const block = varint(cursor);
  const parts = varint(cursor);
  const total = varint(cursor);
  if (total !== count || parts === 0 || block === 0 || block % parts !== 0 || block > 2 ** 20)
    throw new Error(`${total} lengths in blocks of ${block} where ${count} are expected`);
  const size = block / parts;
  let value = signed(cursor);
  for (let at = put(lengths, 0, value); at < count; ) {
    const least = signed(cursor);
    const widths = cursor.bytes.subarray(cursor.at, cursor.at + parts);
    if (widths.length < parts) throw new Error('lengths are cut off');
    cursor.at += parts;
    for (const width of widths) {
      if (at === count) break;
      if (width > 32) throw new Error(`lengths of ${width} bits`);
      const end = cursor.at + (size * width) / 8;
      if (end > cursor.bytes.length) throw new Error('lengths are cut off');
      for (let i = 0; i < size && at < count; i += 1) {
        value += least + bitsAt(cursor.bytes, cursor.at, i * width, width);
        at = put(lengths, at, value);
      }
      cursor.at = end;
    }
  }
  return lengths;
}

function put(lengths: Int32Array, at: number, value: number): number {
  if (value < 0 || value >= 2 ** 31) throw new Error(`a text of ${value} bytes`);
  lengths[at] = value;
  return at + 1;
}

function signed(cursor: Cursor): number {
  const value = varint(cursor, true);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function bitsAt(bytes: Uint8Array, from: number, bit: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i += 1) {
    const at = bit + i;
    if ((bytes[from + (at >> 3)]! >> (at & 7)) & 1) value += 2 ** i;
  }
  return value;
}

/** Counts the bytes of texts that are each written as how much of the one before they begin with, and the rest: few bytes may stand for very many. */
export function deltaTextBytes(span: Span, count: number): number {
  if (count === 0) return 0;
  const cursor: Cursor = { bytes: span.bytes.subarray(0, span.to), at: span.from };
  const begins = deltaLengths(cursor, count);
  const rests = deltaLengths(cursor, count);
  let before = 0;
  let total = 0;
  for (let i = 0; i < count; i += 1) {
    if (begins[i]! > before) throw new Error('a text that begins with more than the one before it has');
    before = begins[i]! + rests[i]!;
    total += before;
  }
  return total;
}
