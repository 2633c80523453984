import { type ArrowFileOptions, assertTexts, type TableColumn } from '../arrow.js';
import {
  type BufferPlace,
  type FieldNode,
  footerMetadata,
  type MessageBlock,
  rowsMetadata,
  type SchemaField,
} from './arrow-metadata.js';

/** A column as it stands in a message. */
interface WrittenColumn extends FieldNode {
  readonly field: SchemaField;
  /** Which values are there, and the values. */
  readonly buffers: readonly [Uint8Array, Uint8Array];
  /** Words of a column of texts. */
  readonly words?: readonly string[];
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A bit each of `length` values, in whole blocks of 64 bytes. */
function bits(length: number, isSet: (at: number) => boolean): Uint8Array {
  const out = new Uint8Array(Math.ceil(length / 512) * 64);
  for (let at = 0; at < length; at += 1) if (isSet(at)) out[at >> 3]! |= 1 << (at & 7);
  return out;
}

/** Numbers the texts of a column as they first appear; missing ones are 0. */
function numbered(values: readonly (string | null)[]) {
  const places = new Map<string, number>();
  const codes = new Int32Array(values.length);
  for (let at = 0; at < codes.length; at += 1) {
    const value = values[at]!;
    if (value === null) continue;
    let code = places.get(value);
    if (code === undefined) {
      code = places.size;
      places.set(value, code);
    }
    codes[at] = code;
  }
  return { codes, words: [...places.keys()] };
}

/** Numbers the words of a coded column as they first appear. */
function byAppearance(values: ArrayLike<number>, words: readonly string[]) {
  const codes = new Int32Array(values.length);
  const places = new Int32Array(words.length).fill(-1);
  const found: string[] = [];
  for (let k = 0; k < codes.length; k += 1) {
    const code = values[k]!;
    if (places[code]! < 0) places[code] = found.push(words[code]!) - 1;
    codes[k] = places[code]!;
  }
  return { codes, words: found };
}

/** The values of a column, those that are missing as zeros. */
function valueBytes(column: Exclude<TableColumn, { kind: 'text' | 'coded' }>, nulls: number): Uint8Array {
  const { length } = column.values;
  switch (column.kind) {
    case 'bool':
      return nulls >= length ? new Uint8Array((length + 7) >> 3) : bits(length, (at) => column.values[at] === true);
    case 'int32':
      return bytesOf(Int32Array.from(column.values as ArrayLike<number>));
    case 'int64':
      return bytesOf(BigInt64Array.from({ length }, (_, at) => column.values[at] ?? 0n));
    case 'float64': {
      const { values } = column;
      if (values instanceof Float64Array) return bytesOf(values);
      return bytesOf(Float64Array.from(values as ArrayLike<number>));
    }
  }
}

function written(column: TableColumn): WrittenColumn {
  const { name } = column;
  const { length } = column.values;
  if (column.kind === 'coded') {
    const { codes, words } = byAppearance(column.values, column.words);
    return { field: { name, kind: 'text' }, length, nulls: 0, buffers: [new Uint8Array(0), bytesOf(codes)], words };
  }
  const values: ArrayLike<unknown> = column.values;
  let nulls = 0;
  if (!(values instanceof Float64Array)) for (let at = 0; at < length; at += 1) if (values[at] === null) nulls += 1;
  const there = nulls === 0 ? new Uint8Array(0) : bits(length, (at) => values[at] !== null);
  const field = { name, kind: column.kind };
  if (column.kind !== 'text') return { field, length, nulls, buffers: [there, valueBytes(column, nulls)] };
  const { codes, words } = numbered(column.values);
  return { field, length, nulls, buffers: [there, bytesOf(codes)], words };
}

const MAGIC = [65, 82, 82, 79, 87, 49];
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** A file that grows message by message; every part of it is filled up to eight bytes. */
function openFile() {
  const parts: Uint8Array[] = [];
  let size = 0;
  const put = (bytes: Uint8Array, to = bytes.length): void => {
    parts.push(bytes);
    if (to > bytes.length) parts.push(new Uint8Array(to - bytes.length));
    size += to;
  };
  return {
    put,
    /** Adds a message of rows, or of the words of a dictionary. */
    message(nodes: readonly FieldNode[], buffers: readonly Uint8Array[], dictionary?: number): MessageBlock {
      const offset = size;
      let bodyLength = 0;
      const places = buffers.map((buffer): BufferPlace => {
        const place = { offset: bodyLength, length: aligned(buffer.length) };
        bodyLength += place.length;
        return place;
      });
      const rows = nodes[0]?.length ?? 0;
      const metadata = rowsMetadata({ rows, nodes, buffers: places, bodyLength, dictionary });
      const filled = aligned(metadata.length);
      put(bytesOf(Int32Array.of(-1, filled)));
      put(metadata, filled);
      buffers.forEach((buffer, k) => {
        put(buffer, places[k]!.length);
      });
      return { offset, metadataLength: filled + 8, bodyLength };
    },
    parts: (): readonly Uint8Array[] => parts,
  };
}

/** Writes the bytes of an Arrow IPC file with one record batch. Equal columns give equal bytes. Errors: TEXT_INVALID_UTF8. */
export function arrowFile(options: ArrowFileOptions<TableColumn>): Uint8Array {
  const pieces = arrowPieces(options);
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Writes the same bytes in pieces, long columns where they stand: they change with them. */
export function arrowPieces({ columns, metadata = {} }: ArrowFileOptions<TableColumn>): readonly Uint8Array[] {
  assertTexts(columns);
  const made = columns.map(written);
  const file = openFile();
  file.put(Uint8Array.from(MAGIC), 8);
  const encoder = new TextEncoder();
  const dictionaries = made.flatMap(({ words }, id) => {
    if (words === undefined) return [];
    const ends = new Int32Array(words.length + 1);
    const texts = words.map((word, k) => {
      const text = encoder.encode(word);
      ends[k + 1] = ends[k]! + text.length;
      return text;
    });
    const text = new Uint8Array(ends[words.length]!);
    texts.forEach((bytes, k) => {
      text.set(bytes, ends[k]!);
    });
    return [file.message([{ length: words.length, nulls: 0 }], [new Uint8Array(0), bytesOf(ends), text], id)];
  });
  const batch = file.message(
    made,
    made.flatMap(({ buffers }) => buffers),
  );
  file.put(bytesOf(Int32Array.of(-1, 0)));
  const fields = made.map(({ field }) => field);
  const footer = footerMetadata({ fields, metadata, dictionaries, batches: [batch] });
  file.put(footer);
  file.put(bytesOf(Int32Array.of(footer.length)));
  file.put(Uint8Array.from(MAGIC));
  return file.parts();
}
