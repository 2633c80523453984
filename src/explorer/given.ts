import type { ScoreFile } from '../scores/read-scores.js';
import { fail } from '../util/error.js';

/** A file that came with the page: inside it, or beside it on the server that serves it. */
interface GivenFile {
  readonly name: string;
  readonly folder?: string;
  readonly base64?: string;
  readonly href?: string;
}

/** What a page is made about, as the element `given` holds it. */
export interface Given {
  readonly files: readonly GivenFile[];
  /** The command that gives the same digits, without options of one's own. */
  readonly command: string;
}

/** Id of the element that holds what a page is made about. */
export const GIVEN = 'given';

/** Reads what the page was made about; null where it was made about nothing and waits for files. */
export function readGiven(): Given | null {
  const text = document.getElementById(GIVEN)?.textContent ?? '';
  return text === '' ? null : (JSON.parse(text) as Given);
}

async function bytesOf({ name, base64, href }: GivenFile): Promise<Uint8Array> {
  if (base64 !== undefined) return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const response = await fetch(href!);
  if (!response.ok)
    fail('INPUT_NOT_FOUND', { file: name }, `the server answers ${response.status}`, 'Run flavourbench explore again.');
  return new Uint8Array(await response.arrayBuffer());
}

/** Gets the bytes of the files that a page is made about. Errors: INPUT_NOT_FOUND where the server has none. */
export async function givenFiles({ files }: Given): Promise<ScoreFile[]> {
  return Promise.all(
    files.map(async (file) => ({
      name: file.name,
      ...(file.folder === undefined ? {} : { folder: file.folder, found: true }),
      bytes: await bytesOf(file),
    })),
  );
}

/** Files larger than this are not read: a tab has about as much room again for what is made of them. */
const MOST_BYTES = 512 * 2 ** 20;

/** Reads the files that somebody dropped or chose. Errors: BOUND_EXCEEDED. */
export async function chosenFiles(list: Iterable<File>): Promise<ScoreFile[]> {
  const files = [...list];
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_BYTES)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${Math.ceil(size / 2 ** 20)} MiB; a page reads at most ${MOST_BYTES / 2 ** 20} MiB`,
      'Use flavourbench FILE... in a terminal.',
    );
  return Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}
