import { gunzip } from '#platform';
import type { Verification } from '../release/proofs/verification.js';
import { fail } from '../util/error.js';
import { assertSize, type HeldFile, heldFile } from './sources/held-file.js';

/** A file that came with the page: inside it, packed with gzip and in base64, or beside it on the server that serves it. */
interface GivenFile {
  readonly name: string;
  readonly folder?: string;
  readonly found?: boolean;
  /** Bytes, unpacked. */
  readonly size: number;
  readonly gzip?: string;
  readonly href?: string;
}

/** What a page is made about, as the element `given` holds it. */
export interface Given {
  readonly files: readonly GivenFile[];
  /** Words of the command that was given these files: the program, its command, files, options. */
  readonly command: readonly string[];
  /** What a verification found when the page was made; absent where there was none. */
  readonly verification?: Verification;
}

/** Id of the element that holds what a page is made about. */
export const GIVEN = 'given';

/** Reads what the page was made about; null where it was made about nothing and waits for files. */
export function readGiven(): Given | null {
  const text = document.getElementById(GIVEN)?.textContent ?? '';
  return text === '' ? null : (JSON.parse(text) as Given);
}

/** Files that are fetched at once: of thousands that are asked for together a browser gives up most. */
const AT_ONCE = 8;
const turns: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
let next = 0;

/** Runs work when one of a few places is free. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const place = next++ % AT_ONCE;
  const done = turns[place]!.then(work);
  turns[place] = done.catch(() => undefined);
  return done;
}

async function bytesOf({ name, size, gzip, href }: GivenFile): Promise<Uint8Array> {
  if (gzip !== undefined)
    return gunzip(
      Uint8Array.from(atob(gzip), (letter) => letter.charCodeAt(0)),
      size,
    );
  return inTurn(async () => {
    const response = await fetch(href!);
    if (!response.ok)
      fail(
        'INPUT_NOT_FOUND',
        { file: name },
        `the server answers ${response.status}`,
        'Run flavourbench explore again.',
      );
    return new Uint8Array(await response.arrayBuffer());
  });
}

/** Lists the files that a page is made about. Errors of their bytes: INPUT_NOT_FOUND where the server has none. */
export function givenFiles({ files }: Given): HeldFile[] {
  return files.map((file) => {
    const { name, folder, found, size } = file;
    return heldFile({ name, size, ...(folder === undefined ? {} : { folder }), ...(found ? { found } : {}) }, () =>
      bytesOf(file),
    );
  });
}

/** Takes the files that somebody dropped or chose, each under its path in the folder that was. Errors: BOUND_EXCEEDED. */
export function chosenFiles(list: Iterable<File>): HeldFile[] {
  const files = [...list];
  assertSize(files);
  return files.map((file) => {
    const path = file.webkitRelativePath;
    const name = path === '' ? file.name : path;
    return heldFile(
      { name, size: file.size, ...(path === '' ? {} : { folder: path.replace(/\/[^/]*$/, ''), found: true }) },
      async () => new Uint8Array(await file.arrayBuffer()),
    );
  });
}
