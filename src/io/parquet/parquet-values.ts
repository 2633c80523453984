import { type Cursor, varint } from './thrift.js';

/** A piece of a page between two places. */
export interface Span {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Widest numbers of a dictionary: one of 16 million entries. */
const MOST_BITS = 24;

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
