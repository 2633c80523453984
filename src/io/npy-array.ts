import { fail, shown } from '../util/error.js';
import { assertValues, SCORE_TABLE } from './held/table-bound.js';
import { npyHeader } from './npy-header.js';
import { shortDecimal } from './plain-values.js';
import { decodeText } from './utf8.js';

const HINT = 'Write it again with numpy.save(file, array.astype(float)); names with array.astype(str).';

/** A numpy array of numbers, truth values (1 and 0) or texts, row after row. NaN stands for nothing. */
interface NumpyArray {
  readonly shape: readonly number[];
  readonly values: Float64Array | readonly string[];
}

type Item = (view: DataView, at: number, little: boolean) => number;

/** Numbers by the letter and the bytes of their type. */
const NUMBERS: Readonly<Record<string, Item>> = {
  b1: (view, at) => (view.getUint8(at) === 0 ? 0 : 1),
  i1: (view, at) => view.getInt8(at),
  u1: (view, at) => view.getUint8(at),
  i2: (view, at, little) => view.getInt16(at, little),
  u2: (view, at, little) => view.getUint16(at, little),
  i4: (view, at, little) => view.getInt32(at, little),
  u4: (view, at, little) => view.getUint32(at, little),
  i8: (view, at, little) => Number(view.getBigInt64(at, little)),
  u8: (view, at, little) => Number(view.getBigUint64(at, little)),
  f2: (view, at, little) => shortDecimal(half(view.getUint16(at, little)), 10),
  f4: (view, at, little) => shortDecimal(view.getFloat32(at, little), 23),
  f8: (view, at, little) => view.getFloat64(at, little),
};

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** A text of a fixed number of characters, 32 bits each, filled up with zeros. */
function fixedText(view: DataView, at: number, length: number, little: boolean): string {
  let text = '';
  for (let i = 0; i < length; i += 1) {
    const point = view.getUint32(at + 4 * i, little);
    if (point === 0) break;
    text += point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
  }
  return text;
}

/** A text of a fixed number of bytes, filled up with zeros. Errors: TEXT_INVALID_UTF8. */
function fixedBytes(bytes: Uint8Array, file: string): string {
  const end = bytes.indexOf(0);
  return decodeText(file, end < 0 ? bytes : bytes.subarray(0, end));
}

/** Where the value of row-major place `i` stands in an array whose first index runs fastest. */
function placeOf(i: number, shape: readonly number[]): number {
  let place = 0;
  let rest = i;
  let step = shape.reduce((product, n) => product * n, 1);
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    const n = shape[axis]!;
    step /= n;
    place += (rest % n) * step;
    rest = Math.floor(rest / n);
  }
  return place;
}

/**
 * Reads a numpy array of numbers, truth values or texts (`<U`, `|S`), in either byte and index order. Objects, which are pickles, are refused, as is
 * everything else. Errors: NPY_INVALID; TEXT_INVALID_UTF8 (reading 1.6); BOUND_EXCEEDED for more values than are held: a byte becomes a number of eight.
 */
export function numpyArray(bytes: Uint8Array, file: string): NumpyArray {
  const { type, fortran, shape, start } = npyHeader(bytes, file, HINT);
  const [, order, kind, digits] = /^([<>|=])([a-zA-Z])(\d{1,6})$/.exec(type) ?? [];
  const item = NUMBERS[`${kind}${digits}`];
  if (item === undefined && kind !== 'U' && kind !== 'S')
    fail(
      'NPY_INVALID',
      { file, path: 'at byte 10' },
      type.includes('O')
        ? 'its values are Python objects, which only running a pickle could read'
        : `type ${shown(type)}; numbers, truth values and texts are read`,
      HINT,
    );
  const width = kind === 'U' ? 4 * Number(digits) : Number(digits);
  const count = shape.reduce((product, n) => product * n, 1);
  if (width === 0 || bytes.length - start !== count * width)
    fail(
      'NPY_INVALID',
      { file, path: `at byte ${start}` },
      `${bytes.length - start} bytes of data, shape (${shape.join(', ')}) of ${type} needs ${count * width}`,
      HINT,
    );
  assertValues(file, count, 'values', item === undefined ? undefined : SCORE_TABLE.cells / 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, count * width);
  const little = order !== '>';
  const at = fortran && shape.length > 1 ? (i: number) => width * placeOf(i, shape) : (i: number) => width * i;
  if (item === undefined) {
    const text =
      kind === 'U'
        ? (i: number) => fixedText(view, at(i), Number(digits), little)
        : (i: number) => fixedBytes(bytes.subarray(start + at(i), start + at(i) + width), file);
    return { shape, values: Array.from({ length: count }, (_, i) => text(i)) };
  }
  const values = new Float64Array(count);
  for (let i = 0; i < count; i += 1) values[i] = item(view, at(i), little);
  return { shape, values };
}
