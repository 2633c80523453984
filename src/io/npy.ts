import { fail, shown } from '../util/error.js';
import { decodeFloats, FLOAT_BYTES, type FloatType } from './floats.js';
import { openZip } from './zip.js';

const HINT = 'Write the array again with numpy.save(file, array.astype("<f4")).';

/** A numpy array of floats. */
interface NpyArray {
  readonly shape: readonly number[];
  /** Row-major, whatever the order in the file. */
  readonly values: Float32Array;
}

interface Header {
  readonly type: FloatType;
  readonly littleEndian: boolean;
  readonly fortran: boolean;
  readonly shape: readonly number[];
}

const MAGIC = Buffer.from('\x93NUMPY', 'latin1');
const LARGEST_HEADER = 65_536;
const DTYPE = /^([<>])f([248])$/;
const HEADER =
  /^\{ ?'descr': ?'([^']{1,64})', ?'fortran_order': ?(True|False), ?'shape': ?\(([0-9, ]{0,200})\),? ?\} *\n?$/;

function parseHeader(text: string, file: string): Header {
  const match = HEADER.exec(text);
  if (!match)
    fail(
      'NPY_INVALID',
      { file, path: `at byte ${10}` },
      `header ${shown(text.trim())} is not a plain array description`,
      HINT,
    );
  const [, descr = '', order, list = ''] = match;
  const dtype = DTYPE.exec(descr);
  if (!dtype)
    fail(
      'NPY_INVALID',
      { file, path: `at byte ${10}` },
      `dtype ${shown(descr)}; float16, float32 and float64 ('<f2', '<f4', '<f8') are read`,
      HINT,
    );
  const parts = list.split(',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const shape = parts.map((part) => {
    if (!/^\d{1,10}$/.test(part))
      fail('NPY_INVALID', { file, path: `at byte ${10}` }, `shape (${list}) is not a list of counts`, HINT);
    return Number(part);
  });
  return {
    type: `F${Number(dtype[2]) * 8}` as FloatType,
    littleEndian: dtype[1] === '<',
    fortran: order === 'True',
    shape,
  };
}

function rowMajor(values: Float32Array, shape: readonly number[]): Float32Array {
  const out = new Float32Array(values.length);
  const index = shape.map(() => 0);
  for (let i = 0; i < values.length; i += 1) {
    let at = 0;
    for (let k = 0; k < shape.length; k += 1) at = at * shape[k]! + index[k]!;
    out[at] = values[i]!;
    for (let k = 0; k < shape.length; k += 1) {
      index[k] = index[k]! + 1;
      if (index[k]! < shape[k]!) break;
      index[k] = 0;
    }
  }
  return out;
}

/**
 * Reads a numpy array (.npy, versions 1 to 3) of float16, float32 or float64 in either byte order. The data must be exactly
 * shape x item size; objects (pickles) and everything else are refused. Code NPY_INVALID, with the byte.
 */
export function readNpy(bytes: Buffer, file: string): NpyArray {
  if (bytes.length < 10 || !bytes.subarray(0, 6).equals(MAGIC))
    fail('NPY_INVALID', { file, path: `at byte ${0}` }, 'the numpy magic string is missing', HINT);
  const version = bytes[6]!;
  if (version < 1 || version > 3)
    fail('NPY_INVALID', { file, path: `at byte ${6}` }, `format version ${version}; 1, 2 and 3 are read`, HINT);
  const wide = version > 1;
  if (wide && bytes.length < 12)
    fail('NPY_INVALID', { file, path: `at byte ${8}` }, 'the file ends inside its header', HINT);
  const length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  const start = (wide ? 12 : 10) + length;
  if (length > LARGEST_HEADER)
    fail(
      'NPY_INVALID',
      { file, path: `at byte ${8}` },
      `header of ${length} bytes; at most ${LARGEST_HEADER} are read`,
      HINT,
    );
  if (start > bytes.length)
    fail('NPY_INVALID', { file, path: `at byte ${8}` }, `header of ${length} bytes in a file of ${bytes.length}`, HINT);
  const header = parseHeader(bytes.toString('latin1', start - length, start), file);
  const count = header.shape.reduce((product, n) => product * n, 1);
  const expected = count * FLOAT_BYTES[header.type];
  if (bytes.length - start !== expected) {
    fail(
      'NPY_INVALID',
      { file, path: `at byte ${start}` },
      `${bytes.length - start} bytes of data, shape (${header.shape.join(', ')}) of ${header.type} needs ${expected}`,
      HINT,
    );
  }
  const values = decodeFloats(bytes.subarray(start), {
    type: header.type,
    littleEndian: header.littleEndian,
    file,
    offset: start,
  });
  const { shape } = header;
  return { shape, values: header.fortran && shape.length > 1 ? rowMajor(values, shape) : values };
}

const ARCHIVE_HINT = 'The archive is damaged or of a kind that is not read; write it again with numpy.savez.';

/** Reads an archive of arrays (.npz): member name without `.npy` to array, in directory order. */
export function readNpz(bytes: Buffer, file: string): Map<string, NpyArray> {
  const out = new Map<string, NpyArray>();
  for (const { name, data } of openZip(bytes, file, { hint: ARCHIVE_HINT })) {
    if (!name.endsWith('.npy')) {
      fail('NPY_INVALID', { file }, `member ${shown(name)} is not a .npy array`, 'Write the archive with numpy.savez.');
    }
    out.set(name.slice(0, -4), readNpy(Buffer.from(data()), `${file}:${name}`));
  }
  return out;
}
