import { closeSync, openSync, read } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { inputStat } from '../../io/file.js';
import { openPipe, readFirst, readInside, readSome, STANDARD_INPUT } from '../../io/piped.js';
import { isZstd } from '../../io/zstd.js';
import { fail } from '../../util/error.js';

const PIECE = 1 << 20;
/** So many bytes tell what a stream is. */
const HEAD = 1 << 16;

const reading = promisify(read);

/** Waits for a pipe that has nothing yet, milliseconds. */
const PAUSE = 5;

/** Reads what is there while other work goes on, at least one byte; 0 at the end. A stream of Node would close the handle by itself. */
async function readLater(handle: number, piece: Buffer): Promise<number> {
  for (;;) {
    try {
      return (await reading(handle, piece, 0, piece.length, null)).bytesRead;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      await setTimeout(PAUSE);
    }
  }
}

/** What packed bytes, by the first of them. */
export function packing(head: Uint8Array): 'gzip' | 'zstd' | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return 'gzip';
  return isZstd(head) ? 'zstd' : undefined;
}

/** Bytes in their order, in pieces of any size. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** A file, a pipe or standard input, read once from its beginning to its end. */
interface OpenStream {
  /** Its first bytes, 64 KiB or all there are. */
  readonly head: Uint8Array;
  /** All its bytes, unpacked as they come where gzip or Zstandard packed them. Errors: PACKED_INVALID. */
  bytes(): ByteStream;
  close(): void;
}

/** Opens what is read as a stream; `onBytes` hears the bytes as they are read. To be closed. Errors: those of `inputStat`. */
export function openStream(path: string, onBytes: (bytes: Uint8Array) => void): OpenStream {
  const piped = inputStat(path) === null;
  const begin = () => {
    const opened = path === STANDARD_INPUT ? 0 : piped ? openPipe(path) : openSync(path, 'r');
    const first = Buffer.allocUnsafe(HEAD);
    let size = 0;
    for (let got = 1; got > 0 && size < HEAD; size += got) {
      const room = first.subarray(size);
      got = piped && opened !== 0 && size === 0 ? readFirst(path, opened, room) : readSome(opened, room);
    }
    return { handle: opened, head: first.subarray(0, size) };
  };
  const { handle, head } = piped ? readInside(begin) : begin();
  const kind = packing(head);
  const heard = (piece: Buffer) => {
    onBytes(piece);
    return piece;
  };
  async function* plain(): AsyncGenerator<Buffer, void, undefined> {
    if (head.length > 0) yield heard(head);
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const got = await readLater(handle, piece);
      if (got === 0) return;
      yield heard(piece.subarray(0, got));
    }
  }
  function* atOnce(): Generator<Buffer, void, undefined> {
    if (head.length > 0) yield heard(head);
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const got = readSome(handle, piece);
      if (got === 0) return;
      yield heard(piece.subarray(0, got));
    }
  }
  return {
    head,
    bytes: () =>
      kind === undefined ? plain() : unpacked(kind === 'gzip' ? gunzipped(plain()) : unzstd(atOnce()), kind, path),
    close() {
      if (handle !== 0) closeSync(handle);
    },
  };
}

async function* unpacked(
  stream: ByteStream,
  kind: 'gzip' | 'zstd',
  file: string,
): ByteStream & AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'Z_BUF_ERROR' ? 'it is cut off' : code?.startsWith('Z_') ? 'it is damaged' : message;
    fail(
      'PACKED_INVALID',
      { file },
      `cannot be unpacked as ${kind === 'gzip' ? 'gzip' : 'Zstandard'}: ${why}`,
      `Copy or write it again, whole; \`${kind} -t\` tests such a file.`,
      { cause },
    );
  }
}

function gunzipped(stream: ByteStream): ByteStream {
  const gunzip = createGunzip({ chunkSize: PIECE });
  pipeline(Readable.from(stream, { objectMode: false }), gunzip, () => {});
  return gunzip as AsyncIterable<Buffer>;
}

/** Outputs of nothing in a row over one piece of input, after which the decoder is stuck at damage: it says so in no other way. */
const STUCK = 64;

async function* unzstd(pieces: Iterable<Uint8Array>): ByteStream & AsyncGenerator<Uint8Array> {
  const { ZSTDDecoder } = await import('zstddec/stream');
  const decoder = new ZSTDDecoder();
  await decoder.init();
  let empty = 0;
  const fed = {
    *[Symbol.iterator]() {
      for (const piece of pieces) {
        empty = 0;
        yield piece;
      }
    },
  };
  try {
    for (const out of decoder.decodeStreaming(fed)) {
      empty = out.length === 0 ? empty + 1 : 0;
      if (empty > STUCK) break;
      if (out.length > 0) yield out;
    }
  } catch (cause) {
    throw new Error('it is cut off or damaged', { cause });
  }
  if (empty > STUCK) throw new Error('it is damaged');
}
