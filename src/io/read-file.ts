import { createHash } from 'node:crypto';
import type { ByteSource } from './byte-source.js';
import { type CsvTable, parseCsv } from './csv.js';
import type { InputFile } from './envelope.js';
import { readText } from './file.js';
import { type JsonObject, parseJson, parseObject } from './json.js';
import { openInput } from './open-input.js';

/** Reads strict JSON of a UTF-8 file. Errors: those of `parseJson` and of reading text. */
export function readJson(path: string): unknown {
  return parseJson(readText(path), { file: path });
}

/** Reads the JSON object in a UTF-8 file. Errors: those of `parseObject` and of reading text. */
export function readObject(path: string): JsonObject {
  return parseObject(readText(path), { file: path });
}

/** Reads the table in a UTF-8 file. Errors: those of `parseCsv` and of reading text. */
export function readCsv(path: string): CsvTable {
  return parseCsv(readText(path), { file: path });
}

/** Runs with the bytes of an input of any size, which are read as they are asked for. Errors: those of `openInput`. */
export async function withFileSource<T>(path: string, run: (source: ByteSource) => Promise<T>): Promise<T> {
  const input = openInput(path);
  try {
    return await run(input);
  } finally {
    input.close();
  }
}

/** Begins the digest of an input that is shown part by part: `take` every byte once, in order, then ask for the `file`. */
export function inputDigest(role: string): { take(part: Uint8Array): void; file(): InputFile } {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    take(part) {
      hash.update(part);
      bytes += part.length;
    },
    file: () => ({ role, sha256: hash.digest('hex'), bytes }),
  };
}

/** Takes the digest of an input of any size. Errors: those of `openInput`. */
export function inputFileAt(role: string, path: string): InputFile {
  const digest = inputDigest(role);
  const input = openInput(path);
  const chunk = Buffer.allocUnsafe(1 << 20);
  let bytes = 0;
  try {
    for (let got = input.copy(chunk, 0, 0); got > 0; got = input.copy(chunk, 0, bytes)) {
      digest.take(chunk.subarray(0, got));
      bytes += got;
    }
  } finally {
    input.close();
  }
  return digest.file();
}
