import { readFileSync } from 'node:fs';
import { fail } from '../util/error.js';

/** A file that a page is made about, in it or beside it. */
export interface PageFile {
  readonly name: string;
  readonly folder?: string;
  readonly bytes: Uint8Array;
}

const PLACE = '<!--given-->';

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
 * Makes a page about files (explorer): with their bytes inside, so that it opens from disk and needs nothing, or with the places where a
 * server has them. `command` gives the same digits in a terminal. Errors: INPUT_NOT_FOUND where the page was not built.
 */
export function explorerPage(files: readonly PageFile[], command: string, inside: boolean): string {
  const given = {
    command,
    files: files.map(({ bytes, ...file }, index) => ({
      ...file,
      ...(inside ? { base64: Buffer.from(bytes).toString('base64') } : { href: fileHref(index) }),
    })),
  };
  // In a script element only `<` can end it or open a comment.
  const json = JSON.stringify(given).replaceAll('<', '\\u003c');
  return template().replace(PLACE, () => `<script type="application/json" id="given">${json}</script>`);
}
