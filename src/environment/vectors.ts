import { basename } from 'node:path';
import type { ByteSource } from '../io/byte-source.js';
import { bytesSource } from '../io/byte-source.js';
import { readInput } from '../io/file.js';
import { decodeFloats } from '../io/floats.js';
import { isObject, parseJson } from '../io/json.js';
import { lineBlocks } from '../io/lines.js';
import { readNpy, readNpz } from '../io/npy.js';
import { inputHead, inputSize, openInput } from '../io/open-input.js';
import { MOST_UNPACKED } from '../io/packing.js';
import { readSafetensors } from '../io/safetensors.js';
import { textBytes } from '../io/text-bytes.js';
import { unpack } from '../io/unpack.js';
import { decodeText, type LineBlock } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { nearestSpellings } from '../util/spelling.js';
import { refuseArchive, refuseForeign, refusePickle } from './foreign-file.js';
import { matrixKind, RAW } from './matrix-kind.js';
import { plainEnding } from './space-file.js';
import { readBinaryVectors } from './vector-binary.js';
import { readCsvVectors } from './vector-csv.js';
import { assertHeld, type KeepName, type VectorFile } from './vector-table.js';
import { readTextVectors } from './vector-text.js';

interface ReadOptions {
  /** Number of rows, needed by raw files. */
  readonly count?: number;
  /** Tensor or array of a file that holds several. */
  readonly tensor?: string;
  /** Rows that are read of a file that holds names itself; all unless given. Other files are read whole. */
  readonly keep?: KeepName;
}

const HINT =
  'A matrix has one row an ingredient and the same number of finite numbers in each; docs/environments.md lists the files that are read.';
const HEAD = 2 ** 16;
const TENSORS = 'Say which with --tensor NAME.';

/** Bytes of a file: all of them, or as they are asked for. */
interface Opened {
  readonly head: Uint8Array;
  readonly size: number;
  bytes(): Buffer;
  blocks(): Iterable<LineBlock>;
  withSource<T>(run: (source: ByteSource) => T): T;
}

const whole = (bytes: Buffer): Opened => ({
  head: bytes.subarray(0, HEAD),
  size: bytes.length,
  bytes: () => bytes,
  blocks: () => [{ bytes, start: 0, end: bytes.length, firstLine: 1 }],
  withSource: (run) => run(bytesSource(bytes)),
});

function streamed(path: string, head: Uint8Array): Opened {
  return {
    head,
    size: inputSize(path),
    bytes: () => readInput(path),
    blocks: () => lineBlocks(path),
    withSource(run) {
      const input = openInput(path);
      try {
        return run(input);
      } finally {
        input.close();
      }
    },
  };
}

/** Opens a file: unpacked where it is packed, as UTF-8 where it begins with the mark of UTF-16, else in pieces, so that one of any size can be gone through. */
async function opened(path: string, file: string): Promise<Opened> {
  const head = inputHead(path, HEAD);
  const packed = (head[0] === 0x1f && head[1] === 0x8b) || (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f);
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide && !RAW.has(plainEnding(file))) {
    const { bytes } = textBytes(readInput(path), file);
    return whole(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }
  if (!packed) return streamed(path, head);
  const { bytes } = await unpack(readInput(path), file);
  return whole(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

function fromSafetensors(bytes: Buffer, file: string, tensor: string | undefined): VectorFile {
  const stored = readSafetensors(bytes, file);
  const shapes = new Map([...stored.tensors].map(([name, { shape }]) => [name, shape]));
  const chosen = chosenTensor(shapes, file, tensor);
  const [rows, columns] = shapes.get(chosen) as [number, number];
  assertHeld(file, rows * columns);
  return { rows, columns, values: stored.read(chosen), names: null, ids: null };
}

function fromNpz(bytes: Buffer, file: string, tensor: string | undefined): VectorFile {
  const arrays = readNpz(bytes, file);
  const chosen = chosenTensor(new Map([...arrays].map(([name, { shape }]) => [name, shape])), file, tensor);
  const { shape, values } = arrays.get(chosen)!;
  return { rows: shape[0]!, columns: shape[1]!, values, names: null, ids: null };
}

/** The tensor asked for, else the one called `embeddings`, else the only two-dimensional one. */
function chosenTensor(shapes: ReadonlyMap<string, readonly number[]>, file: string, asked: string | undefined): string {
  const flat = [...shapes].filter(([, shape]) => shape.length === 2).map(([name]) => name);
  const listed = (names: readonly string[]) => {
    const some = names.slice(0, 8).map((name) => `${name} (${shapes.get(name)!.join(' x ')})`);
    return `${some.join(', ')}${names.length > 8 ? `, and ${names.length - 8} more` : ''}`;
  };
  if (asked !== undefined) {
    if (flat.includes(asked)) return asked;
    const near = nearestSpellings(asked, flat, 3);
    const shape = shapes.get(asked);
    fail(
      'MATRIX_INVALID',
      { file },
      shape ? `tensor ${shown(asked)} has ${shape.length} dimensions; two are expected` : `no tensor ${shown(asked)}`,
      flat.length > 0
        ? `${near.length > 0 ? 'Nearest of those' : 'Those'} with two dimensions: ${listed(near.length > 0 ? near : flat)}.`
        : 'No tensor of the file has two dimensions.',
    );
  }
  if (flat.includes('embeddings')) return 'embeddings';
  if (flat.length === 1) return flat[0]!;
  fail(
    'MATRIX_INVALID',
    { file },
    flat.length === 0
      ? `no two-dimensional tensor \`embeddings\` nor another one; it has ${listed([...shapes.keys()]) || 'none'}`
      : `${flat.length} two-dimensional tensors, none of them \`embeddings\`: ${listed(flat)}`,
    flat.length === 0 ? HINT : TENSORS,
  );
}

/** Reads a JSON object from name to numbers. */
function fromJson(text: string, file: string): VectorFile {
  const value = parseJson(text, { file });
  const rows = isObject(value) ? Object.entries(value) : [];
  const columns = Array.isArray(rows[0]?.[1]) ? rows[0][1].length : 0;
  if (columns === 0) fail('MATRIX_INVALID', { file }, 'no object from name to a list of numbers', HINT);
  const values = new Float32Array(rows.length * columns);
  rows.forEach(([name, list], r) => {
    if (!Array.isArray(list) || list.length !== columns)
      fail(
        'MATRIX_INVALID',
        { file, path: name },
        `${columns} numbers expected, as in the first row, found ${shown(list)}`,
        HINT,
      );
    list.forEach((number: unknown, j) => {
      if (typeof number !== 'number' || !Number.isFinite(Math.fround(number)))
        fail(
          'MATRIX_INVALID',
          { file, path: `${name}[${j}]` },
          `a finite float32 number expected, found ${shown(number)}`,
          HINT,
        );
      values[r * columns + j] = number;
    });
  });
  return { rows: rows.length, columns, values, names: rows.map(([name]) => name), ids: null };
}

function fromRaw(bytes: Buffer, file: string, count: number | undefined): VectorFile {
  if (count === undefined || count === 0)
    fail(
      'MATRIX_INVALID',
      { file },
      'a raw file needs a list of names',
      'Give --names FILE; its width follows from their number.',
    );
  const columns = bytes.length / 4 / count;
  if (!Number.isInteger(columns))
    fail('MATRIX_INVALID', { file }, `${bytes.length} bytes are not ${count} rows of whole float32 numbers`, HINT);
  return {
    rows: count,
    columns,
    values: decodeFloats(bytes, { type: 'F32', file, offset: 0 }),
    names: null,
    ids: null,
  };
}

/**
 * Reads an n x d matrix, known by its content: text of word2vec, GloVe and fastText, the binary form of word2vec, CSV, JSON, `.npy`, `.npz`,
 * safetensors; only raw little-endian float32 is known by its ending (`.f32`, `.bin`), and its width follows from `count`. Links are followed, gzip and
 * Zstandard unpacked (reading 3.1). Errors: MATRIX_INVALID, PICKLE_REFUSED, and those of each form.
 */
export async function readVectors(path: string, { count, tensor, keep }: ReadOptions = {}): Promise<VectorFile> {
  const file = basename(path);
  const open = await opened(path, file);
  const found = read();
  if (found.rows === 0 || found.columns === 0)
    fail(
      'MATRIX_INVALID',
      { file },
      keep
        ? 'none of the names that are kept stands in it'
        : `the matrix is ${found.rows} x ${found.columns}; one row and one column or more are expected`,
      HINT,
    );
  if (count !== undefined && found.names === null && found.rows !== count)
    fail('MATRIX_INVALID', { file }, `${found.rows} rows for ${count} names`, HINT);
  return found;

  function read(): VectorFile {
    const kind = matrixKind(open.head, plainEnding(file));
    if (tensor !== undefined && kind.form !== 'safetensors' && kind.form !== 'zip')
      fail('USAGE', { file }, `--tensor is for files of several tensors; this is ${kind.words}`, 'Leave --tensor out.');
    switch (kind.form) {
      case 'npy': {
        const { shape, values } = readNpy(open.bytes(), file);
        if (shape.length !== 2)
          fail('MATRIX_INVALID', { file }, `${shape.length} dimensions (${shape.join(', ')}); two are expected`, HINT);
        return { rows: shape[0]!, columns: shape[1]!, values, names: null, ids: null };
      }
      case 'safetensors':
        return fromSafetensors(open.bytes(), file, tensor);
      case 'zip': {
        if (open.size > MOST_UNPACKED)
          fail(
            'MATRIX_INVALID',
            { file },
            'is a ZIP archive',
            'Unpack it with `unzip` and give the file of the vectors.',
          );
        const bytes = open.bytes();
        refuseArchive(bytes, file);
        return fromNpz(bytes, file, tensor);
      }
      case 'binary':
        return open.withSource((source) => readBinaryVectors(source, { file, keep }));
      case 'text':
        return readTextVectors(open.blocks(), { file, separator: kind.separator, keep });
      case 'csv':
        return readCsvVectors(decodeText(file, open.bytes()), file);
      case 'json':
        return fromJson(decodeText(file, open.bytes()), file);
      case 'raw':
        if (count === undefined) refusePickle(open.head, file);
        return fromRaw(open.bytes(), file, count);
      case 'unknown':
        refusePickle(open.head, file);
        refuseForeign(open.head, file);
        fail('MATRIX_INVALID', { file }, 'is not text, and begins like no matrix that is known', HINT);
    }
  }
}
