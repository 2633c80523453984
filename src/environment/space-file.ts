import { basename, extname } from 'node:path';
import { readInput } from '../io/file.js';
import { textBytes } from '../io/text-bytes.js';
import { unpack } from '../io/unpack.js';
import { decodeText } from '../io/utf8.js';
import { fail } from '../util/error.js';
import { refusePickle } from './foreign-file.js';

/** Endings that say how a file is packed, not what it holds. */
const PACKED = /\.(?:gz|zst)$/i;

/** Reads the bytes of a file of a space: links are followed, what gzip or Zstandard packed is unpacked. Errors: those of both and of reading. */
export async function readSpaceFile(path: string): Promise<Buffer> {
  const { bytes } = await unpack(readInput(path), basename(path));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Reads the text of a file of a space, as `readSpaceFile` does. Errors: TEXT_INVALID_UTF8, also for an archive; PICKLE_REFUSED. */
export async function readSpaceText(path: string): Promise<string> {
  const bytes = await readSpaceFile(path);
  const file = basename(path);
  refusePickle(bytes, file);
  if (bytes.toString('latin1', 0, 4) === 'PK\x03\x04')
    fail(
      'TEXT_INVALID_UTF8',
      { file },
      'is a ZIP archive, as Excel workbooks are; a list or a table as text is expected',
      'Unpack it, or save the table as CSV.',
    );
  return decodeText(path, textBytes(bytes, path).bytes);
}

/** Gives the ending of a file's name in lower case, that of packing left aside: `.csv` of `tags.csv.gz`. */
export const plainEnding = (path: string): string => extname(path.replace(PACKED, '')).toLowerCase();
