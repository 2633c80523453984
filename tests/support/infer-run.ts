import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suiteFolder } from './folders.js';

/** A folder of the suite that calls this, gone after it: `inferPath` is a path in it, `inferFile` writes a file there and returns its path. */
export function inferFolder() {
  const { path, write } = suiteFolder('infer-');
  return { inferPath: path, inferFile: write };
}

/** Few draws, for what does not hang on their number. */
export const SMALL = ['--draws', '200', '--flips', '300'];

/** The document that a call of `infer` wrote into a folder. */
export function inferDocument(folder: string) {
  const text = readFileSync(join(folder, 'inference.json'), 'utf8');
  return { text, document: JSON.parse(text) };
}
