import { gunzip, openBrotli } from '#platform';
import type { Budget } from '../held/table-bound.js';
import { openLz4Blocks } from '../lz4.js';
import { MOST_UNPACKED } from '../packing.js';
import { openZstd } from '../zstd.js';
import { varint } from './thrift.js';

/** Unpacks a page into exactly `size` bytes, or throws a plain error. */
export type UnpackPage = (packed: Uint8Array, size: number) => Uint8Array;

interface Codec {
  /** Most bytes that one packed byte becomes; a page that claims more is damaged. */
  readonly rate: number;
  open(): Promise<UnpackPage>;
}

const CODECS: Readonly<Record<string, Codec>> = {
  UNCOMPRESSED: { rate: 1, open: async () => (bytes) => bytes },
  SNAPPY: {
    rate: 32,
    open: async () => {
      const { snappyUncompressor } = await import('hysnappy');
      const unpack = snappyUncompressor();
      return (packed, size) => {
        const stated = varint({ bytes: packed, at: 0 });
        if (stated !== size) throw new Error(`Snappy of ${stated} bytes, not ${size}`);
        return unpack(packed, size);
      };
    },
  },
  GZIP: { rate: 1100, open: async () => gunzip },
  ZSTD: { rate: Number.POSITIVE_INFINITY, open: openZstd },
  BROTLI: { rate: Number.POSITIVE_INFINITY, open: openBrotli },
  LZ4_RAW: { rate: 256, open: openLz4Blocks },
  LZ4: { rate: 256, open: async () => hadoopBlocks(await openLz4Blocks()) },
};

/**
 * Old writers put blocks behind one another, each behind two lengths, unpacked and packed (uint32, big-endian); others write one block alone
 * under the same name. Which one it is shows in whether the lengths fit.
 */
function hadoopBlocks(block: UnpackPage): UnpackPage {
  return (packed, size) => {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    const parts: { from: number; to: number; size: number }[] = [];
    let total = 0;
    let at = 0;
    while (at + 8 <= packed.length) {
      const part = { from: at + 8, to: at + 8 + view.getUint32(at + 4), size: view.getUint32(at) };
      if (part.to > packed.length) break;
      parts.push(part);
      total += part.size;
      at = part.to;
    }
    if (at !== packed.length || total !== size) return block(packed, size);
    const plain = new Uint8Array(size);
    let filled = 0;
    for (const { from, to, size: length } of parts) {
      plain.set(block(packed.subarray(from, to), length), filled);
      filled += length;
    }
    return plain;
  };
}

/**
 * Gives what opens the codec of a column. A decoder is made once for all columns of a file: to make one can take longer than what a column holds.
 * Sizes are checked before anything is unpacked: against the most that the codec can make of so many bytes, against 1 GiB for the column, and
 * against a budget. Throws a plain error for an unknown codec.
 */
export function pageCodecs(budget: Budget): (name: string) => Promise<UnpackPage> {
  const decoders = new Map<string, Promise<UnpackPage>>();
  return async (name) => {
    const codec = CODECS[name];
    if (codec === undefined) throw new Error(`its columns are compressed with ${name}`);
    const decoder = decoders.get(name) ?? codec.open();
    decoders.set(name, decoder);
    const unpack = await decoder;
    let left = MOST_UNPACKED;
    return (packed, size) => {
      if (size > codec.rate * (packed.length + 1)) throw new Error(`a page of ${size} bytes, packed`);
      budget.spend('bytes', size);
      left -= size;
      if (left < 0) throw new Error(`pages of more than ${MOST_UNPACKED} bytes in one column`);
      if (size === 0) return new Uint8Array();
      const page = unpack(packed, size);
      if (page.length !== size) throw new Error(`a page of ${page.length} bytes, not ${size}`);
      return page;
    };
  };
}
