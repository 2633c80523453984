import { fail } from '../../util/error.js';

/** From so many characters on, keys, lists and objects are counted before a text is parsed, and what it would become is weighed. */
const COUNTED = 2 ** 21;
/** Most keys of one object: from there on each costs the engine ever more, and a list of objects or a table takes less. */
const MOST_KEYS = 2 ** 18;
/** Most lists and objects together: while more are made, the engine's collector walks through all that are there, again and again. */
const MOST_NESTS = 2 ** 23;
/** Most bytes that what a JSON text holds may take, and what one mark of it takes at most, as the engine keeps it. */
const MOST_WEIGHT = 2 ** 31;
const WEIGHTS: Readonly<Record<string, number>> = { '{': 64, '[': 56, ':': 64, ',': 8, '\n': 16 };
const WEIGHT_OF = Uint8Array.from({ length: 128 }, (_, code) => WEIGHTS[String.fromCharCode(code)] ?? 0);
/** Levels of nesting in which keys are counted; what lies deeper is refused by every reader. */
const LEVELS = 1024;

/** What a JSON text holds, as it is written. */
interface Measured {
  /** Bytes that it takes once it is parsed. */
  readonly weight: number;
  /** Keys of the object that has most. */
  readonly keys: number;
  /** Lists and objects. */
  readonly nests: number;
}

function measured(length: number, codeAt: (place: number) => number): Measured {
  const own = new Int32Array(LEVELS);
  let depth = 0;
  let weight = 0;
  let keys = 0;
  let nests = 0;
  let quoted = false;
  for (let i = 0; i < length; i += 1) {
    const code = codeAt(i);
    if (code === 34) quoted = !quoted;
    else if (code === 92 && quoted) i += 1;
    else if (!quoted && code < 128 && WEIGHT_OF[code]! > 0) {
      weight += WEIGHT_OF[code]!;
      if (code === 58) {
        own[depth & (LEVELS - 1)]! += 1;
        if (own[depth & (LEVELS - 1)]! > keys) keys = own[depth & (LEVELS - 1)]!;
      } else if (code === 123) {
        nests += 1;
        depth += 1;
        own[depth & (LEVELS - 1)] = 0;
      } else if (code === 91) nests += 1;
    } else if (!quoted && code === 125) depth -= 1;
  }
  return { weight, keys, nests };
}

/**
 * Refuses a JSON text, or rows of them, in which one object has more than 2^18 keys, which holds more than 2^23 lists and objects, or that would take more than 2 GiB once it is
 * parsed: three characters may become an object of sixty bytes. Errors: BOUND_EXCEEDED (reading 1.16).
 */
export function assertJsonFits(length: number, codeAt: (place: number) => number, file?: string): void {
  if (length <= COUNTED) return;
  const { weight, keys, nests } = measured(length, codeAt);
  if (keys > MOST_KEYS)
    fail(
      'BOUND_EXCEEDED',
      { file },
      `JSON in which one object has ${keys} keys; at most ${MOST_KEYS} are read`,
      'Write a list of objects, one a row, or a table as CSV, Arrow or Parquet.',
    );
  if (nests > MOST_NESTS)
    fail(
      'BOUND_EXCEEDED',
      { file },
      `JSON of ${nests} lists and objects; at most ${MOST_NESTS} are read`,
      'Split the file, or write it as CSV, Arrow or Parquet.',
    );
  if (weight > MOST_WEIGHT)
    fail(
      'BOUND_EXCEEDED',
      { file },
      `JSON of about ${weight} bytes once it is read; at most ${MOST_WEIGHT} are held`,
      'Split the file, or write it as CSV, Arrow or Parquet.',
    );
}
