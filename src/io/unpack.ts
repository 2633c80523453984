import { gunzip } from '#platform';
import { fail } from '../util/error.js';
import { isZstd, openZstd } from './zstd.js';

/** Most bytes that a packed file unpacks to. */
export const MOST_UNPACKED = 2 ** 30;

/** More layers than anybody packs. */
const LAYERS = 3;

/** What stood inside a packed file. */
interface Unpacked {
  readonly bytes: Uint8Array;
  /** `gzip`, `Zstandard`: what it was packed with, the outermost first. */
  readonly packed: readonly string[];
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

/** What packed bytes unpacked to, for as long as somebody holds them: a file is asked whether it is a log before it is read as a table. */
const unpacked = new WeakMap<Uint8Array, Promise<Unpacked>>();

/**
 * Unpacks what gzip or Zstandard packed, known by its first bytes, once; anything else comes back as it is. Errors: PACKED_INVALID for a stream
 * that is cut off, damaged or larger than 1 GiB unpacked, found out before so much memory is taken (reading 1.1).
 */
export function unpack(bytes: Uint8Array, file: string): Promise<Unpacked> {
  const made = unpacked.get(bytes) ?? unpackAnew(bytes, file);
  if (isGzip(bytes) || isZstd(bytes)) unpacked.set(bytes, made);
  return made;
}

async function unpackAnew(bytes: Uint8Array, file: string): Promise<Unpacked> {
  const packed: string[] = [];
  let plain = bytes;
  while (packed.length < LAYERS) {
    const kind = isGzip(plain) ? 'gzip' : isZstd(plain) ? 'Zstandard' : undefined;
    if (kind === undefined) break;
    try {
      plain = kind === 'gzip' ? gunzip(plain, MOST_UNPACKED) : (await openZstd())(plain, MOST_UNPACKED);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const tool = kind === 'gzip' ? 'gzip -t' : 'zstd -t';
      fail(
        'PACKED_INVALID',
        { file },
        `cannot be unpacked as ${kind}: ${why}`,
        why.includes('more than')
          ? 'Unpack it and keep the columns and rows that are needed.'
          : `Copy or write it again, whole; \`${tool}\` tests such a file.`,
        { cause },
      );
    }
    packed.push(kind);
  }
  return { bytes: plain, packed };
}
