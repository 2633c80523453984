import { Builder } from 'flatbuffers';

/** What a column is in a schema; a text stands as the number of its word in a dictionary, whose id is the place of the column. */
export interface SchemaField {
  readonly name: string;
  readonly kind: 'text' | 'bool' | 'int32' | 'int64' | 'float64';
}

/** Values and missing values of a column. */
export interface FieldNode {
  readonly length: number;
  readonly nulls: number;
}

/** A run of bytes in the body of a message. */
export interface BufferPlace {
  readonly offset: number;
  readonly length: number;
}

/** Where a message stands in a file. */
export interface MessageBlock {
  readonly offset: number;
  readonly metadataLength: number;
  readonly bodyLength: number;
}

/** Rows as a message describes them. */
export interface RowsMessage {
  readonly rows: number;
  readonly nodes: readonly FieldNode[];
  readonly buffers: readonly BufferPlace[];
  readonly bodyLength: number;
  /** They are the words of this dictionary. */
  readonly dictionary?: number;
}

/*
 * Numbers of the format (Schema.fbs, Message.fbs and File.fbs of apache/arrow, format/). Tables are written in the order in which
 * apache-arrow 21 writes them, so that the bytes of a file are those that it gives.
 */
const VERSION_5 = 4;
const HEADER = { dictionary: 2, rows: 3 } as const;
const TYPE = { text: 5, bool: 6, int32: 2, int64: 2, float64: 3 } as const;
const DOUBLE = 2;

/** Writes a table of `fields` places. */
function table(b: Builder, fields: number, write: () => void): number {
  b.startObject(fields);
  write();
  return b.endObject();
}

function list(b: Builder, offsets: readonly number[]): number {
  b.startVector(4, offsets.length, 4);
  for (const offset of [...offsets].reverse()) b.addOffset(offset);
  return b.endVector();
}

function structs<T>(b: Builder, size: number, items: readonly T[], write: (item: T) => void): number {
  b.startVector(size, items.length, 8);
  for (const item of [...items].reverse()) {
    b.prep(8, size);
    write(item);
  }
  return b.endVector();
}

function integer(b: Builder, bits: number): number {
  return table(b, 2, () => {
    b.addFieldInt32(0, bits, 0);
    b.addFieldInt8(1, 1, 0);
  });
}

function type(b: Builder, kind: SchemaField['kind']): number {
  if (kind === 'int32' || kind === 'int64') return integer(b, kind === 'int32' ? 32 : 64);
  if (kind === 'float64') return table(b, 1, () => b.addFieldInt16(0, DOUBLE, 0));
  return table(b, 0, () => {});
}

/** Writes how a column of texts is numbered. */
function encoding(b: Builder, id: number): number {
  const numbers = integer(b, 32);
  return table(b, 4, () => {
    b.addFieldInt64(0, BigInt(id), 0n);
    b.addFieldOffset(1, numbers, 0);
  });
}

function field(b: Builder, { name, kind }: SchemaField, place: number): number {
  const dictionary = kind === 'text' ? encoding(b, place) : 0;
  const typeAt = type(b, kind);
  const children = list(b, []);
  const nameAt = name === '' ? 0 : b.createString(name);
  return table(b, 7, () => {
    b.addFieldOffset(3, typeAt, 0);
    b.addFieldInt8(2, TYPE[kind], 0);
    b.addFieldOffset(5, children, 0);
    b.addFieldInt8(1, 1, 0);
    b.addFieldOffset(0, nameAt, 0);
    b.addFieldOffset(4, dictionary, 0);
  });
}

function schema(b: Builder, fields: readonly SchemaField[], metadata: Readonly<Record<string, string>>): number {
  const fieldsAt = list(
    b,
    fields.map((each, place) => field(b, each, place)),
  );
  const pairs = Object.entries(metadata).map(([key, value]) => {
    const [keyAt, valueAt] = [b.createString(key), b.createString(value)];
    return table(b, 2, () => {
      b.addFieldOffset(0, keyAt, 0);
      b.addFieldOffset(1, valueAt, 0);
    });
  });
  const metadataAt = pairs.length === 0 ? 0 : list(b, pairs);
  return table(b, 4, () => {
    b.addFieldOffset(1, fieldsAt, 0);
    b.addFieldOffset(2, metadataAt, 0);
  });
}

function rowsOf(b: Builder, { rows, nodes, buffers }: RowsMessage): number {
  const nodesAt = structs(b, 16, nodes, ({ length, nulls }) => {
    b.writeInt64(BigInt(nulls));
    b.writeInt64(BigInt(length));
  });
  const buffersAt = structs(b, 16, buffers, ({ offset, length }) => {
    b.writeInt64(BigInt(length));
    b.writeInt64(BigInt(offset));
  });
  return table(b, 5, () => {
    b.addFieldInt64(0, BigInt(rows), 0n);
    b.addFieldOffset(1, nodesAt, 0);
    b.addFieldOffset(2, buffersAt, 0);
  });
}

function dictionaryOf(b: Builder, id: number, rowsAt: number): number {
  return table(b, 3, () => {
    b.addFieldInt64(0, BigInt(id), 0n);
    b.addFieldOffset(1, rowsAt, 0);
  });
}

/** Writes the metadata of a message that holds rows, or the words of a dictionary. */
export function rowsMetadata(message: RowsMessage): Uint8Array {
  const b = new Builder();
  const { dictionary, bodyLength } = message;
  const rowsAt = rowsOf(b, message);
  const header = dictionary === undefined ? rowsAt : dictionaryOf(b, dictionary, rowsAt);
  b.finish(
    table(b, 5, () => {
      b.addFieldInt16(0, VERSION_5, 0);
      b.addFieldOffset(2, header, 0);
      b.addFieldInt8(1, dictionary === undefined ? HEADER.rows : HEADER.dictionary, 0);
      b.addFieldInt64(3, BigInt(bodyLength), 0n);
    }),
  );
  return b.asUint8Array();
}

/** Writes the footer of a file: its schema, and where its messages stand. */
export function footerMetadata(options: {
  readonly fields: readonly SchemaField[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly dictionaries: readonly MessageBlock[];
  readonly batches: readonly MessageBlock[];
}): Uint8Array {
  const b = new Builder();
  const schemaAt = schema(b, options.fields, options.metadata);
  const block = ({ offset, metadataLength, bodyLength }: MessageBlock): void => {
    b.writeInt64(BigInt(bodyLength));
    b.pad(4);
    b.writeInt32(metadataLength);
    b.writeInt64(BigInt(offset));
  };
  const batches = structs(b, 24, options.batches, block);
  const dictionaries = structs(b, 24, options.dictionaries, block);
  b.finish(
    table(b, 5, () => {
      b.addFieldOffset(1, schemaAt, 0);
      b.addFieldInt16(0, VERSION_5, 0);
      b.addFieldOffset(3, batches, 0);
      b.addFieldOffset(2, dictionaries, 0);
    }),
  );
  return b.asUint8Array();
}
