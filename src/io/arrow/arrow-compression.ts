import type { Budget } from '../held/table-bound.js';
import { openLz4, type UnpackLz4 } from '../lz4.js';
import { MOST_UNPACKED } from '../packing.js';
import { openZstd } from '../zstd.js';
import { type FlatTable, fieldAt, flatInt, flatItems, flatTable, longAt, rootTable } from './flatbuffer.js';

/** Places of fields in the tables of a message. */
const FIELD = { header: 2, bodyLength: 3, data: 1, buffers: 2, compression: 3 } as const;
/** Bytes before a packed buffer that say how long it is unpacked; -1 where it is not packed. */
const LENGTH = 8;

const padded = (size: number) => Math.ceil(size / 8) * 8;

/** Unpacks a buffer into exactly `size` bytes. */
export type UnpackBuffer = UnpackLz4;

const CODECS: readonly (() => Promise<UnpackBuffer>)[] = [openLz4, openZstd];

/** Opens what unpacks the buffers of a batch; undefined where they are not packed. Throws a plain error for an unknown codec. */
export async function bufferCodec(batch: FlatTable): Promise<UnpackBuffer | undefined> {
  const compression = flatTable(batch, FIELD.compression);
  if (compression === null) return undefined;
  const open = CODECS[flatInt(compression, 0, 'Uint8')];
  if (open === undefined || flatInt(compression, 1, 'Uint8') !== 0)
    throw new Error('its columns are packed in an unknown way');
  return open();
}

/** What unpacks a message, and how much it may give. */
interface Unpacking {
  readonly unpack: UnpackBuffer;
  readonly budget: Budget;
}

function unpackedBuffers(body: Uint8Array, regions: readonly Region[], { unpack, budget }: Unpacking): Uint8Array[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let left = MOST_UNPACKED;
  return regions.map(({ offset, length }) => {
    if (length === 0) return new Uint8Array();
    if (length < LENGTH || offset < 0 || offset + length > body.length) throw new Error('a buffer outside its message');
    const size = longAt(view, offset);
    const stored = body.subarray(offset + LENGTH, offset + length);
    if (size < 0) return stored;
    left -= size;
    if (left < 0) throw new Error(`buffers that unpack to more than ${MOST_UNPACKED} bytes`);
    budget.spend('bytes', size);
    const plain = size === 0 ? new Uint8Array() : unpack(stored, size);
    if (plain.length !== size) throw new Error(`a buffer of ${plain.length} bytes where ${size} are said to be`);
    return plain;
  });
}

interface Region {
  readonly offset: number;
  readonly length: number;
}

/**
 * Makes of a message whose buffers are packed the same message with plain ones. `prefix` bytes stand before its header, `head` bytes before
 * its body. The header is copied and its lengths are set anew; the table of its batch gets a list of fields of its own, without compression.
 *
 *     prefix | header as it was, lengths set | list of fields | buffers, each padded to 8
 */
export function plainMessage(
  bytes: Uint8Array,
  place: { readonly prefix: number; readonly head: number; readonly dictionary: boolean },
  unpacking: Unpacking,
): Uint8Array {
  const { prefix, head, dictionary } = place;
  const batchOf = (header: Uint8Array) => {
    const root = rootTable(header);
    const table = flatTable(root, FIELD.header)!;
    return { root, batch: dictionary ? flatTable(table, FIELD.data)! : table };
  };
  const { batch: packed } = batchOf(bytes.subarray(prefix, head));
  const regions = flatItems(packed, FIELD.buffers, 16).map((at) => ({
    offset: longAt(packed.view, at),
    length: longAt(packed.view, at + 8),
  }));
  const buffers = unpackedBuffers(bytes.subarray(head), regions, unpacking);
  const fields = packed.at - packed.view.getInt32(packed.at, true);
  const fieldBytes = packed.view.getUint16(fields, true);
  const listAt = padded(head);
  const bodyStart = padded(listAt + fieldBytes);
  const bodyLength = buffers.reduce((sum, { length }) => sum + padded(length), 0);
  const plain = new Uint8Array(bodyStart + bodyLength);
  plain.set(bytes.subarray(0, head));
  const { root, batch } = batchOf(plain.subarray(prefix, bodyStart));
  const { view } = batch;
  const list = listAt - prefix;
  plain.set(bytes.subarray(prefix + fields, prefix + fields + fieldBytes), listAt);
  view.setUint16(list + 4 + 2 * FIELD.compression, 0, true);
  view.setInt32(batch.at, batch.at - list, true);
  new DataView(plain.buffer).setInt32(prefix - 4, bodyStart - prefix, true);
  view.setBigInt64(fieldAt(root, FIELD.bodyLength), BigInt(bodyLength), true);
  let at = 0;
  flatItems(batch, FIELD.buffers, 16).forEach((place, i) => {
    const buffer = buffers[i]!;
    view.setBigInt64(place, BigInt(at), true);
    view.setBigInt64(place + 8, BigInt(buffer.length), true);
    plain.set(buffer, bodyStart + at);
    at += padded(buffer.length);
  });
  return plain;
}
