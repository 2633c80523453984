import { closeSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.js';
import { inputStat, readPart } from './file.js';
import { readPiped } from './piped.js';

/** An input that is open: a file is read as it is asked for, a pipe was read to its end. */
export interface OpenInput extends ByteSource {
  /** Copies what stands at a place into `target` from `offset` on, as much as there is and fits; 0 at the end. */
  copy(target: Buffer, offset: number, position: number): number;
  close(): void;
}

/** Opens an input of any size, through links; to be closed. Errors: those of `inputStat`; BOUND_EXCEEDED for a pipe past 2 GiB. */
export function openInput(path: string): OpenInput {
  const stat = inputStat(path);
  if (stat === null) {
    const bytes = readPiped(path);
    return {
      size: bytes.length,
      read: (offset, length) => bytes.subarray(offset, offset + length),
      copy: (target, offset, position) => bytes.copy(target, offset, position),
      close() {},
    };
  }
  const handle = openSync(path, 'r');
  return {
    size: stat.size,
    read: (offset, length) => readPart(handle, offset, length),
    copy: (target, offset, position) => readSync(handle, target, offset, target.length - offset, position),
    close: () => closeSync(handle),
  };
}

/** Bytes of an input. Errors: those of `inputStat`; BOUND_EXCEEDED for a pipe past 2 GiB. */
export const inputSize = (path: string): number => inputStat(path)?.size ?? readPiped(path).length;

/** Gives the first bytes of an input, at most `most`. Errors: those of `openInput`. */
export function inputHead(path: string, most: number): Buffer {
  const input = openInput(path);
  try {
    const head = Buffer.alloc(most);
    return head.subarray(0, input.copy(head, 0, 0));
  } finally {
    input.close();
  }
}
