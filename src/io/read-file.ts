import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.js';
import { type CsvTable, parseCsv } from './csv.js';
import type { InputFile } from './envelope.js';
import { assertInputFile, readPart, readText } from './file.js';
import { type JsonObject, parseJson, parseObject } from './json.js';

/** Reads strict JSON of a regular UTF-8 file. Errors: those of `parseJson` and of reading text. */
export function readJson(path: string): unknown {
  return parseJson(readText(path), { file: path });
}

/** Reads the JSON object in a regular UTF-8 file. Errors: those of `parseObject` and of reading text. */
export function readObject(path: string): JsonObject {
  return parseObject(readText(path), { file: path });
}

/** Reads the table in a regular UTF-8 file. Errors: those of `parseCsv` and of reading text. */
export function readCsv(path: string): CsvTable {
  return parseCsv(readText(path), { file: path });
}

/** An open file of a known size as a source. */
function fileSource(handle: number, size: number): ByteSource {
  return { size, read: (offset, length) => readPart(handle, offset, length) };
}

/**
 * Runs with the bytes of a regular file of any size, which are read as they are asked for. Errors: INPUT_NOT_FOUND,
 * INPUT_NOT_REGULAR.
 */
export async function withFileSource<T>(path: string, run: (source: ByteSource) => Promise<T>): Promise<T> {
  const { size } = assertInputFile(path);
  const handle = openSync(path, 'r');
  try {
    return await run(fileSource(handle, size));
  } finally {
    closeSync(handle);
  }
}

/** Takes the digest of a regular file of any size. Errors: INPUT_NOT_FOUND, INPUT_NOT_REGULAR. */
export function inputFileAt(role: string, path: string): InputFile {
  assertInputFile(path);
  const hash = createHash('sha256');
  const handle = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(1 << 20);
  let bytes = 0;
  try {
    for (let got = readSync(handle, chunk); got > 0; got = readSync(handle, chunk)) {
      hash.update(chunk.subarray(0, got));
      bytes += got;
    }
  } finally {
    closeSync(handle);
  }
  return { role, sha256: hash.digest('hex'), bytes };
}
