import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fail } from '../util/error.js';

/** A file that a page is made about, in it or beside it. */
export interface PageFile {
  /** With `/` between folders. */
  readonly name: string;
  readonly folder?: string;
  /** Lies in a folder that was named. */
  readonly found?: boolean;
  readonly bytes: Uint8Array;
}

const PLACE = '<!--given-->';

/** Reads the page without data. Errors: INPUT_NOT_FOUND where it was not built. */
function template(): string {
  try {
    return readFileSync(new URL('../../dist/explorer/page.html', import.meta.url), 'utf8');
  } catch (cause) {
    return fail('INPUT_NOT_FOUND', { file: 'dist/explorer/page.html' }, 'is not built', 'Run `npm run build`.', {
      cause,
    });
  }
}

/** Where the server of a page has the bytes of a file. */
export const fileHref = (index: number): string => `files/${index}`;

/**
 * Packs bytes the same way on every machine: gzip without a time, at a level of its own.
 */
const packed = (bytes: Uint8Array): string => gzipSync(bytes, { level: 9 }).toString('base64');

/**
 * Makes a page about files (explorer): with their bytes inside, so that it opens from disk and needs nothing, or with the places where a
 * server has them. `command` are the words of the command that was given them. Errors: INPUT_NOT_FOUND where the page was not built.
 */
export function explorerPage(files: readonly PageFile[], command: readonly string[], inside: boolean): string {
  const given = {
    command,
    files: files.map(({ bytes, ...file }, index) => ({
      ...file,
      size: bytes.length,
      ...(inside ? { gzip: packed(bytes) } : { href: fileHref(index) }),
    })),
  };
  // In a script element only `<` can end it or open a comment.
  const json = JSON.stringify(given).replaceAll('<', '\\u003c');
  return template().replace(PLACE, () => `<script type="application/json" id="given">${json}</script>`);
}
