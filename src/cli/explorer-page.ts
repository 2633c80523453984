import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { ScoreMatrix } from '../core/matrix.js';
import { parseJson } from '../io/json.js';
import type { Verification } from '../release/proofs/verification.js';
import { matrixToArrow } from '../scores/matrix-file.js';
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

/** Reads the bytes of the page without data. Errors: INPUT_NOT_FOUND where it was not built. */
function templateBytes(): Buffer {
  try {
    return readFileSync(new URL('../../dist/explorer/page.html', import.meta.url));
  } catch (cause) {
    return fail('INPUT_NOT_FOUND', { file: 'dist/explorer/page.html' }, 'is not built', 'Run `npm run build`.', {
      cause,
    });
  }
}

const template = (): string => templateBytes().toString('utf8');

/** The page without any data: it reads what is dropped on it. Errors: INPUT_NOT_FOUND where the page was not built. */
export const emptyExplorer = (): string => template();

/** Where the server of a page has the bytes of a file. */
export const fileHref = (index: number): string => `files/${index}`;

/** What a page is made about, and how. */
interface ExplorerPageOptions {
  readonly files: readonly PageFile[];
  /** Words of the command that was given them: the program, its command, files, options. */
  readonly command: readonly string[];
  /** Whether the files lie in the page, so that it opens from disk and needs nothing; else a server has them (`fileHref`). */
  readonly inside: boolean;
  /** What a verification of the files found; null where there was none. */
  readonly verification?: Verification | null;
}

/** Makes the bytes of a page about files (explorer). Errors: INPUT_NOT_FOUND where the page was not built. */
export function explorerPage({ files, command, inside, verification }: ExplorerPageOptions): Uint8Array {
  const given = {
    command,
    ...(verification ? { verification } : {}),
    files: files.map(({ bytes, ...file }, index) => ({
      ...file,
      size: bytes.length,
      ...(inside ? { gzip: gzipSync(bytes).toString('base64') } : { href: fileHref(index) }),
    })),
  };
  // In a script element only `<` can end it or open a comment.
  const json = JSON.stringify(given).replaceAll('<', '\\u003c');
  // The page is long, and a text of it would be made and written anew: its bytes stay as they are.
  const page = templateBytes();
  const place = page.indexOf(PLACE);
  return Buffer.concat([
    page.subarray(0, place),
    Buffer.from(`${HEAD}${json}${FOOT}`),
    page.subarray(place + PLACE.length),
  ]);
}

const HEAD = '<script type="application/json" id="given">';
const FOOT = '</script>';

/** What a page that is at hand was made of. */
interface HeldPage {
  /** Everything but what it was made about is, byte for byte, the page that this version makes. */
  readonly own: boolean;
  /** What it was made about, its files unpacked; null where it holds nothing of that kind. */
  readonly given: { readonly verification?: unknown; readonly files: readonly PageFile[] } | null;
}

const givenSchema = z.looseObject({
  verification: z.unknown().optional(),
  files: z.array(z.looseObject({ name: z.string(), gzip: z.string() })),
});

/** Takes a page apart into the program and what it was made about. Errors: INPUT_NOT_FOUND where the page was not built. */
export function heldPage(page: string): HeldPage {
  const [before, after] = template().split(PLACE) as [string, string];
  const from = page.indexOf(HEAD);
  const to = page.indexOf(FOOT, from);
  if (from < 0 || to < 0) return { own: false, given: null };
  const own = page.slice(0, from) === before && page.slice(to + FOOT.length) === after;
  return { own, given: givenIn(page.slice(from + HEAD.length, to)) };
}

/** Most bytes that the files of a page unpack to. */
const MOST_BYTES = 2 ** 30;

function givenIn(text: string): HeldPage['given'] {
  try {
    const { verification, files } = givenSchema.parse(parseJson(text));
    let room = MOST_BYTES;
    const read = files.map(({ name, gzip }) => {
      const bytes = gunzipSync(Buffer.from(gzip, 'base64'), { maxOutputLength: Math.max(1, room) });
      room -= bytes.length;
      return { name, bytes };
    });
    return { verification, files: read };
  } catch {
    return null;
  }
}

interface ResultPageOptions {
  /** Documents of results by the name of their file. */
  readonly documents: readonly { readonly name: string; readonly text: string }[];
  /** The complete scores that they are about; null where there are none, or cells are missing. */
  readonly matrix: ScoreMatrix | null;
  /** Words of the command that made them. */
  readonly command: readonly string[];
}

/** Cells past which the scores are left out of a page: it says so, and shows what the documents state. */
const MOST_CELLS = 4_000_000;

/** Makes a page about results (explorer): their documents, and the scores behind them so that a reader can look at tasks and choose otherwise. */
export async function resultPage({ documents, matrix, command }: ResultPageOptions): Promise<Uint8Array> {
  const files: PageFile[] = documents.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) }));
  if (matrix && matrix.values.length <= MOST_CELLS)
    files.push({ name: 'matrix.arrow', bytes: await matrixToArrow(matrix) });
  return explorerPage({ files, command, inside: true });
}
