import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type HeldFile, heldFile } from '../../src/explorer/sources/held-file.js';

/** Makes a file as a page is given it. */
export const held = (name: string, bytes: Uint8Array, found = true): HeldFile =>
  heldFile({ name, size: bytes.length, found }, async () => bytes);

/** A folder as a page is given it: every file under its path, the name of the folder first. */
export function heldFolder(path: string, name: string): HeldFile[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(path, file)).isFile())
    .map((file) => held(`${name}/${file}`, readFileSync(join(path, file))));
}
