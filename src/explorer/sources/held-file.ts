import type { ScoreFile } from '../../scores/read-scores.js';
import { fail } from '../../util/error.js';

/** A file that a page was given, by whatever way; its bytes are fetched, unpacked or read when they are first asked for, and once. */
export interface HeldFile {
  /** With `/` between folders. */
  readonly name: string;
  /** The folder that it lies in, where some reader wants to know it. */
  readonly folder?: string;
  /** Lies in a folder that was given: that it is of no use is no error. */
  readonly found?: boolean;
  /** Bytes; what a server or an archive says until they are read. */
  readonly size: number;
  bytes(): Promise<Uint8Array>;
}

/** Makes a file whose bytes are read once. */
export function heldFile(file: Omit<HeldFile, 'bytes'>, read: () => Promise<Uint8Array>): HeldFile {
  let bytes: Promise<Uint8Array> | undefined;
  return {
    ...file,
    bytes() {
      bytes ??= read();
      return bytes;
    },
  };
}

/** Files larger than this together are not read: a tab has about as much room again for what is made of them. */
const MOST_BYTES = 512 * 2 ** 20;

/** Errors: BOUND_EXCEEDED for more bytes than a page reads. */
export function assertSize(files: readonly { readonly size: number }[]): void {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_BYTES)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${Math.ceil(size / 2 ** 20)} MiB; a page reads at most ${MOST_BYTES / 2 ** 20} MiB`,
      'Use flavourbench FILE... in a terminal.',
    );
}

/** Reads files as the readers of scores take them. */
export async function scoreFiles(files: readonly HeldFile[]): Promise<ScoreFile[]> {
  return Promise.all(
    files.map(async ({ name, folder, found, bytes }) => ({
      name,
      ...(folder === undefined ? {} : { folder }),
      ...(found ? { found } : {}),
      bytes: await bytes(),
    })),
  );
}
