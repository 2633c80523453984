import { isUtf8 } from '#platform';
import { ARROW, type ArrowField } from './arrow-schema.js';
import { assertEntries, assertOffsets, assertViews, setBits } from './arrow-values.js';
import { type FlatTable, flatItems, flatLong, longAt } from './flatbuffer.js';

interface Region {
  readonly offset: number;
  readonly length: number;
}

/** What the header of a record batch, or of a dictionary, says. */
interface BatchHeader {
  readonly rows: number;
  readonly nodes: readonly { readonly length: number; readonly nulls: number }[];
  readonly buffers: readonly Region[];
  readonly variadic: readonly number[];
}

function batchHeader(table: FlatTable): BatchHeader {
  const { view } = table;
  const pairs = (place: number) =>
    flatItems(table, place, 16).map((at) => [longAt(view, at), longAt(view, at + 8)] as const);
  return {
    rows: flatLong(table, 0),
    nodes: pairs(1).map(([length, nulls]) => ({ length, nulls })),
    buffers: pairs(2).map(([offset, length]) => ({ offset, length })),
    variadic: flatItems(table, 4, 8).map((at) => longAt(view, at)),
  };
}

/** Where the walk over the columns of a batch stands. */
interface Walk {
  readonly header: BatchHeader;
  readonly body: Uint8Array;
  /** Entries of each dictionary so far. */
  readonly dictionaries: ReadonlyMap<number, number>;
  /** Whether unions have a validity buffer, as before version 5. */
  readonly oldUnions: boolean;
  node: number;
  buffer: number;
  variadic: number;
  /** Where the last buffer ended. */
  end: number;
}

/** Most rows of a column in one batch, and most items of all its lists. */
const MOST_LENGTH = 2 ** 26;

/** Buffers follow one another, each padded to one of these sizes. */
const PADDINGS = [8, 16, 32, 64];

function nextBuffer(walk: Walk, need: number): Uint8Array {
  const region = walk.header.buffers[walk.buffer];
  walk.buffer += 1;
  if (region === undefined) throw new Error('a batch has fewer buffers than its columns need');
  const { offset, length } = region;
  if (length < need) throw new Error(`a buffer of ${length} bytes where ${need} are needed`);
  if (length === 0) return new Uint8Array(0);
  const next = PADDINGS.some((padding) => offset === Math.ceil(walk.end / padding) * padding);
  if (!next || offset + length > walk.body.length)
    throw new Error(`a buffer at ${offset} does not follow the one that ends at ${walk.end}`);
  walk.end = offset + length;
  return walk.body.subarray(offset, offset + length);
}

/** The validity bits of a column, undefined where every value is there. */
function validity(walk: Walk, length: number, nulls: number): Uint8Array | undefined {
  const bytes = nextBuffer(walk, nulls > 0 ? Math.ceil(length / 8) : 0);
  if (bytes.length === 0) return undefined;
  if (bytes.length * 8 < length) throw new Error('a validity buffer that is too short');
  const there = setBits(bytes, length);
  if (there !== length - nulls) throw new Error(`${length - there} values are absent where the batch says ${nulls}`);
  return nulls === 0 ? undefined : bytes;
}

function texts(walk: Walk, field: ArrowField, length: number): void {
  const wide = field.type === ARROW.largeUtf8 || field.type === ARROW.largeBinary;
  const offsets = nextBuffer(walk, length === 0 ? 0 : (length + 1) * (wide ? 8 : 4));
  const data = nextBuffer(walk, 0);
  const text = field.type === ARROW.utf8 || field.type === ARROW.largeUtf8;
  assertOffsets(offsets, length, wide, data.length, text ? data : undefined);
}

function views(walk: Walk, field: ArrowField, length: number): void {
  const bytes = nextBuffer(walk, 16 * length);
  const count = walk.header.variadic[walk.variadic];
  walk.variadic += 1;
  if (count === undefined || count < 0 || count > walk.header.buffers.length)
    throw new Error('a batch miscounts the buffers of a column');
  const data = Array.from({ length: count }, () => nextBuffer(walk, 0));
  assertViews(bytes, length, data, field.type === ARROW.utf8View ? isUtf8 : () => true);
}

function lists(walk: Walk, field: ArrowField, length: number): void {
  const wide = field.type === ARROW.largeList;
  const offsets = nextBuffer(walk, length === 0 ? 0 : (length + 1) * (wide ? 8 : 4));
  assertOffsets(offsets, length, wide, children(walk, field));
}

/** Walks the children of a column and gives the length of the shortest. */
function children(walk: Walk, field: ArrowField): number {
  return field.children.reduce((least, child) => Math.min(least, column(walk, child)), Number.MAX_SAFE_INTEGER);
}

function atLeast(found: number, length: number): void {
  if (found < length) throw new Error(`a part of a column has ${found} rows, not ${length}`);
}

function union(walk: Walk, { details, children: parts }: ArrowField, length: number): void {
  nextBuffer(walk, length);
  const dense = details[0] === 1;
  if (dense) nextBuffer(walk, 4 * length);
  for (const part of parts) {
    const found = column(walk, part);
    if (!dense) atLeast(found, length);
  }
}

/** Checks one column and everything below it; gives its length. */
function column(walk: Walk, field: ArrowField): number {
  const node = walk.header.nodes[walk.node];
  walk.node += 1;
  if (node === undefined) throw new Error('a batch has fewer columns than its schema');
  const { length, nulls } = node;
  if (length > MOST_LENGTH) throw new Error(`a column of ${length} rows; at most ${MOST_LENGTH} are read of one batch`);
  if (length < 0 || length > 8 * walk.body.length || nulls < 0 || nulls > length)
    throw new Error(`a column of ${length} rows, ${nulls} of them absent`);
  if (field.dictionary) {
    const { id, bits } = field.dictionary;
    const valid = validity(walk, length, nulls);
    const bytes = nextBuffer(walk, (length * bits) / 8);
    const entries = walk.dictionaries.get(id) ?? 0;
    assertEntries(bytes, { length, valid }, field.dictionary, entries);
    return length;
  }
  if (field.type === ARROW.null) return length;
  if (field.type !== ARROW.union || walk.oldUnions) validity(walk, length, nulls);
  switch (field.type) {
    case ARROW.utf8:
    case ARROW.binary:
    case ARROW.largeUtf8:
    case ARROW.largeBinary:
      texts(walk, field, length);
      break;
    case ARROW.utf8View:
    case ARROW.binaryView:
      views(walk, field, length);
      break;
    case ARROW.list:
    case ARROW.map:
    case ARROW.largeList:
      lists(walk, field, length);
      break;
    case ARROW.fixedList:
      atLeast(children(walk, field), length * (field.details[0] as number));
      break;
    case ARROW.struct:
      atLeast(children(walk, field), length);
      break;
    case ARROW.union:
      union(walk, field, length);
      break;
    default:
      nextBuffer(walk, Math.ceil((length * field.bits) / 8));
  }
  return length;
}

interface BatchContext {
  /** The columns the batch must have. */
  readonly fields: readonly ArrowField[];
  readonly dictionaries: ReadonlyMap<number, number>;
  /** Version of the message's format, 3 or 4 (Arrow 4 and 5). */
  readonly version: number;
}

/**
 * Checks a record batch: that its header and its body agree with its columns, that no buffer, text or dictionary entry lies
 * outside, and that the counts of rows and absent values are right. Gives the number of rows. Throws a plain error.
 */
export function checkBatch(table: FlatTable, body: Uint8Array, context: BatchContext): number {
  const header = batchHeader(table);
  const walk: Walk = {
    header,
    body,
    dictionaries: context.dictionaries,
    oldUnions: context.version < 4,
    node: 0,
    buffer: 0,
    variadic: 0,
    end: 0,
  };
  for (const field of context.fields) {
    const rows = column(walk, field);
    if (rows !== header.rows) throw new Error(`a column of ${rows} rows in a batch of ${header.rows}`);
  }
  const { nodes, buffers, variadic } = header;
  if (walk.node < nodes.length || walk.buffer < buffers.length || walk.variadic < variadic.length)
    throw new Error('a batch has more columns than its schema');
  return header.rows;
}
