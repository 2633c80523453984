import { readInput } from '../../io/file.js';
import { type PartDocument, readPart } from '../../shares/part-document.js';
import type { PlacedPart } from '../../shares/shares.js';

/** What was read of parts that the call under way is made of. */
let held: ReadonlyMap<string, PartDocument> = new Map();

/** Reads parts, each once: those that `withParts` holds are taken as they were read. Errors: those of `readPart`. */
export function placedParts(files: readonly string[]): PlacedPart[] {
  return files.map((file) => ({ file, part: held.get(file) ?? readPart(readInput(file), file) }));
}

/** Makes a call while parts that were read before stand ready for it: they may hold hundreds of megabytes. */
export async function withParts<T>(parts: readonly PlacedPart[], call: () => Promise<T>): Promise<T> {
  held = new Map(parts.map(({ file, part }) => [file, part]));
  try {
    return await call();
  } finally {
    held = new Map();
  }
}
