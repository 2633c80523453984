/*
 * Parquet files written by hand, byte by byte, that say whatever they are told to: of runs of any length, of pages packed by anything. Thrift's
 * compact protocol as far as headers need it.
 */

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return bytes;
};
const zigzag = (value: number) => varint(value * 2);

type Field = number | string | Fields | readonly (number | string | Fields)[] | { readonly long: number };
interface Fields {
  readonly [id: number]: Field;
}

const isLong = (field: Field): field is { long: number } => typeof field === 'object' && 'long' in field;

function typeOf(field: Field): number {
  if (typeof field === 'number') return 5;
  if (typeof field === 'string') return 8;
  if (isLong(field)) return 6;
  return Array.isArray(field) ? 9 : 12;
}

function encoded(field: Field): number[] {
  if (typeof field === 'number') return zigzag(field);
  if (typeof field === 'string') return [...varint(Buffer.byteLength(field)), ...Buffer.from(field)];
  if (isLong(field)) return zigzag(field.long);
  if (!Array.isArray(field)) return struct(field as Fields);
  const list = field as readonly Field[];
  return [0xf0 | typeOf(list[0] ?? 0), ...varint(list.length), ...list.flatMap(encoded)];
}

/** Writes a struct: fields by number, in rising order. */
function struct(fields: Fields): number[] {
  const bytes: number[] = [];
  let before = 0;
  for (const id of Object.keys(fields).map(Number)) {
    bytes.push(((id - before) << 4) | typeOf(fields[id]!), ...encoded(fields[id]!));
    before = id;
  }
  return [...bytes, 0];
}

interface ClaimedColumn {
  readonly name: string;
  /** 1 for numbers of 32 bits, 6 for texts. */
  readonly type: 1 | 6;
  /** Bytes of the values of the dictionary, and how many they are. */
  readonly dictionary: { readonly bytes: Buffer; readonly entries: number };
  /** Pages of values, each a run of the first entry of the dictionary unless its bytes are given, so long. */
  readonly pages: readonly { readonly rows: number; readonly bytes?: Buffer; readonly encoding?: number }[];
  /** What the pages are packed with. */
  readonly codec?: { readonly id: number; pack(bytes: Buffer): Buffer };
}

const text = (value: string) => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** The dictionary of texts. */
export const wordsOf = (...words: readonly string[]) => ({
  bytes: Buffer.concat(words.map(text)),
  entries: words.length,
});

/** A run of zeros, so many, one bit wide: six bytes at most. */
const runOf = (rows: number) => Buffer.from([1, ...varint(rows * 2), 0]);

/** Writes a file of one group whose columns have the pages that are described. */
export function claimedParquet(columns: readonly ClaimedColumn[], rows: number): Buffer {
  const parts: Buffer[] = [Buffer.from('PAR1')];
  let at = 4;
  const add = (bytes: Buffer) => {
    parts.push(bytes);
    at += bytes.length;
  };
  const chunks = columns.map(({ name, type, dictionary, pages, codec }) => {
    const packed = codec?.pack ?? ((bytes: Buffer) => bytes);
    const start = at;
    const body = packed(dictionary.bytes);
    add(Buffer.from(struct({ 1: 2, 2: dictionary.bytes.length, 3: body.length, 7: { 1: dictionary.entries, 2: 0 } })));
    add(body);
    const data = at;
    for (const { rows: count, bytes = runOf(count), encoding = 8 } of pages) {
      const page = packed(bytes);
      add(Buffer.from(struct({ 1: 0, 2: bytes.length, 3: page.length, 5: { 1: count, 2: encoding, 3: 3, 4: 3 } })));
      add(page);
    }
    const meta: Fields = {
      1: type,
      2: [8],
      3: [name],
      4: codec?.id ?? 0,
      5: { long: pages.reduce((sum, page) => sum + page.rows, 0) },
      6: { long: at - start },
      7: { long: at - start },
      9: { long: data },
      11: { long: start },
    };
    return { 2: { long: start }, 3: meta };
  });
  const schema: Fields[] = [
    { 4: 'schema', 5: columns.length },
    ...columns.map(
      ({ name, type }): Fields => (type === 6 ? { 1: type, 3: 0, 4: name, 6: 0 } : { 1: type, 3: 0, 4: name }),
    ),
  ];
  const groups = [{ 1: chunks, 2: { long: 0 }, 3: { long: rows } }];
  const footer = Buffer.from(struct({ 1: 1, 2: schema, 3: { long: rows }, 4: groups }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([...parts, footer, length, Buffer.from('PAR1')]);
}
