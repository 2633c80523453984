/** A struct of Thrift's compact protocol: its fields by number. Fields nobody here asks for are passed over. */
export interface ThriftStruct {
  readonly numbers: ReadonlyMap<number, number>;
  readonly structs: ReadonlyMap<number, ThriftStruct>;
  /** Bytes of texts, as views. */
  readonly texts: ReadonlyMap<number, Uint8Array>;
  /** Lists of structs; other lists are passed over. */
  readonly lists: ReadonlyMap<number, readonly ThriftStruct[]>;
}

/** A place in bytes that moves on as they are read. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  /** How many values may still be read; without end unless given. */
  left?: number;
  /** Lists of the outermost struct that are kept, by the numbers of their fields: others are passed over. All unless given. */
  readonly kept?: ReadonlySet<number>;
}

/** Deepest nesting that is read. */
const DEPTH = 16;

const TYPE = {
  yes: 1,
  no: 2,
  byte: 3,
  long: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
};

function byteOf(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at];
  if (byte === undefined) throw new Error('a header is cut off');
  cursor.at += 1;
  return byte;
}

/** Reads a number of seven bits a byte, low ones first. It must be one that 32 bits hold, or 64 with `wide`. */
export function varint(cursor: Cursor, wide = false): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = byteOf(cursor);
    value += (byte & 127) * factor;
    if (byte < 128) break;
    if (factor >= 2 ** (wide ? 63 : 28)) throw new Error('a number in a header is too long');
  }
  if (!wide && value >= 2 ** 32) throw new Error('a number in a header is too long');
  return value;
}

const zigzag = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function skip(cursor: Cursor, length: number): void {
  if (cursor.at + length > cursor.bytes.length) throw new Error('a header is cut off');
  cursor.at += length;
}

function text(cursor: Cursor): Uint8Array {
  const length = varint(cursor);
  skip(cursor, length);
  return cursor.bytes.subarray(cursor.at - length, cursor.at);
}

/** Reads the head of a list. One of more structs than may still be read is refused before any is. */
function listHead(cursor: Cursor): { type: number; count: number } {
  const head = byteOf(cursor);
  const count = head >> 4 === 15 ? varint(cursor) : head >> 4;
  const type = head & 15;
  if (count > cursor.bytes.length - cursor.at) throw new Error(`a list of ${count} where a header is cut off`);
  if (type === TYPE.struct && cursor.left !== undefined && count * STRUCT > cursor.left) cursor.left = -1;
  spend(cursor, 0);
  return { type, count };
}

/** Reads a list: its structs where it has such. */
function list(cursor: Cursor, depth: number): ThriftStruct[] | undefined {
  const { type, count } = listHead(cursor);
  if (type !== TYPE.struct) {
    for (let i = 0; i < count; i += 1) element(cursor, type, depth);
    return undefined;
  }
  const structs: ThriftStruct[] = [];
  for (let i = 0; i < count; i += 1) structs.push(thriftStruct(cursor, depth + 1));
  return structs;
}

/** One element of a list, read for its length alone; a truth is a byte there. */
function element(cursor: Cursor, type: number, depth: number): void {
  if (type === TYPE.yes || type === TYPE.no) skip(cursor, 1);
  else value(cursor, type, depth);
}

/** What a struct counts as, in values. */
const STRUCT = 16;

function spend(cursor: Cursor, count: number): void {
  if (cursor.left === undefined) return;
  cursor.left -= count;
  if (cursor.left < 0) throw new Error('a header of more values than are read');
}

type ThriftValue = number | Uint8Array | ThriftStruct | readonly ThriftStruct[] | undefined;

function value(cursor: Cursor, type: number, depth: number): ThriftValue {
  spend(cursor, 1);
  switch (type) {
    case TYPE.yes:
      return 1;
    case TYPE.no:
      return 0;
    case TYPE.byte:
      return byteOf(cursor);
    case TYPE.double:
      return skip(cursor, 8) as undefined;
    case TYPE.binary:
      return text(cursor);
    case TYPE.list:
    case TYPE.set:
      return list(cursor, depth + 1);
    case TYPE.struct:
      return thriftStruct(cursor, depth + 1);
    default:
      if (type > TYPE.long) throw new Error(`a header with a field of type ${type}`);
      return zigzag(varint(cursor, type === TYPE.long));
  }
}

/** Passes over a value, as `value` reads it, and holds nothing of it. */
function pass(cursor: Cursor, type: number, depth: number): void {
  if (type === TYPE.struct) passStruct(cursor, depth + 1);
  else if (type === TYPE.list || type === TYPE.set) {
    spend(cursor, 1);
    const items = listHead(cursor);
    for (let i = 0; i < items.count; i += 1) {
      if (items.type === TYPE.yes || items.type === TYPE.no) skip(cursor, 1);
      else pass(cursor, items.type, depth + 1);
    }
  } else value(cursor, type, depth);
}

function passStruct(cursor: Cursor, depth: number): void {
  if (depth > DEPTH) throw new Error('a header is nested too deep');
  spend(cursor, STRUCT);
  for (;;) {
    const head = byteOf(cursor);
    if (head === 0) return;
    if (head >> 4 === 0) varint(cursor);
    pass(cursor, head & 15, depth);
  }
}

/** Reads the struct at the cursor, which is left behind it. Throws a plain error where it is damaged. */
export function thriftStruct(cursor: Cursor, depth = 0): ThriftStruct {
  if (depth > DEPTH) throw new Error('a header is nested too deep');
  spend(cursor, STRUCT);
  const numbers = new Map<number, number>();
  const structs = new Map<number, ThriftStruct>();
  const texts = new Map<number, Uint8Array>();
  const lists = new Map<number, readonly ThriftStruct[]>();
  for (let id = 0; ; ) {
    const head = byteOf(cursor);
    if (head === 0) return { numbers, structs, texts, lists };
    id = head >> 4 === 0 ? zigzag(varint(cursor)) : id + (head >> 4);
    const type = head & 15;
    if (depth === 0 && type === TYPE.list && cursor.kept?.has(id) === false) {
      pass(cursor, type, depth);
      continue;
    }
    const found = value(cursor, type, depth);
    if (typeof found === 'number') numbers.set(id, found);
    else if (found instanceof Uint8Array) texts.set(id, found);
    else if (found && 'numbers' in found) structs.set(id, found);
    else if (found) lists.set(id, found);
  }
}
