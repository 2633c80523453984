import { isAscii, isUtf8 } from '#platform';

/** Bytes at an address that a typed array can begin at. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}

/** Counts how many of the first `length` bits are set. */
export function setBits(bytes: Uint8Array, length: number): number {
  let count = 0;
  const whole = length >> 3;
  for (let i = 0; i < whole; i += 1) {
    let byte = bytes[i]!;
    byte -= (byte >> 1) & 0x55;
    byte = (byte & 0x33) + ((byte >> 2) & 0x33);
    count += (byte + (byte >> 4)) & 0x0f;
  }
  for (let i = whole * 8; i < length; i += 1) count += (bytes[whole]! >> (i & 7)) & 1;
  return count;
}

const isSet = (bits: Uint8Array, i: number) => ((bits[i >> 3]! >> (i & 7)) & 1) === 1;

function offsetArray(bytes: Uint8Array, length: number, wide: boolean): ArrayLike<number> {
  const { buffer, byteOffset } = aligned(bytes);
  return wide
    ? Float64Array.from(new BigInt64Array(buffer, byteOffset, length + 1), Number)
    : new Int32Array(buffer, byteOffset, length + 1);
}

/** Checks that offsets rise and stay inside `limit`; and, where there are texts, that each is UTF-8. */
export function assertOffsets(
  bytes: Uint8Array,
  length: number,
  wide: boolean,
  limit: number,
  texts?: Uint8Array,
): void {
  if (length === 0) return;
  const offsets = offsetArray(bytes, length, wide);
  let last = 0;
  for (let i = 0; i <= length; i += 1) {
    const offset = offsets[i]!;
    if (offset < last) throw new Error(`row ${i}: a value that ends before it begins`);
    last = offset;
  }
  if (last > limit) throw new Error(`values of ${last} bytes where ${limit} are there`);
  if (texts) assertTexts(texts, offsets, length);
}

function assertTexts(bytes: Uint8Array, offsets: ArrayLike<number>, length: number): void {
  const used = bytes.subarray(offsets[0], offsets[length]);
  if (isAscii(used)) return;
  if (!isUtf8(used)) throw new Error('text that is not UTF-8');
  for (let i = 0; i <= length; i += 1)
    if (((bytes[offsets[i]!] ?? 0) & 0xc0) === 0x80 && offsets[i]! < offsets[length]!)
      throw new Error(`row ${i}: text that begins inside a character`);
}

/** A view holds so many bytes itself. */
const INLINE = 12;

/** Checks that views (length, then the bytes or their buffer and place) lie inside their buffers. */
export function assertViews(
  bytes: Uint8Array,
  length: number,
  buffers: readonly Uint8Array[],
  valid: (bytes: Uint8Array) => boolean,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < length; i += 1) {
    const size = view.getInt32(16 * i, true);
    if (size < 0) throw new Error(`row ${i + 1}: a value of ${size} bytes`);
    const inline = size <= INLINE;
    const from = inline ? 16 * i + 4 : view.getInt32(16 * i + 12, true);
    const source = inline ? bytes : buffers[view.getInt32(16 * i + 8, true)];
    if (source === undefined || from < 0 || from + size > source.length)
      throw new Error(`row ${i + 1}: a value outside its buffer`);
    const value = source.subarray(from, from + size);
    if (!valid(value)) throw new Error('text that is not UTF-8');
  }
}

function numbers(bytes: Uint8Array, bits: number, signed: boolean): ArrayLike<number | bigint> {
  const { buffer, byteOffset, byteLength } = aligned(bytes);
  const count = Math.floor((byteLength * 8) / bits);
  if (bits === 64) return new BigInt64Array(buffer, byteOffset, count);
  const place = [buffer as ArrayBuffer, byteOffset, count] as const;
  if (bits === 8) return signed ? new Int8Array(...place) : new Uint8Array(...place);
  if (bits === 16) return signed ? new Int16Array(...place) : new Uint16Array(...place);
  return signed ? new Int32Array(...place) : new Uint32Array(...place);
}

/** Checks that each number that is there points to an entry of a dictionary. */
export function assertEntries(
  bytes: Uint8Array,
  rows: { readonly length: number; readonly valid: Uint8Array | undefined },
  type: { readonly bits: number; readonly signed: boolean },
  entries: number,
): void {
  const values = numbers(bytes, type.bits, type.signed);
  for (let i = 0; i < rows.length; i += 1) {
    const value = values[i]!;
    if ((value >= entries || value < 0) && (rows.valid === undefined || isSet(rows.valid, i)))
      throw new Error(`row ${i + 1}: entry ${value} of a dictionary of ${entries}`);
  }
}
