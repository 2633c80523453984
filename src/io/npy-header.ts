import { latin1Text } from '#platform';
import { fail, shown } from '../util/error.js';

/** What a numpy array says of itself. */
interface NpyHeader {
  /** Its type, as numpy writes it: `<f8`, `|b1`, `<U12`. */
  readonly type: string;
  /** Whether its first index runs fastest. */
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** Where the values begin. */
  readonly start: number;
}

const MAGIC = '\x93NUMPY';
const LARGEST_HEADER = 65_536;
const HEADER =
  /^\{ ?'descr': ?'([^']{1,64})', ?'fortran_order': ?(True|False), ?'shape': ?\(([0-9, ]{0,200})\),? ?\} *\n?$/;

/** Tells whether bytes begin as a numpy array does. */
export const isNpy = (bytes: Uint8Array): boolean => bytes.length >= 10 && latin1Text(bytes, 0, 6) === MAGIC;

/** Reads the header of a numpy array (.npy, versions 1 to 3). Errors: NPY_INVALID, with the byte and the hint that is given. */
export function npyHeader(bytes: Uint8Array, file: string, hint: string): NpyHeader {
  const wrong = (at: number, what: string): never => {
    const place = { file, path: `at byte ${at}` };
    return fail('NPY_INVALID', place, what, hint);
  };
  if (!isNpy(bytes)) wrong(0, 'the numpy magic string is missing');
  const version = bytes[6]!;
  if (version < 1 || version > 3) wrong(6, `format version ${version}; 1, 2 and 3 are read`);
  const wide = version > 1;
  if (wide && bytes.length < 12) wrong(8, 'the file ends inside its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = (wide ? 12 : 10) + length;
  if (length > LARGEST_HEADER) wrong(8, `header of ${length} bytes; at most ${LARGEST_HEADER} are read`);
  if (start > bytes.length) wrong(8, `header of ${length} bytes in a file of ${bytes.length}`);
  const text = latin1Text(bytes, start - length, start);
  if (/'descr':\s*\[/.test(text))
    fail(
      'NPY_INVALID',
      { file, path: 'at byte 10' },
      `its rows have named fields, ${shown(text.trim())}: it is a table, no array of numbers`,
      `In Python: \`pandas.DataFrame(numpy.load(${JSON.stringify(file)})).to_csv("scores.csv", index=False)\`.`,
    );
  const match = HEADER.exec(text) ?? wrong(10, `header ${shown(text.trim())} is not a plain array description`);
  const [, type = '', order, list = ''] = match;
  const parts = list.split(',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  if (!parts.every((part) => /^\d{1,10}$/.test(part))) wrong(10, `shape (${list}) is not a list of counts`);
  return { type, fortran: order === 'True', shape: parts.map(Number), start };
}
