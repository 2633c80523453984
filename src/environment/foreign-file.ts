import { latin1Text } from '#platform';
import { openZip } from '../io/zip.js';
import { fail } from '../util/error.js';

/** A kind of file that holds vectors for others, or none: how it begins, what it is, what to do. */
interface Foreign {
  readonly begins: readonly number[];
  readonly what: string;
  readonly hint: string;
}

const SAVE = 'save the matrix alone, as numpy.save(file, matrix) or safetensors, with a list of names beside it.';
const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

const FOREIGN: readonly Foreign[] = [
  {
    begins: [0xba, 0x16, 0x4f, 0x2f],
    what: 'a fastText model, not its vectors',
    hint: 'Give the .vec file that fastText writes beside it.',
  },
  { begins: [0x89, ...ascii('HDF')], what: 'an HDF5 file', hint: `Open it where it was made, and ${SAVE}` },
  { begins: ascii('GGUF'), what: 'a GGUF model', hint: `Take the embedding table out of it, and ${SAVE}` },
  { begins: ascii('BZh'), what: 'packed with bzip2', hint: 'Unpack it with `bunzip2` and give the file.' },
  { begins: [0xfd, ...ascii('7zXZ')], what: 'packed with xz', hint: 'Unpack it with `unxz` and give the file.' },
  { begins: [...ascii('7z'), 0xbc, 0xaf], what: 'a 7z archive', hint: 'Unpack it with `7z x` and give the file.' },
  {
    begins: ascii('PAR1'),
    what: 'a Parquet table',
    hint: 'Write it as CSV: a column `name`, then one column a dimension.',
  },
  {
    begins: ascii('ARROW1'),
    what: 'an Arrow table',
    hint: 'Write it as CSV: a column `name`, then one column a dimension.',
  },
];

const PICKLE_HINT =
  'In Python, `model.wv.save_word2vec_format("vectors.txt")` writes the vectors of gensim as text, `numpy.save("vectors.npy", matrix)` those of an array.';

const GENSIM =
  'In Python: `from gensim.models import KeyedVectors; KeyedVectors.load("FILE").save_word2vec_format("vectors.txt")`, of a whole model `Word2Vec.load("FILE").wv.save_word2vec_format("vectors.txt")`.';

/** A pickle of gensim names its class in its first bytes. */
const isGensim = (bytes: Uint8Array): boolean => latin1Text(bytes, 0, Math.min(256, bytes.length)).includes('gensim.');

/** Refuses a pickle by its name. Errors: PICKLE_REFUSED. */
export function refusePickle(bytes: Uint8Array, file: string): void {
  if (bytes[0] === 0x80 && bytes[1]! >= 2 && bytes[1]! <= 5)
    fail(
      'PICKLE_REFUSED',
      { file },
      'is a Python pickle, which could run code; vectors are never read from one',
      isGensim(bytes) ? GENSIM.replaceAll('"FILE"', JSON.stringify(file)) : PICKLE_HINT,
    );
}

/** Refuses what is known and holds no matrix that is read, by its name. Errors: MATRIX_INVALID. */
export function refuseForeign(bytes: Uint8Array, file: string): void {
  const found = FOREIGN.find(({ begins }) => begins.every((byte, i) => bytes[i] === byte));
  if (found) fail('MATRIX_INVALID', { file }, `is ${found.what}; no matrix is read from it`, found.hint);
}

/** Refuses a ZIP archive that is no .npz, and says what lies in it. Errors: PICKLE_REFUSED, MATRIX_INVALID, ZIP_INVALID. */
export function refuseArchive(bytes: Buffer, file: string): void {
  const names = openZip(bytes, file, { hint: 'Copy the file again, whole, or unpack it with `unzip`.' }).map(
    ({ name }) => name,
  );
  if (names.length > 0 && names.every((name) => name.endsWith('.npy'))) return;
  if (names.some((name) => name.endsWith('.pkl')))
    fail(
      'PICKLE_REFUSED',
      { file },
      'is a PyTorch checkpoint, a ZIP archive with a pickle, which could run code; it is never read',
      'In Python, `safetensors.torch.save_file({"embeddings": tensor}, "embeddings.safetensors")` writes the tensor alone.',
    );
  const listed = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', ...' : ''}`;
  fail(
    'MATRIX_INVALID',
    { file },
    `is a ZIP archive of ${names.length} files: ${listed}`,
    'Unpack it with `unzip` and give the file that holds the vectors.',
  );
}
