/** Bytes after the footer of an Arrow file: its length (int32) and `ARROW1`. */
export const FOOTER_TRAILER = 10;

/** Size of a block in the footer: offset (int64), metadata length (int32), padding, body length (int64). */
const BLOCK = 24;

/** Fields of the tables that are walked, by place: footer, schema, field. */
const FOOTER = { schema: 1, dictionaries: 2, batches: 3 } as const;
const SCHEMA = { fields: 1, metadata: 2 } as const;
const FIELD = { children: 5, metadata: 6 } as const;

/** Deepest nesting of fields that is read. */
const DEPTH = 64;

/** Length of the footer, from the last bytes of a file. Throws a plain error where they are not an Arrow file's. */
export function footerLength(trailer: Uint8Array): number {
  const magic = Buffer.from(trailer.subarray(4)).toString('latin1');
  if (trailer.length !== FOOTER_TRAILER || magic !== 'ARROW1') throw new Error('no footer');
  return Buffer.from(trailer).readInt32LE(0);
}

/** Address of a table's field, or 0 where the table has none. */
function fieldAt(view: DataView, table: number, place: number): number {
  const fields = table - view.getInt32(table, true);
  const entry = 4 + 2 * place;
  const offset = entry < view.getUint16(fields, true) ? view.getUint16(fields + entry, true) : 0;
  return offset === 0 ? 0 : table + offset;
}

/** Addresses of the items of a list, all inside the buffer. */
function itemsOf(view: DataView, table: number, place: number, size: number): number[] {
  const field = fieldAt(view, table, place);
  if (field === 0) return [];
  const list = field + view.getUint32(field, true);
  const count = view.getUint32(list, true);
  if (list + 4 + count * size > view.byteLength) throw new Error('a list runs past the footer');
  return Array.from({ length: count }, (_, i) => list + 4 + i * size);
}

/** Walks the fields of a schema, so that every list in it has a length that fits. */
function assertFields(view: DataView, items: readonly number[], depth: number): void {
  if (depth > DEPTH) throw new Error('fields are nested too deep');
  for (const item of items) {
    const field = item + view.getUint32(item, true);
    itemsOf(view, field, FIELD.metadata, 4);
    assertFields(view, itemsOf(view, field, FIELD.children, 4), depth + 1);
  }
}

/**
 * Checks that the lists of a footer (a flatbuffer) lie inside it and that its blocks point into the file. The library takes
 * their lengths on trust: one changed byte can make it count to a thousand million. Throws a plain error.
 */
export function assertFooter(footer: Uint8Array, fileSize: number): void {
  const view = new DataView(footer.buffer, footer.byteOffset, footer.byteLength);
  const table = view.getUint32(0, true);
  const schemaField = fieldAt(view, table, FOOTER.schema);
  if (schemaField === 0) throw new Error('the footer has no schema');
  const schema = schemaField + view.getUint32(schemaField, true);
  itemsOf(view, schema, SCHEMA.metadata, 4);
  assertFields(view, itemsOf(view, schema, SCHEMA.fields, 4), 0);
  for (const list of [FOOTER.dictionaries, FOOTER.batches])
    for (const block of itemsOf(view, table, list, BLOCK)) {
      const start = view.getBigInt64(block, true);
      const end =
        start + BigInt(view.getInt32(block + 8, true)) + view.getBigInt64(block + 16, true);
      if (start < 0n || end < start || end > BigInt(fileSize)) {
        throw new Error('a block of the footer lies outside the file');
      }
    }
}
