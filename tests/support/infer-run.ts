import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'infer-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A path in a folder that is gone after the suite; the folder itself for an empty name. */
export const inferPath = (name: string) => join(dir, name);

/** Writes a file there; returns its path. */
export function inferFile(name: string, text: string): string {
  writeFileSync(inferPath(name), text);
  return inferPath(name);
}

/** Few draws, for what does not hang on their number. */
export const SMALL = ['--draws', '200', '--flips', '300'];

/** The document that a call of `infer` wrote into a folder. */
export function inferDocument(folder: string) {
  const text = readFileSync(join(folder, 'inference.json'), 'utf8');
  return { text, document: JSON.parse(text) };
}
