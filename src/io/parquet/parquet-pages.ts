import { crc32 } from '#platform';
import type { Budget } from '../held/table-bound.js';
import type { UnpackPage } from './parquet-codecs.js';
import type { CheckedPage } from './parquet-decode.js';
import { checkDeltaHead, checkPlain, deltaTextBytes, MOST_ENTRIES, type Span, walkRuns } from './parquet-values.js';
import { type Cursor, type ThriftStruct, thriftStruct } from './thrift.js';

/** What the metadata says of a column in one group of rows. */
interface ChunkFacts {
  readonly type: string;
  /** Bytes of a value of fixed length. */
  readonly length: number;
  readonly optional: boolean;
  readonly values: number;
  /** Absent values, where the file counts them. */
  readonly nulls: number | undefined;
}

const PAGE = { data: 0, dictionary: 2, data2: 3 };
const ENCODING = {
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  deltaNumbers: 5,
  deltaLengths: 6,
  deltaTexts: 7,
  dictionary: 8,
  split: 9,
};

/** Most pages of a column in a group of rows. */
const MOST_PAGES = 2 ** 20;

interface Page {
  readonly type: number;
  readonly size: number;
  readonly body: Uint8Array;
  readonly head: ThriftStruct;
}

const number = (struct: ThriftStruct, id: number): number => {
  const value = struct.numbers.get(id);
  if (value === undefined || value < 0 || !Number.isSafeInteger(value))
    throw new Error(`a page whose header says ${value ?? 'nothing'} where a number is expected`);
  return value;
};

function nextPage(cursor: Cursor): Page {
  const header = thriftStruct(cursor);
  const type = number(header, 1);
  const length = number(header, 3);
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new Error(`a page of ${length} bytes runs past its column`);
  const body = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  const sum = header.numbers.get(4);
  if (sum !== undefined && crc32(body) !== sum >>> 0) throw new Error('a page does not have its check sum');
  const place = { [PAGE.data]: 5, [PAGE.dictionary]: 7, [PAGE.data2]: 8 }[type];
  const head = place === undefined ? undefined : header.structs.get(place);
  if (head === undefined) throw new Error(`a page of kind ${type} without its header`);
  return { type, size: number(header, 2), body, head };
}

/** Checks the definition levels of a span and gives how many values are there. */
const present = (span: Span, count: number): number => walkRuns(span, 1, count, 1).greatest;

/** The span of levels behind their length, as the first kind of page has them. */
function sized(bytes: Uint8Array, from: number): Span {
  if (from + 4 > bytes.length) throw new Error('a page is cut off');
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(from, true);
  if (from + 4 + length > bytes.length) throw new Error('levels run past their page');
  return { bytes, from: from + 4, to: from + 4 + length };
}

/** Checks that numbers, whose width stands before them, are entries of a dictionary. */
function checkEntries(span: Span, count: number, entries: number | undefined): void {
  if (entries === undefined) throw new Error('entries of a dictionary that is missing');
  if (count === 0) return;
  if (span.from >= span.to) throw new Error('a page is cut off');
  const width = span.bytes[span.from]!;
  if (width > 0 || entries === 0) walkRuns({ ...span, from: span.from + 1 }, width, count, entries - 1);
}

function checkValues(span: Span, encoding: number, count: number, facts: ChunkFacts, { entries, budget }: Walk): void {
  switch (encoding) {
    case ENCODING.plain:
      checkPlain(span, facts.type, facts.length, count);
      break;
    case ENCODING.plainDictionary:
    case ENCODING.dictionary:
      checkEntries(span, count, entries);
      break;
    case ENCODING.rle:
      if (facts.type !== 'BOOLEAN') throw new Error('runs of values that are not true or false');
      walkRuns(sized(span.bytes, span.from), 1, count, 1);
      break;
    case ENCODING.deltaNumbers:
    case ENCODING.deltaLengths:
      checkDeltaHead(span, count);
      break;
    case ENCODING.deltaTexts:
      checkDeltaHead(span, count);
      budget.spend('bytes', deltaTextBytes(span, count));
      break;
    case ENCODING.split:
      break;
    default:
      throw new Error(`values in encoding ${encoding}`);
  }
}

/** What a walk over the pages of a column found. */
interface Walk {
  values: number;
  nulls: number;
  entries: number | undefined;
  readonly budget: Budget;
  /** Unpacked pages, in order. */
  readonly pages: Uint8Array[];
  /** Pages of values; undefined once one is written in a way that is not read directly. */
  direct: CheckedPage[] | undefined;
  dictionary: { readonly bytes: Uint8Array; readonly entries: number } | undefined;
}

/** Keeps a page of values for reading it directly. */
function keep(walk: Walk, encoding: number, page: Omit<CheckedPage, 'dictionary'>): void {
  const dictionary = encoding === ENCODING.plainDictionary || encoding === ENCODING.dictionary;
  if (dictionary || encoding === ENCODING.plain) walk.direct?.push({ ...page, dictionary });
  else walk.direct = undefined;
}

function dataPage(page: Page, facts: ChunkFacts, walk: Walk, unpack: UnpackPage): void {
  const bytes = unpack(page.body, page.size);
  walk.pages.push(bytes);
  const count = number(page.head, 1);
  const levels = facts.optional ? sized(bytes, 0) : undefined;
  const there = levels ? present(levels, count) : count;
  const span = { bytes, from: levels?.to ?? 0, to: bytes.length };
  const encoding = number(page.head, 2);
  checkValues(span, encoding, there, facts, walk);
  keep(walk, encoding, { ...span, count, there, ...(levels ? { levels } : {}) });
  walk.values += count;
  walk.nulls += count - there;
}

function dataPage2(page: Page, facts: ChunkFacts, walk: Walk, unpack: UnpackPage): void {
  const { head, body } = page;
  const [count, absent, rows] = [number(head, 1), number(head, 2), number(head, 3)];
  const [levels, repeats] = [number(head, 5), number(head, 6)];
  if (repeats !== 0 || rows !== count || levels > body.length || levels > page.size)
    throw new Error('a page whose header does not fit it');
  const span = { bytes: body, from: 0, to: levels };
  const there = facts.optional ? present(span, count) : count;
  if (there !== count - absent) throw new Error(`${count - there} absent values, not ${absent}`);
  const rest = body.subarray(levels);
  const size = page.size - levels;
  const packed = (head.numbers.get(7) ?? 1) !== 0 && size > 0;
  const bytes = packed ? unpack(rest, size) : rest.subarray(0, size);
  if (packed) walk.pages.push(bytes);
  const values = { bytes, from: 0, to: bytes.length };
  const encoding = number(head, 4);
  checkValues(values, encoding, there, facts, walk);
  keep(walk, encoding, { ...values, count, there, ...(facts.optional ? { levels: span } : {}) });
  walk.values += count;
  walk.nulls += absent;
}

/**
 * Checks the pages of a column that is not nested: that they fill their place, that counts agree with one another and with the
 * metadata, and that no run, value or dictionary entry lies outside. Gives the unpacked pages in the order in which a reader
 * unpacks them, and what can be read directly. Throws a plain error.
 */
export function checkPages(
  bytes: Uint8Array,
  facts: ChunkFacts,
  unpack: UnpackPage,
  budget: Budget,
): Pick<Walk, 'pages' | 'direct' | 'dictionary'> {
  const cursor: Cursor = { bytes, at: 0 };
  const walk: Walk = { budget, values: 0, nulls: 0, entries: undefined, pages: [], direct: [], dictionary: undefined };
  for (let count = 1; cursor.at < bytes.length; count += 1) {
    if (count > MOST_PAGES) throw new Error(`more than ${MOST_PAGES} pages in one column`);
    const page = nextPage(cursor);
    if (page.type === PAGE.data) dataPage(page, facts, walk, unpack);
    else if (page.type === PAGE.data2) dataPage2(page, facts, walk, unpack);
    else {
      const dictionary = unpack(page.body, page.size);
      walk.pages.push(dictionary);
      walk.entries = number(page.head, 1);
      if (walk.entries > MOST_ENTRIES) throw new Error(`a dictionary of ${walk.entries} entries`);
      budget.spend('values', walk.entries);
      walk.dictionary = { bytes: dictionary, entries: walk.entries };
      const span = { bytes: dictionary, from: 0, to: dictionary.length };
      checkPlain(span, facts.type, facts.length, walk.entries);
    }
    if (walk.values > facts.values) break;
  }
  if (walk.values !== facts.values)
    throw new Error(`pages of ${walk.values} values where ${facts.values} are expected`);
  if (facts.nulls !== undefined && walk.nulls !== facts.nulls)
    throw new Error(`${walk.nulls} absent values where the file counts ${facts.nulls}`);
  return walk;
}
