const FRAME = 0x184d2204;

/** Most bytes that a byte of a block becomes. */
const MOST_RATE = 256;

/** Unpacks an LZ4 frame into exactly `size` bytes. Throws a plain error that says what is wrong. */
export type UnpackLz4 = (packed: Uint8Array, size: number) => Uint8Array;

/** Where the first block of a frame begins, and how many bytes of check sum follow each. */
function frameHeader(view: DataView): { at: number; sums: number } {
  if (view.byteLength < 7 || view.getUint32(0, true) !== FRAME) throw new Error('an LZ4 frame without its mark');
  const flags = view.getUint8(4);
  if (flags >> 6 !== 1) throw new Error('an LZ4 frame of an unknown version');
  if (flags & 1) throw new Error('an LZ4 frame packed with a dictionary');
  return { at: 7 + (flags & 8), sums: flags & 16 ? 4 : 0 };
}

/**
 * Opens the decoder of LZ4 frames. The blocks are walked here: the library takes every length on trust and drops what does not fit, so
 * each block must lie inside the frame and all of them must give `size` bytes.
 */
export async function openLz4(): Promise<UnpackLz4> {
  const { default: lz4 } = await import('lz4js');
  return (packed, size) => {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    const { at: first, sums } = frameHeader(view);
    if (size > MOST_RATE * packed.length) throw new Error(`an LZ4 frame of ${packed.length} bytes for ${size}`);
    const plain = new Uint8Array(size);
    let filled = 0;
    for (let at = first; ; ) {
      if (at + 4 > packed.length) throw new Error('an LZ4 frame that is cut off');
      const word = view.getUint32(at, true);
      if (word === 0) break;
      const length = word & 0x7fffffff;
      at += 4;
      if (at + length > packed.length) throw new Error('an LZ4 frame that is cut off');
      if (word >>> 31 === 0) filled = lz4.decompressBlock(packed, plain, at, length, filled);
      else if (filled + length <= size) {
        plain.set(packed.subarray(at, at + length), filled);
        filled += length;
      } else filled = size + 1;
      if (!(filled <= size)) throw new Error(`an LZ4 frame of more than ${size} bytes`);
      at += length + sums;
    }
    if (filled !== size) throw new Error(`an LZ4 frame of ${filled} bytes where ${size} are said to be`);
    return plain;
  };
}

/** Opens the decoder of a single block, which must give exactly `size` bytes. */
export async function openLz4Blocks(): Promise<UnpackLz4> {
  const { default: lz4 } = await import('lz4js');
  return (packed, size) => {
    if (size > MOST_RATE * packed.length) throw new Error(`an LZ4 block of ${packed.length} bytes for ${size}`);
    const plain = new Uint8Array(size);
    const filled = lz4.decompressBlock(packed, plain, 0, packed.length, 0);
    if (filled !== size) throw new Error(`an LZ4 block of ${filled} bytes where ${size} are said to be`);
    return plain;
  };
}
