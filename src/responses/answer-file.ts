import type { ByteSource } from '../io/byte-source.js';
import type { InputFile } from '../io/envelope.js';
import { readInput, readText } from '../io/file.js';
import { lineBlocks, textLines } from '../io/lines.js';
import { inputHead, inputSize } from '../io/open-input.js';
import { inputDigest, inputFileAt, withFileSource } from '../io/read-file.js';
import { isPacked } from '../io/unpack.js';
import { fail } from '../util/error.js';
import { documentAnswers, lineAnswer, type PlacedAnswer } from './answer-rows.js';
import { answersIn, formOf, isRowLine, type ResponseForm } from './answers-in.js';
import { tableOf } from './csv-answers.js';
import { type AnswerSink, type Rescorer, rescoreBlocks, scoreRow } from './rescore.js';

/** Largest file that is read whole; files with one row a line have no bound. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** Tells the form of a response file by its first bytes. Errors: INPUT_NOT_FOUND, INPUT_NOT_REGULAR. */
export const responseForm = (path: string): ResponseForm => formOf(inputHead(path, 8));

/** So much of a file tells whether it is a table of cells. */
const HEAD = 1 << 16;

/** Tells whether a response file is none of plain JSON: a table, or packed. */
function isOtherThanJson(path: string): boolean {
  const head = inputHead(path, HEAD);
  const form = formOf(head);
  return isPacked(head) || form === 'arrow' || form === 'parquet' || (form === 'lines' && tableOf(head) !== undefined);
}

/** Tells whether the file begins with a line that is a whole JSON object, but not a container of rows. */
export function isRowFile(path: string): boolean {
  for (const { text } of textLines(path)) return isRowLine(text);
  return true;
}

/**
 * Yields the answers of a file, in order: one row a line (streamed, of any size), an array, an object with `responses`, `tasks` or
 * `records`, or a single object (collection 2.2).
 * Errors: those of reading lines and JSON; SCHEMA_INVALID for a row that is no answer; BOUND_EXCEEDED for a whole document
 * past 256 MiB; USAGE for tables and packed files, which `openAnswers` reads.
 */
export function* readAnswers(path: string): Generator<PlacedAnswer, void, undefined> {
  if (isOtherThanJson(path))
    fail(
      'USAGE',
      { file: path },
      'is a table, or packed',
      'Give JSON, one row a line. `score`, `infer` and `rescore` read answers as columns; `infer --scores` reads a score matrix.',
    );
  if (isRowFile(path)) {
    for (const { text, line } of textLines(path)) yield lineAnswer(path, line, text);
    return;
  }
  const size = inputSize(path);
  if (size > MAX_DOCUMENT_BYTES) {
    fail(
      'BOUND_EXCEEDED',
      { file: path },
      `${size} bytes in one JSON document; at most ${MAX_DOCUMENT_BYTES} are read whole`,
      'Write one row a line; such files are streamed.',
    );
  }
  yield* documentAnswers(readText(path), path);
}

/**
 * Opens the answers of a file of any form that `rescore` takes: those of `readAnswers`, read as they are asked for, or of a table or a packed file,
 * which is read whole. Errors: those of `readAnswers` and `answersIn`.
 */
export async function openAnswers(path: string): Promise<Iterable<PlacedAnswer>> {
  if (!isOtherThanJson(path)) return readAnswers(path);
  const answers: PlacedAnswer[] = [];
  for await (const read of answersIn(readInput(path), path)) answers.push(read());
  return answers;
}

/** Hears how many bytes of a file were read, of how many. */
type OnBytes = (done: number, size: number) => void;

/** Yields the blocks of lines of a file and says how far they reach. */
function* followedBlocks(path: string, onBytes: OnBytes) {
  const size = inputSize(path);
  let done = 0;
  for (const block of lineBlocks(path)) {
    yield block;
    done += block.end - block.start;
    onBytes(done, size);
  }
}

/** Tells whether the bytes of a file are scanned line by line. */
const isScanned = (path: string): boolean =>
  !isOtherThanJson(path) && responseForm(path) === 'lines' && isRowFile(path);

/** Feeds the answers of a file of any form, of lines as they are read. Errors: those of `openAnswers`. */
export async function scoreAnswers(path: string, sink: AnswerSink, onBytes?: OnBytes): Promise<void> {
  if (isScanned(path)) await rescoreBlocks(onBytes ? followedBlocks(path, onBytes) : lineBlocks(path), path, sink);
  else for (const answered of await openAnswers(path)) scoreRow(sink, answered, answered.answer);
}

/** Does what `scoreAnswers` does and takes the digest of the input: lines are read once for both. Errors: those of `scoreAnswers`. */
export async function scoreInput(role: string, path: string, sink: AnswerSink): Promise<InputFile> {
  if (!isScanned(path)) {
    const input = inputFileAt(role, path);
    await scoreAnswers(path, sink);
    return input;
  }
  const digest = inputDigest(role);
  await rescoreBlocks(lineBlocks(path, digest.take), path, sink);
  return digest.file();
}

/**
 * Scores a response file of any form. Arrow and Parquet readers are loaded only when they are needed.
 * Errors: those of the readers.
 */
export async function rescoreFile(path: string, scorer: Rescorer, onBytes?: OnBytes): Promise<void> {
  const form = responseForm(path);
  const followed = ({ size, read }: ByteSource): ByteSource => ({
    size,
    read(offset, length) {
      onBytes?.(offset, size);
      return read(offset, length);
    },
  });
  if (form === 'arrow') {
    const { rescoreArrow } = await import('./rescore-arrow.js');
    await withFileSource(path, (source) => rescoreArrow(followed(source), path, scorer));
  } else if (form === 'parquet') {
    const { rescoreParquet } = await import('./rescore-parquet.js');
    await withFileSource(path, (source) => rescoreParquet(followed(source), path, scorer));
  } else await scoreAnswers(path, scorer, onBytes);
}
