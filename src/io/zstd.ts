/** A frame begins with these four bytes, little-endian; frames whose content is to be passed over with 0x184d2a50 to ...5f. */
const FRAME = 0xfd2fb528;
const SKIPPED = 0x184d2a50;

/** Most bytes a block unpacks to, whatever its frame says. */
const BLOCK = 2 ** 17;
/** Most bytes that packed and unpacked data take together: what the decoder can address, with a margin. */
const MEMORY = 1.5 * 2 ** 30;
/** What is tried first where a frame does not say its size and its blocks could hold far more. */
const FIRST_TRY = 2 ** 26;

/** Where a frame stands, and the size it unpacks to: as it says, else at most so much. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly stated: boolean;
}

/** Tells whether bytes begin as a Zstandard stream does. */
export function isZstd(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const word = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return word === FRAME || (word & 0xfffffff0) === SKIPPED;
}

function headerOf(view: DataView, start: number): { at: number; size: number | undefined; window: number } {
  const flags = view.getUint8(start + 4);
  if (flags & 8) throw new Error('a frame header of an unknown kind');
  const single = (flags & 32) !== 0;
  if (flags & 3) throw new Error('it was packed with a dictionary, which is not in the file');
  const exponent = single ? 0 : view.getUint8(start + 5) >> 3;
  const window = single ? 0 : 2 ** (10 + exponent) * (1 + (view.getUint8(start + 5) & 7) / 8);
  const at = start + (single ? 5 : 6);
  switch (flags >> 6) {
    case 0:
      return single ? { at: at + 1, size: view.getUint8(at), window } : { at, size: undefined, window };
    case 1:
      return { at: at + 2, size: view.getUint16(at, true) + 256, window };
    case 2:
      return { at: at + 4, size: view.getUint32(at, true), window };
    default:
      return { at: at + 8, size: Number(view.getBigUint64(at, true)), window };
  }
}

/** Reads where a frame ends, block by block. Throws a plain error where it does not, a RangeError where the bytes end before. */
function frameAt(view: DataView, start: number): Frame {
  const header = headerOf(view, start);
  const block = header.size === undefined ? Math.min(BLOCK, header.window) : BLOCK;
  let { at } = header;
  let most = 0;
  for (let last = false; !last; ) {
    const word = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const [kind, length] = [(word >> 1) & 3, word >> 3];
    if (kind === 3) throw new Error('a block of an unknown kind');
    if (length > BLOCK) throw new Error(`a block of ${length} bytes`);
    last = (word & 1) !== 0;
    most += kind === 2 ? block : length;
    at += 3 + (kind === 1 ? 1 : length);
  }
  const checked = (view.getUint8(start + 4) & 4) !== 0;
  const end = at + (checked ? 4 : 0);
  if (end > view.byteLength) throw new RangeError();
  return { start, end, size: header.size ?? most, stated: header.size !== undefined };
}

/** Lists the frames of a stream, from their headers alone. Throws a plain error where it is damaged or cut off. */
function framesOf(bytes: Uint8Array): Frame[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Frame[] = [];
  let at = 0;
  try {
    while (at < bytes.length) {
      const word = view.getUint32(at, true);
      if ((word & 0xfffffff0) >>> 0 === SKIPPED) {
        at += 8 + view.getUint32(at + 4, true);
        if (at > bytes.length) throw new RangeError();
        continue;
      }
      if (word !== FRAME) throw new Error(`what stands at byte ${at} is no Zstandard frame`);
      const frame = frameAt(view, at);
      frames.push(frame);
      at = frame.end;
    }
  } catch (cause) {
    if (cause instanceof RangeError) throw new Error('it is cut off', { cause });
    throw cause;
  }
  return frames;
}

/** Unpacks a Zstandard stream of at most `most` bytes. Throws a plain error that says what is wrong. */
export type UnpackZstd = (packed: Uint8Array, most: number) => Uint8Array;

/**
 * Opens the decoder. What it returns works at once: it walks the frames first, so that a stream that is cut off or says that it unpacks
 * to more than is allowed is refused before anything is unpacked, and the check sums of frames that have one are proved.
 */
export async function openZstd(): Promise<UnpackZstd> {
  const { ZSTDDecoder } = await import('zstddec');
  const decoder = new ZSTDDecoder();
  await decoder.init();
  const frameBytes = (packed: Uint8Array, { size, stated }: Frame, most: number): Uint8Array => {
    const tooLarge = () => new Error(`it unpacks to more than ${most} bytes`);
    if (stated && size > most) throw tooLarge();
    if (size === 0) return new Uint8Array();
    const limit = Math.min(size, most);
    for (let room = stated ? limit : Math.min(limit, FIRST_TRY); ; room = Math.min(limit, 4 * room)) {
      if (packed.length + room > MEMORY) throw new Error(`${packed.length} bytes are more than fit unpacked`);
      const plain = decoder.decode(packed, room);
      if (plain.length > 0 && (!stated || plain.length === size)) return plain;
      if (room === limit)
        throw new Error(limit < size ? `it is damaged, or unpacks to more than ${most} bytes` : 'it is damaged');
    }
  };
  return (packed, most) => {
    const parts: Uint8Array[] = [];
    let left = most;
    for (const frame of framesOf(packed)) {
      const part = frameBytes(packed.subarray(frame.start, frame.end), frame, left);
      parts.push(part);
      left -= part.length;
    }
    if (parts.length === 1) return parts[0]!;
    const whole = new Uint8Array(most - left);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  };
}
