import { parseJson } from '../json.js';
import { decodeText } from '../utf8.js';

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** What files were parsed to by those who asked what they are, until they are read. */
const left = new WeakMap<Uint8Array, Outcome>();

/** The JSON that a file is, parsed once. */
interface JsonFile {
  /** Gives its value. Errors: those of `parseJson`, TEXT_INVALID_UTF8. */
  value(): unknown;
  /** Leaves the value, or its error, for the next who opens these bytes: a file is asked whether it is a log before it is read as a table. */
  leave(): void;
}

/** Opens the bytes of a file as JSON in which numbers may be NaN, and takes what was left of them. */
export function jsonFile(bytes: Uint8Array, file: string): JsonFile {
  let found = left.get(bytes);
  left.delete(bytes);
  return {
    value() {
      found ??= parsed(bytes, file);
      if ('error' in found) throw found.error;
      return found.value;
    },
    leave() {
      if (found) left.set(bytes, found);
    },
  };
}

function parsed(bytes: Uint8Array, file: string): Outcome {
  try {
    return { value: parseJson(decodeText(file, bytes), { file, nonFinite: true }) };
  } catch (error) {
    return { error };
  }
}
