import { fail, shown } from '../util/error.js';
import { decodeFloats, FLOAT_BYTES, type FloatType } from './floats.js';
import { npyHeader } from './npy-header.js';
import { openZip } from './zip.js';

const HINT = 'Write the array again with numpy.save(file, array.astype("<f4")).';

/** A numpy array of floats. */
interface NpyArray {
  readonly shape: readonly number[];
  /** Row-major, whatever the order in the file. */
  readonly values: Float32Array;
}

const DTYPE = /^([<>])f([248])$/;

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
  const header = npyHeader(bytes, file, HINT);
  const { start, shape } = header;
  const dtype = DTYPE.exec(header.type);
  if (!dtype)
    fail(
      'NPY_INVALID',
      { file, path: `at byte ${10}` },
      `dtype ${shown(header.type)}; float16, float32 and float64 ('<f2', '<f4', '<f8') are read`,
      HINT,
    );
  const type = `F${Number(dtype[2]) * 8}` as FloatType;
  const count = shape.reduce((product, n) => product * n, 1);
  const expected = count * FLOAT_BYTES[type];
  if (bytes.length - start !== expected) {
    fail(
      'NPY_INVALID',
      { file, path: `at byte ${start}` },
      `${bytes.length - start} bytes of data, shape (${shape.join(', ')}) of ${type} needs ${expected}`,
      HINT,
    );
  }
  const values = decodeFloats(bytes.subarray(start), {
    type,
    littleEndian: dtype[1] === '<',
    file,
    offset: start,
  });
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
