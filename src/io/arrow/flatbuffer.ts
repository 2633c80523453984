/**
 * A table of a flatbuffer. Every access checks that it stays inside the buffer; what does not throws a plain error, so that a
 * damaged length never becomes a loop or an allocation.
 */
export interface FlatTable {
  readonly view: DataView;
  readonly at: number;
}

/** Reads the table a buffer begins with. */
export function rootTable(bytes: Uint8Array): FlatTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { view, at: view.getUint32(0, true) };
}

/** Gives the address of a field, or 0 where the table has none. */
export function fieldAt({ view, at }: FlatTable, place: number): number {
  const fields = at - view.getInt32(at, true);
  const size = view.getUint16(fields, true);
  if (size < 4 || fields + size > view.byteLength) throw new Error('a table is damaged');
  const entry = 4 + 2 * place;
  const offset = entry < size ? view.getUint16(fields + entry, true) : 0;
  if (offset >= 0x8000) throw new Error('a table is damaged');
  return offset === 0 ? 0 : at + offset;
}

/** Reads a small integer, or what stands for an absent one. */
export function flatInt(table: FlatTable, place: number, kind: 'Uint8' | 'Int16' | 'Int32', absent = 0): number {
  const field = fieldAt(table, place);
  if (field === 0) return absent;
  return kind === 'Uint8' ? table.view.getUint8(field) : table.view[`get${kind}`](field, true);
}

/** Reads a 64-bit integer at an address; it must be one a double holds. */
export function longAt(view: DataView, address: number): number {
  const value = Number(view.getBigInt64(address, true));
  if (!Number.isSafeInteger(value)) throw new Error(`a length of ${value}`);
  return value;
}

/** Reads a 64-bit integer field, 0 where it is absent. */
export function flatLong(table: FlatTable, place: number): number {
  const field = fieldAt(table, place);
  return field === 0 ? 0 : longAt(table.view, field);
}

/** Reads a table field, null where it is absent. */
export function flatTable(table: FlatTable, place: number): FlatTable | null {
  const field = fieldAt(table, place);
  return field === 0 ? null : { view: table.view, at: field + table.view.getUint32(field, true) };
}

/** Lists the addresses of the items of a list of numbers or structs. */
export function flatItems(table: FlatTable, place: number, size: number): number[] {
  const field = fieldAt(table, place);
  if (field === 0) return [];
  const { view } = table;
  const list = field + view.getUint32(field, true);
  const count = view.getUint32(list, true);
  if (list + 4 + count * size > view.byteLength) throw new Error('a list runs past its message');
  return Array.from({ length: count }, (_, i) => list + 4 + i * size);
}

/** Lists the tables of a list of tables. */
export function flatTables(table: FlatTable, place: number): FlatTable[] {
  const { view } = table;
  return flatItems(table, place, 4).map((item) => ({
    view,
    at: item + view.getUint32(item, true),
  }));
}

/** Reads a text field, null where it is absent. */
export function flatText(table: FlatTable, place: number): string | null {
  const field = fieldAt(table, place);
  if (field === 0) return null;
  const { view } = table;
  const start = field + view.getUint32(field, true);
  const length = view.getUint32(start, true);
  if (start + 4 + length > view.byteLength) throw new Error('a text runs past its message');
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start + 4, length);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
