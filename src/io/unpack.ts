import { gunzip } from '#platform';
import { fail } from '../util/error.js';
import { shellWord } from '../util/text.js';
import { mostUnpacked, packedTooTight } from './packing.js';
import { isZstd, openZstd } from './zstd.js';

/** More layers than anybody packs. */
const LAYERS = 3;

/** What stood inside a packed file. */
interface Unpacked {
  readonly bytes: Uint8Array;
  /** `gzip`, `Zstandard`: what it was packed with, the outermost first. */
  readonly packed: readonly string[];
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

/** Tells by their first bytes whether gzip or Zstandard packed them. */
export const isPacked = (bytes: Uint8Array): boolean => isGzip(bytes) || isZstd(bytes);

/** What packed bytes unpacked to, for as long as somebody holds them: a file is asked whether it is a log before it is read as a table. */
const unpacked = new WeakMap<Uint8Array, Promise<Unpacked>>();

/**
 * Unpacks what gzip or Zstandard packed, known by its first bytes, once; anything else comes back as it is. Errors: PACKED_INVALID for a stream
 * that is cut off, damaged or larger unpacked than `mostUnpacked` of its size, found out before more memory is taken (reading 1.1).
 */
export function unpack(bytes: Uint8Array, file: string): Promise<Unpacked> {
  const made = unpacked.get(bytes) ?? unpackAnew(bytes, file);
  if (isPacked(bytes)) unpacked.set(bytes, made);
  return made;
}

async function unpackAnew(bytes: Uint8Array, file: string): Promise<Unpacked> {
  const packed: string[] = [];
  let plain = bytes;
  const most = mostUnpacked(bytes.length);
  while (packed.length < LAYERS) {
    const kind = isGzip(plain) ? 'gzip' : isZstd(plain) ? 'Zstandard' : undefined;
    if (kind === undefined) break;
    try {
      plain = kind === 'gzip' ? gunzip(plain, most) : (await openZstd())(plain, most);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const tool = kind === 'gzip' ? 'gzip' : 'zstd';
      const large = why.includes('more than');
      fail(
        'PACKED_INVALID',
        { file },
        `cannot be unpacked as ${kind}: ${large ? packedTooTight(bytes.length) : why}`,
        large
          ? `Look at what it holds (\`${tool} -dc ${shellWord(file)} | head -c 1000\`); keep the columns and rows that are needed, and pack those.`
          : `Copy or write it again, whole; \`${tool} -t\` tests such a file.`,
        { cause },
      );
    }
    packed.push(kind);
  }
  return { bytes: plain, packed };
}
