import { type CodedColumn, tidyCodes } from '../coded.js';
import { parseJson } from '../json.js';
import { sliceCodes } from '../slice-codes.js';
import { type Cursor, varint } from './thrift.js';

/** Values of a page as they stand there, checked: of `count` rows `there` are not empty. */
export interface CheckedPage {
  /** Bytes of the values: plain ones, or the width of entry numbers and then the runs of them. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly dictionary: boolean;
  readonly count: number;
  readonly there: number;
  /** Which rows are not empty, in runs; absent where all are. */
  readonly levels?: { readonly bytes: Uint8Array; readonly from: number; readonly to: number };
}

/** Reads numbers of `width` bits that are written in runs and packed groups, and that have been checked, into `out`. */
export function readRuns(bytes: Uint8Array, from: number, width: number, out: Int32Array, count: number): void {
  const cursor: Cursor = { bytes, at: from };
  const size = (width + 7) >> 3;
  const mask = 2 ** width - 1;
  let at = 0;
  while (at < count) {
    const head = varint(cursor);
    if (head % 2 === 0) {
      const run = Math.min(count - at, head / 2);
      let value = 0;
      for (let i = size - 1; i >= 0; i -= 1) value = value * 256 + (bytes[cursor.at + i] ?? 0);
      out.fill(value, at, at + run);
      at += run;
      cursor.at += size;
      continue;
    }
    const groups = (head - 1) / 2;
    const end = Math.min(count, at + 8 * groups);
    let next = cursor.at;
    let held = 0;
    let have = 0;
    for (; at < end; at += 1) {
      while (have < width) {
        held |= (bytes[next] ?? 0) << have;
        next += 1;
        have += 8;
      }
      out[at] = held & mask;
      held >>>= width;
      have -= width;
    }
    cursor.at += groups * width;
  }
}

/** What a column holds that is read here: texts, or numbers without gaps. */
export type DirectKind = 'text' | 'number';

interface DirectColumn {
  readonly kind: DirectKind;
  /** Type of the values as they are stored. */
  readonly type: string;
  readonly pages: readonly CheckedPage[];
  readonly dictionary?: { readonly bytes: Uint8Array; readonly entries: number } | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a text. Throws a plain error where it is not UTF-8. */
export function utf8OrError(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Error('text that is not UTF-8');
  }
}

function textsOf(bytes: Uint8Array, entries: number): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  return Array.from({ length: entries }, () => {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    return utf8OrError(bytes.subarray(start, at));
  });
}

/** Numbers of the rows of a page, of which `read` gives those that are there; `absent` where a row has no value. */
function spread(page: CheckedPage, out: Int32Array, absent: number, read: (dense: Int32Array) => void): void {
  const { count, there, levels } = page;
  const dense = there === count ? out : new Int32Array(there);
  read(dense);
  if (dense === out || levels === undefined) return;
  readRuns(levels.bytes, levels.from, 1, out, count);
  for (let row = 0, next = 0; row < count; row += 1) out[row] = out[row] === 1 ? dense[next++]! : absent;
}

/** Entry numbers of the rows of a page; `absent` where a row has no value. */
function entriesOf(page: CheckedPage, out: Int32Array, absent: number): void {
  const { bytes, from, there } = page;
  spread(page, out, absent, (dense) => {
    const width = there === 0 ? 0 : bytes[from]!;
    if (width > 0) readRuns(bytes, from + 1, width, dense, there);
  });
}

/** Runs of bytes as one, and where each begins. */
function joined(parts: readonly Uint8Array[]): { readonly bytes: Uint8Array; readonly starts: readonly number[] } {
  if (parts.length === 1) return { bytes: parts[0]!, starts: [0] };
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  const starts = parts.map((part) => {
    bytes.set(part, at);
    at += part.length;
    return at - part.length;
  });
  return { bytes, starts };
}

/**
 * Texts of which some stand in the pages themselves, each behind its length: they are told apart by their bytes, and one of which many rows
 * have is decoded once.
 */
function plainTexts({ pages, dictionary }: DirectColumn, rows: number): CodedColumn {
  const plain = pages.filter((page) => !page.dictionary);
  const { bytes, starts } = joined([
    ...(dictionary ? [dictionary.bytes] : []),
    ...plain.map((page) => page.bytes.subarray(page.from, page.to)),
  ]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = sliceCodes(bytes);
  const slices: (readonly [number, number])[] = [];
  const read = (from: number, out: Int32Array): void => {
    let at = from;
    let code = 0;
    for (let k = 0; k < out.length; k += 1) {
      const start = at + 4;
      at = start + view.getUint32(at, true);
      // Rows mostly have the text of the row before, or the one that came after that one before.
      if (!found.is(code, start, at)) code = found.is(code + 1, start, at) ? code + 1 : found.code(start, at);
      if (code === slices.length) slices.push([start, at]);
      out[k] = code;
    }
  };
  const entries = new Int32Array(dictionary?.entries ?? 0);
  read(0, entries);
  const codes = new Int32Array(rows);
  let part = dictionary ? 1 : 0;
  let row = 0;
  for (const page of pages) {
    const out = codes.subarray(row, row + page.count);
    row += page.count;
    if (page.dictionary) {
      entriesOf(page, out, -1);
      for (let k = 0; k < out.length; k += 1) if (out[k]! >= 0) out[k] = entries[out[k]!]!;
    } else {
      spread(page, out, -1, (dense) => read(starts[part]!, dense));
      part += 1;
    }
  }
  const values: (string | null)[] = slices.map(([start, end]) => utf8OrError(bytes.subarray(start, end)));
  const absent = values.push(null) - 1;
  for (let k = 0; k < rows; k += 1) if (codes[k]! < 0) codes[k] = absent;
  return tidyCodes(codes, values.length, (code) => values[code]);
}

function texts(column: DirectColumn, rows: number): CodedColumn {
  const { pages, dictionary } = column;
  if (dictionary === undefined || !pages.every((page) => page.dictionary)) return plainTexts(column, rows);
  const values: (string | null)[] = textsOf(dictionary.bytes, dictionary.entries);
  const absent = values.push(null) - 1;
  const codes = new Int32Array(rows);
  let at = 0;
  for (const page of pages) {
    entriesOf(page, codes.subarray(at, at + page.count), absent);
    at += page.count;
  }
  return tidyCodes(codes, values.length, (code) => values[code]);
}

/** Numbers of one type that stand behind one another, as doubles; undefined where a long is none. */
function plainDoubles(type: string, bytes: Uint8Array, count: number): Float64Array | undefined {
  const { buffer } = new Uint8Array(bytes);
  switch (type) {
    case 'DOUBLE':
      return new Float64Array(buffer, 0, count);
    case 'INT32':
      return Float64Array.from(new Int32Array(buffer, 0, count));
    default: {
      const doubles = Float64Array.from(new BigInt64Array(buffer, 0, count) as unknown as ArrayLike<number>, Number);
      return doubles.every(Number.isSafeInteger) ? doubles : undefined;
    }
  }
}

function numbers({ type, pages, dictionary }: DirectColumn, rows: number): Float64Array | undefined {
  if (pages.some(({ there, count }) => there < count)) return undefined;
  const known = dictionary && plainDoubles(type, dictionary.bytes, dictionary.entries);
  if (dictionary && !known) return undefined;
  const values = new Float64Array(rows);
  const codes = new Int32Array(pages.reduce((most, { count }) => Math.max(most, count), 0));
  let at = 0;
  for (const page of pages) {
    if (page.dictionary) {
      entriesOf(page, codes.subarray(0, page.count), 0);
      for (let row = 0; row < page.count; row += 1) values[at + row] = known![codes[row]!]!;
    } else {
      const plain = plainDoubles(type, page.bytes.subarray(page.from, page.to), page.count);
      if (!plain) return undefined;
      values.set(plain, at);
    }
    at += page.count;
  }
  return values;
}

/**
 * Reads a column from pages that were checked, in the two forms that tables of scores have: the library makes a value a row of
 * everything, which takes ten times as long. Undefined for numbers with gaps or past 2^53.
 */
export function directColumn(column: DirectColumn, rows: number): CodedColumn | Float64Array | undefined {
  return column.kind === 'text' ? texts(column, rows) : numbers(column, rows);
}

function noShape(): never {
  throw new Error('a column of shapes on a map');
}

/** How the library reads cells of bytes: texts must be UTF-8, JSON is read as a file of it would be, shapes are no values. */
export const CELL_PARSERS = {
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && utf8OrError(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && parseJson(utf8OrError(bytes), { nonFinite: true }),
  geometryFromBytes: noShape,
  geographyFromBytes: noShape,
};
