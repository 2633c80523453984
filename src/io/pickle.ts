import { fail } from '../util/error.js';

const HINT = 'Only lists, tuples, dictionaries, texts and numbers are read from a pickle.';

/** Plain values that a data-only pickle can hold. */
export type PickleValue = null | boolean | number | bigint | string | PickleValue[] | Map<PickleValue, PickleValue>;

const MARK = Symbol('mark');
type Item = PickleValue | typeof MARK;

/** More values, and more dictionaries, than any data file needs. */
const LIMIT = 2 ** 25;
const MOST_MAPS = 2 ** 21;

/**
 * Reads a Python pickle that holds data only: numbers, text, lists, tuples, dictionaries. Whatever names a class or calls
 * anything is refused, so a file cannot run code. Errors: PICKLE_REFUSED with the opcode and its offset.
 */
export function readPickle(bytes: Uint8Array, file: string): PickleValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const stack: Item[] = [];
  const memo: Item[] = [];
  let at = 0;
  let maps = 0;
  let made = 0;

  const take = (count: number): number => {
    const from = at;
    if (count < 0 || from + count > bytes.length)
      fail('PICKLE_REFUSED', { file, path: `byte ${from}` }, 'the file ends too early', HINT);
    at += count;
    return from;
  };
  const uint = (count: 1 | 2 | 4) => {
    const from = take(count);
    if (count === 1) return view.getUint8(from);
    return count === 2 ? view.getUint16(from, true) : view.getUint32(from, true);
  };
  const long = (count: number): number | bigint => {
    const from = take(count);
    let value = 0n;
    for (let i = count - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(view.getUint8(from + i));
    if (count > 0 && view.getUint8(from + count - 1) >= 0x80) value -= 1n << BigInt(8 * count);
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
  };
  const string = (count: number): string => {
    const from = take(count);
    try {
      return text.decode(bytes.subarray(from, from + count));
    } catch {
      fail('PICKLE_REFUSED', { file, path: `byte ${from}` }, 'a text is not UTF-8', HINT);
    }
  };
  const size8 = (): number => {
    const from = take(8);
    const value = Number(view.getBigUint64(from, true));
    if (value > bytes.length)
      fail('PICKLE_REFUSED', { file, path: `byte ${from}` }, 'a length runs past the file', HINT);
    return value;
  };
  const pop = (): PickleValue => {
    const item = stack.pop();
    if (item === undefined || item === MARK)
      fail('PICKLE_REFUSED', { file, path: `byte ${at}` }, 'the stack is empty', HINT);
    return item;
  };
  const popToMark = (): PickleValue[] => {
    const place = stack.lastIndexOf(MARK);
    if (place < 0) fail('PICKLE_REFUSED', { file, path: `byte ${at}` }, 'no mark to go back to', HINT);
    const items = stack.splice(place) as PickleValue[];
    items.shift();
    return items;
  };
  const top = <T>(check: (item: Item | undefined) => item is T & Item): T => {
    const item = stack.at(-1);
    if (!check(item)) fail('PICKLE_REFUSED', { file, path: `byte ${at}` }, 'a container is expected', HINT);
    return item;
  };
  const isList = (item: Item | undefined): item is PickleValue[] => Array.isArray(item);
  const isMap = (item: Item | undefined): item is Map<PickleValue, PickleValue> => item instanceof Map;
  const setAll = (pairs: PickleValue[]): void => {
    const map = top(isMap);
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      map.set(pairs[i] as PickleValue, pairs[i + 1] as PickleValue);
    }
  };
  const recall = (place: number): void => {
    const item = memo[place];
    if (item === undefined) fail('PICKLE_REFUSED', { file, path: `byte ${at}` }, `memo ${place} is empty`, HINT);
    stack.push(item);
  };

  for (;;) {
    const place = at;
    const opcode = uint(1);
    switch (opcode) {
      case 0x80: // PROTO
        take(1);
        break;
      case 0x95: // FRAME
        take(8);
        break;
      case 0x2e: // STOP
        return pop();
      case 0x28: // MARK
        stack.push(MARK);
        break;
      case 0x4e: // NONE
        stack.push(null);
        break;
      case 0x88: // NEWTRUE
        stack.push(true);
        break;
      case 0x89: // NEWFALSE
        stack.push(false);
        break;
      case 0x4b: // BININT1
        stack.push(uint(1));
        break;
      case 0x4d: // BININT2
        stack.push(uint(2));
        break;
      case 0x4a: // BININT
        stack.push(view.getInt32(take(4), true));
        break;
      case 0x8a: // LONG1
        stack.push(long(uint(1)));
        break;
      case 0x47: // BINFLOAT
        stack.push(view.getFloat64(take(8)));
        break;
      case 0x8c: // SHORT_BINUNICODE
        stack.push(string(uint(1)));
        break;
      case 0x58: // BINUNICODE
        stack.push(string(uint(4)));
        break;
      case 0x8d: // BINUNICODE8
        stack.push(string(size8()));
        break;
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        stack.push([]);
        break;
      case 0x7d: // EMPTY_DICT
        maps += 1;
        if (maps > MOST_MAPS)
          fail('PICKLE_REFUSED', { file, path: `byte ${place}` }, `more than ${MOST_MAPS} dictionaries`, HINT);
        stack.push(new Map());
        break;
      case 0x61: {
        // APPEND
        const value = pop();
        top(isList).push(value);
        break;
      }
      case 0x65: {
        // APPENDS
        const values = popToMark();
        const list = top(isList);
        for (const value of values) list.push(value);
        break;
      }
      case 0x73: {
        // SETITEM
        const value = pop();
        setAll([pop(), value]);
        break;
      }
      case 0x75: // SETITEMS
        setAll(popToMark());
        break;
      case 0x85: // TUPLE1
        stack.push([pop()]);
        break;
      case 0x86: {
        // TUPLE2
        const b = pop();
        stack.push([pop(), b]);
        break;
      }
      case 0x87: {
        // TUPLE3
        const c = pop();
        const b = pop();
        stack.push([pop(), b, c]);
        break;
      }
      case 0x74: // TUPLE
        stack.push(popToMark());
        break;
      case 0x94: // MEMOIZE
        memo.push(stack.at(-1) as Item);
        break;
      case 0x71: // BINPUT
        memo[uint(1)] = stack.at(-1) as Item;
        break;
      case 0x72: {
        // LONG_BINPUT
        const slot = uint(4);
        if (slot > LIMIT)
          fail('PICKLE_REFUSED', { file, path: `byte ${place}` }, `memo ${slot} is out of bounds`, HINT);
        memo[slot] = stack.at(-1) as Item;
        break;
      }
      case 0x68: // BINGET
        recall(uint(1));
        break;
      case 0x6a: // LONG_BINGET
        recall(uint(4));
        break;
      default:
        fail(
          'PICKLE_REFUSED',
          { file, path: `byte ${place}` },
          `opcode 0x${opcode.toString(16).padStart(2, '0')} is refused`,
          HINT,
        );
    }
    made += 1;
    if (made > LIMIT) fail('PICKLE_REFUSED', { file, path: `byte ${place}` }, `more than ${LIMIT} values`, HINT);
  }
}
