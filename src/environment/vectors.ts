import { basename, extname } from 'node:path';
import { parseCsv } from '../io/csv.js';
import { readInput, readText } from '../io/file.js';
import { decodeFloats, type FloatTable } from '../io/floats.js';
import { readNpy } from '../io/npy.js';
import { readSafetensors } from '../io/safetensors.js';
import { fail, shown } from '../util/error.js';

/** A matrix file: the numbers, and the row names or ids where the file has them. */
export interface VectorFile extends FloatTable {
  readonly names: readonly string[] | null;
  /** `node_id` column of a runtime table (compiler a.2). */
  readonly ids: readonly string[] | null;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const HINT =
  'A matrix has one row an ingredient and the same number of finite numbers in each; a CSV keeps names in a column `name`.';
const NOT_NUMBERS = new Set(['name', 'node_id']);

function fromCsv(path: string, file: string): VectorFile {
  const text = readText(path);
  const first = text.slice(0, text.search(/\r?\n|$/));
  if (first.split(',').every((cell) => NUMBER.test(cell.trim())))
    fail(
      'MATRIX_INVALID',
      { file, line: 1 },
      `${shown(first)} is a row of numbers; a header line is expected`,
      'The first line names the columns: name,dim_0,dim_1,...',
    );
  const { header, rows, lines } = parseCsv(text, { file });
  const all = header.map((name, i) => ({ name, i }));
  const dims = all.filter(({ name }) => name.startsWith('dim_'));
  const used = dims.length > 0 ? dims : all.filter(({ name }) => !NOT_NUMBERS.has(name));
  if (used.length === 0 || rows.length === 0)
    fail(
      'MATRIX_INVALID',
      { file },
      `${rows.length} rows and ${used.length} columns of numbers; one or more of each are expected`,
      HINT,
    );
  const values = new Float32Array(rows.length * used.length);
  let at = 0;
  rows.forEach((row, r) => {
    for (const { name, i } of used) {
      const text = row[i]!;
      const value = NUMBER.test(text) ? Math.fround(Number(text)) : Number.NaN;
      if (!Number.isFinite(value))
        fail(
          'MATRIX_INVALID',
          { file, line: lines[r] },
          `column ${shown(name)} holds ${shown(text)}, not a float32 number`,
          HINT,
        );
      values[at] = value;
      at += 1;
    }
  });
  const column = (name: string) => {
    const i = header.indexOf(name);
    return i < 0 ? null : rows.map((row) => row[i]!);
  };
  return {
    rows: rows.length,
    columns: used.length,
    values,
    names: column('name'),
    ids: column('node_id'),
  };
}

function fromSafetensors(path: string, file: string): VectorFile {
  const stored = readSafetensors(readInput(path), file);
  const flat = [...stored.tensors].filter(([, tensor]) => tensor.shape.length === 2);
  const chosen = stored.tensors.has('embeddings') ? 'embeddings' : flat.length === 1 ? flat[0]![0] : undefined;
  const shape = chosen === undefined ? undefined : stored.tensors.get(chosen)?.shape;
  if (chosen === undefined || shape?.length !== 2)
    fail('MATRIX_INVALID', { file }, 'no two-dimensional tensor `embeddings`, and not exactly one other', HINT);
  return {
    rows: shape[0]!,
    columns: shape[1]!,
    values: stored.read(chosen),
    names: null,
    ids: null,
  };
}

/**
 * Reads an n x d matrix: `.csv` (columns `dim_*`, or every column but `name` and `node_id`), `.npy`, `.safetensors` (tensor
 * `embeddings` or the only two-dimensional one), or raw little-endian float32 (`.f32`, `.bin`) whose width follows from `count`.
 *
 * @param count number of rows, needed by raw files.
 */
export function readVectors(path: string, count?: number): VectorFile {
  const file = basename(path);
  const kind = extname(path).toLowerCase();
  const found = read();
  if (found.rows === 0 || found.columns === 0)
    fail(
      'MATRIX_INVALID',
      { file },
      `the matrix is ${found.rows} x ${found.columns}; one row and one column or more are expected`,
      HINT,
    );
  if (count !== undefined && found.rows !== count)
    fail('MATRIX_INVALID', { file }, `${found.rows} rows for ${count} names`, HINT);
  return found;

  function read(): VectorFile {
    if (kind === '.csv') return fromCsv(path, file);
    if (kind === '.safetensors') return fromSafetensors(path, file);
    if (kind === '.npy') {
      const { shape, values } = readNpy(readInput(path), file);
      if (shape.length !== 2)
        fail('MATRIX_INVALID', { file }, `${shape.length} dimensions (${shape.join(', ')}); two are expected`, HINT);
      return { rows: shape[0]!, columns: shape[1]!, values, names: null, ids: null };
    }
    if (kind !== '.f32' && kind !== '.bin')
      fail('MATRIX_INVALID', { file }, `files of kind ${shown(kind)} are not read`, HINT);
    const bytes = readInput(path);
    if (count === undefined || count === 0) fail('MATRIX_INVALID', { file }, 'a raw file needs a list of names', HINT);
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
}
