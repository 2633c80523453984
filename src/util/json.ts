import { readText } from './file.js';
import { readJsonTree } from './json-reader.js';

export interface JsonPlace {
  readonly file?: string | undefined;
  /** Line of the input at which the text starts; 1 unless given. */
  readonly line?: number | undefined;
}

/** Colons outside strings: one for every key as written. Also the deepest nesting. The text is valid JSON. */
function countKeys(text: string): { keys: number; depth: number } {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      let end = text.indexOf('"', i + 1);
      for (;;) {
        let slashes = 0;
        while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1;
        if (slashes % 2 === 0) break;
        end = text.indexOf('"', end + 1);
      }
      i = end;
    } else if (code === 58) keys += 1;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return { keys, depth: deepest };
}

function ownKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += ownKeys(item);
    return count;
  }
  for (const key in value) {
    count += 1;
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'object') count += ownKeys(item);
  }
  return count;
}

/**
 * Parses JSON strictly: duplicate keys, nesting past 512 levels and anything JSON.parse rejects are errors that name file,
 * line and column (JSON_INVALID, JSON_DUPLICATE_KEY). Fast: the built-in parser does the work, and an object with a key
 * written twice shows itself by having fewer keys than the text has colons.
 */
export function parseJson(text: string, place: JsonPlace = {}): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const written = countKeys(text);
    if (written.depth < 500 && written.keys === ownKeys(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return readJsonTree<number>(text, { ...place, number: Number });
}

/** Strict JSON of a regular UTF-8 file. */
export function readJson(path: string): unknown {
  return parseJson(readText(path), { file: path });
}
