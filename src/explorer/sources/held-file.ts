import type { ScoreFile } from '../../scores/read-scores.js';

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
