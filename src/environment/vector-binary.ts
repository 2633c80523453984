import { isUtf8, utf8Text } from '#platform';
import type { ByteSource } from '../io/byte-source.js';
import { decodeFloats } from '../io/floats.js';
import { fail, shown } from '../util/error.js';
import type { KeepName, VectorFile } from './vector-table.js';
import { assertHeld, growingTable } from './vector-table.js';

/** Longest name, bytes. */
const LONGEST = 4096;
const WINDOW = 2 ** 23;
const CUT = 'The file is cut off or damaged: copy it again and compare its size.';

interface BinaryOptions {
  readonly file: string;
  readonly keep: KeepName | undefined;
}

/** A window that moves over a source. */
function windowOf(source: ByteSource) {
  let bytes = source.read(0, Math.min(WINDOW, source.size));
  let from = 0;
  return {
    /** At least `length` bytes from `at` on, or all that there are. */
    at(at: number, length: number): Uint8Array {
      const wanted = Math.min(length, source.size - at);
      if (at < from || at + wanted > from + bytes.length) {
        from = at;
        bytes = source.read(at, Math.min(Math.max(WINDOW, wanted), source.size - at));
      }
      return bytes.subarray(at - from, at - from + wanted);
    },
  };
}

/**
 * Reads the binary form of word2vec: a line of two counts, then for each row the name, a blank, and little-endian float32 numbers (reading 3.1).
 * What the header claims must fit the size of the file before anything is read. Errors: MATRIX_INVALID with byte and row, NUMBER_INVALID,
 * BOUND_EXCEEDED.
 */
export function readBinaryVectors(source: ByteSource, { file, keep }: BinaryOptions): VectorFile {
  const view = windowOf(source);
  const head = Buffer.from(view.at(0, 64)).toString('latin1');
  const [line, rowText, columnText] = /^(\d{1,12})[ \t]+(\d{1,7})[ \t]*\r?\n/.exec(head)!;
  const [rows, columns] = [Number(rowText), Number(columnText)];
  const width = 4 * columns;
  const least = line.length + rows * (width + 2);
  if (rows === 0 || columns === 0 || least > source.size)
    fail(
      'MATRIX_INVALID',
      { file },
      `the header claims ${rows} x ${columns} numbers, ${least} bytes or more; the file has ${source.size}`,
      CUT,
    );
  if (keep === undefined) assertHeld(file, rows * columns);
  const table = growingTable(file, columns);
  const names: string[] = [];
  let at = line.length;
  for (let row = 1; row <= rows; row += 1) {
    while (view.at(at, 1)[0] === 10) at += 1;
    const start = at;
    const part = view.at(at, LONGEST);
    const blank = part.indexOf(32);
    if (blank < 0)
      fail('MATRIX_INVALID', { file }, `at byte ${start}: row ${row} of ${rows} has no name that ends in a blank`, CUT);
    if (!isUtf8(part.subarray(0, blank)))
      fail('MATRIX_INVALID', { file }, `at byte ${start}: the name of row ${row} is not valid UTF-8`, CUT);
    const name = utf8Text(part, 0, blank);
    at = start + blank + 1;
    const numbers = view.at(at, width);
    if (numbers.length < width)
      fail(
        'MATRIX_INVALID',
        { file },
        `at byte ${at}: row ${row} of ${rows} (${shown(name)}) has ${numbers.length} bytes of numbers, ${width} are expected`,
        CUT,
      );
    if (keep === undefined || keep(name)) {
      names.push(name);
      for (const value of decodeFloats(numbers, { type: 'F32', file, offset: at })) table.push(value);
    }
    at += width;
  }
  const rest = source.size - at;
  if (rest > 1 || (rest === 1 && view.at(at, 1)[0] !== 10))
    fail('MATRIX_INVALID', { file }, `${rest} bytes follow the ${rows} rows that the header claims`, CUT);
  return { rows: names.length, columns, values: table.values(), names, ids: null };
}
