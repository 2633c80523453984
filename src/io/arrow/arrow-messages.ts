import { latin1Text } from '#platform';
import { type ByteSource, bytesSource } from '../byte-source.js';
import { assertColumnNames } from '../held/name-bound.js';
import type { Budget } from '../held/table-bound.js';
import { checkBatch } from './arrow-batch.js';
import { bufferCodec, plainMessage } from './arrow-compression.js';
import { type ArrowField, type ArrowSchema, arrowSchema, assertMetadata, dictionaryFields } from './arrow-schema.js';
import { type FlatTable, flatInt, flatItems, flatLong, flatTable, longAt, rootTable } from './flatbuffer.js';

/** `ARROW1`, as a file begins and ends. */
const MAGIC = 'ARROW1';
/** Bytes after the footer: its length (int32) and the magic. */
const TRAILER = 10;
/** Bytes before the first message of a file. */
const HEAD = 8;
/** A block in the footer: offset (int64), metadata length (int32), padding, body length (int64). */
const BLOCK = 24;

const KIND = { schema: 1, dictionary: 2, batch: 3 } as const;

const int32 = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset, 4).getInt32(0, true);

/** A message: where it stands, its header, and how many bytes of columns follow. */
interface Message {
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
  readonly kind: number;
  readonly version: number;
  readonly header: FlatTable;
}

/** Versions 4 and 5 of the format, 3 and 4 in its numbering, are those that are written since 2017. */
function checkedVersion(version: number): number {
  if (version !== 3 && version !== 4) throw new Error(`format version ${version + 1}`);
  return version;
}

/** The message at a place, or where the messages end. */
function messageAt(source: ByteSource, start: number, limit: number): Message | { end: number } {
  if (start + 4 > limit) throw new Error('it is cut off: its end mark is missing');
  const word = (at: number) => int32(source.read(at, 4));
  const first = word(start);
  const at = first === -1 ? start + 8 : start + 4;
  if (at > limit) throw new Error('it is cut off inside a message');
  const length = first === -1 ? word(start + 4) : first;
  if (length === 0) return { end: at };
  if (length < 0 || at + length > limit) throw new Error(`a message header of ${length} bytes`);
  const table = rootTable(source.read(at, length));
  const header = flatTable(table, 2);
  const bodyLength = flatLong(table, 3);
  const bodyStart = at + length;
  if (header === null) throw new Error('a message without a header');
  if (bodyLength < 0 || bodyStart + bodyLength > limit)
    throw new Error(`it is cut off, or a message miscounts its bytes (${bodyLength})`);
  const version = checkedVersion(flatInt(table, 0, 'Int16'));
  assertMetadata(table, 4);
  const kind = flatInt(table, 1, 'Uint8');
  return { start, bodyStart, end: bodyStart + bodyLength, kind, version, header };
}

/** What the messages so far have said. */
interface SchemaFacts {
  readonly fields: readonly ArrowField[];
  readonly values: ReadonlyMap<number, ArrowField>;
  readonly dictionaries: Map<number, number>;
  readonly budget: Budget;
}

function schemaFacts({ fields }: ArrowSchema, budget: Budget): SchemaFacts {
  const names = fields.map(({ name }) => name);
  assertColumnNames(budget.file, names);
  return { fields, values: dictionaryFields(fields), dictionaries: new Map(), budget };
}

/** Reads a message that stands in the source, its buffers unpacked within a budget. */
async function plain(
  source: ByteSource,
  message: Message,
  budget: Budget,
): Promise<{ bytes: Uint8Array; message: Message }> {
  const { start, bodyStart, end, kind, header } = message;
  const bytes = source.read(start, end - start);
  const dictionary = kind === KIND.dictionary;
  const batch = dictionary ? flatTable(header, 1) : kind === KIND.batch ? header : null;
  const unpack = batch === null ? undefined : await bufferCodec(batch);
  if (unpack === undefined) return { bytes, message };
  const prefix = int32(bytes) === -1 ? 8 : 4;
  const unpacked = plainMessage(bytes, { prefix, head: bodyStart - start, dictionary }, { unpack, budget });
  const found = messageAt(bytesSource(unpacked), 0, unpacked.length);
  if (!isMessage(found)) throw new Error('a message without a header');
  return { bytes: unpacked, message: found };
}

/** Checks a message after the schema and gives its bytes. In a file a dictionary stands once, but for what is added to it. */
async function checked(source: ByteSource, found: Message, so: SchemaFacts, file: boolean): Promise<Uint8Array> {
  const { bytes, message } = await plain(source, found, so.budget);
  const { start, bodyStart, kind, version, header } = message;
  const body = bytes.subarray(bodyStart - start);
  const { dictionaries } = so;
  if (kind === KIND.batch) {
    so.budget.spend('rows', checkBatch(header, body, { fields: so.fields, dictionaries, version }));
    return bytes;
  }
  if (kind !== KIND.dictionary) throw new Error(`a message of kind ${kind}`);
  const id = flatLong(header, 0);
  const data = flatTable(header, 1);
  const field = so.values.get(id);
  if (data === null || field === undefined) throw new Error(`a dictionary ${id} that no column has`);
  const before = dictionaries.get(id);
  const adds = flatInt(header, 2, 'Uint8') !== 0;
  if (file && before !== undefined && !adds) throw new Error(`two dictionaries ${id}`);
  const rows = checkBatch(data, body, { fields: [field], dictionaries, version });
  dictionaries.set(id, rows + (adds ? (before ?? 0) : 0));
  return bytes;
}

function isMessage(found: Message | { end: number }): found is Message {
  return 'kind' in found;
}

/** Is told the schema of a file, its names as they are written: the library loses a byte order mark at the start of one. */
type OnSchema = (schema: ArrowSchema) => void;

/** Batches `from` to before `to` of a file. */
interface BatchRange {
  readonly from: number;
  readonly to: number;
}

async function* streamMessages(source: ByteSource, budget: Budget, onSchema: OnSchema): AsyncGenerator<Uint8Array> {
  const first = messageAt(source, 0, source.size);
  if (!isMessage(first) || first.kind !== KIND.schema) throw new Error('its schema is missing');
  const schema = arrowSchema(first.header, budget.file);
  onSchema(schema);
  const so = schemaFacts(schema, budget);
  yield source.read(0, first.end);
  let at = first.end;
  for (;;) {
    const message = messageAt(source, at, source.size);
    at = message.end;
    if (!isMessage(message)) break;
    yield await checked(source, message, so, false);
  }
  if (at !== source.size) throw new Error(`${source.size - at} bytes after its end mark`);
}

interface Footer {
  readonly schema: ArrowSchema;
  readonly dictionaries: readonly Block[];
  readonly batches: readonly Block[];
  /** Where it begins. */
  readonly start: number;
  /** The schema as the first message of a stream. */
  readonly message: Uint8Array;
}

/** Where a footer says that a message stands: its first byte, that of its body, and its end. */
interface Block {
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

const nameOf = ({ start, bodyStart, end }: Block) => `${start}+${bodyStart}+${end}`;

/**
 * A footer's schema as a message: a table before the footer's bytes that points at the schema in them.
 *
 *     0 mark and length | 8 root | 12 fields of the table | 24 table: fields, header, version, kind | 40 footer
 */
function asMessage(footer: Uint8Array, schemaAt: number, version: number): Uint8Array {
  const head = 40;
  const bytes = new Uint8Array(Math.ceil((head + footer.length) / 8) * 8);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, -1, true);
  view.setInt32(4, bytes.length - 8, true);
  view.setUint32(8, 16, true);
  [12, 12, 8, 10, 4, 0].forEach((value, i) => {
    view.setUint16(12 + 2 * i, value, true);
  });
  view.setInt32(24, 12, true);
  view.setUint32(28, head + schemaAt - 28, true);
  view.setInt16(32, version, true);
  view.setUint8(34, KIND.schema);
  bytes.set(footer, head);
  return bytes;
}

function readFooter(source: ByteSource, file: string): Footer {
  const end = source.size - TRAILER;
  if (end < HEAD) throw new Error('it is cut off');
  const trailer = source.read(end, TRAILER);
  if (latin1Text(trailer, 4) !== MAGIC) throw new Error('it is cut off: its end is missing');
  const length = int32(trailer);
  if (length < 8 || length > end - HEAD) throw new Error(`a footer of ${length} bytes`);
  const bytes = source.read(end - length, length);
  const table = rootTable(bytes);
  const schema = flatTable(table, 1);
  if (schema === null) throw new Error('its footer has no schema');
  const { view } = table;
  const blocks = (place: number) =>
    flatItems(table, place, BLOCK).map((at) => {
      const start = longAt(view, at);
      const bodyStart = start + view.getInt32(at + 8, true);
      return { start, bodyStart, end: bodyStart + longAt(view, at + 16) };
    });
  return {
    schema: arrowSchema(schema, file),
    dictionaries: blocks(2),
    batches: blocks(3),
    start: end - length,
    message: asMessage(bytes, schema.at, checkedVersion(flatInt(table, 0, 'Int16'))),
  };
}

/**
 * The messages that stand one behind another before a footer, by place; undefined where there is no such row of them, as some writers
 * leave it. The schema, where it stands there too, must be as the footer's.
 */
function standing(source: ByteSource, footer: Footer, file: string): Set<string> | undefined {
  const found = new Set<string>();
  let schema: FlatTable | undefined;
  try {
    for (let at = HEAD; at < footer.start; ) {
      const message = messageAt(source, at, footer.start);
      if (!isMessage(message)) break;
      if (message.kind !== KIND.schema || at > HEAD) found.add(nameOf(message));
      else schema = message.header;
      at = message.end;
    }
  } catch {
    return undefined;
  }
  if (schema && JSON.stringify(arrowSchema(schema, file)) !== JSON.stringify(footer.schema))
    throw new Error('its schema and that of its footer differ');
  return found;
}

/** The message that a footer lists. It must be what it is called and end where the footer says. */
function listed(source: ByteSource, footer: Footer, block: Block, kind: number): Message {
  const { start, bodyStart, end } = block;
  if (start < HEAD || end > footer.start) throw new Error('its footer lists a message outside the file');
  const message = messageAt(source, start, footer.start);
  if (!isMessage(message) || message.kind !== kind) throw new Error('its footer calls a message what it is not');
  if (message.bodyStart !== bodyStart || message.end > end) throw new Error('its footer miscounts a message');
  return message;
}

/**
 * The messages of a file in the order its footer lists them, dictionaries first: the footer is what counts. Where messages also stand one
 * behind another from the beginning, as most writers leave them, both must agree, and no message may overlap another.
 */
async function* fileMessages(
  source: ByteSource,
  budget: Budget,
  onSchema: OnSchema,
  some: BatchRange | undefined,
): AsyncGenerator<Uint8Array> {
  const footer = readFooter(source, budget.file);
  const { dictionaries, batches } = footer;
  const blocks = [...dictionaries, ...batches].sort((a, b) => a.start - b.start);
  if (blocks.some(({ start }, i) => i > 0 && start < blocks[i - 1]!.end))
    throw new Error('its footer lists messages that overlap');
  const found = standing(source, footer, budget.file);
  if (found && (found.size !== blocks.length || !blocks.every((block) => found.has(nameOf(block)))))
    throw new Error(`its footer lists ${blocks.length} messages, which are not the ${found.size} it holds`);
  onSchema(footer.schema);
  const so = schemaFacts(footer.schema, budget);
  yield footer.message;
  for (const block of dictionaries)
    yield await checked(source, listed(source, footer, block, KIND.dictionary), so, true);
  for (const block of some ? batches.slice(some.from, some.to) : batches)
    yield await checked(source, listed(source, footer, block, KIND.batch), so, true);
}

/** Tells whether bytes begin as an Arrow IPC file does. */
export function beginsAsFile(bytes: Uint8Array): boolean {
  return latin1Text(bytes, 0, MAGIC.length) === MAGIC;
}

/**
 * Yields the messages of an Arrow IPC file or stream as a stream without its end mark, one at a time, unpacked and checked before it is given:
 * the library that reads them takes every length on trust, and one changed byte can make it run for hours or give other values.
 * What stands in plain value bytes has no check sum and cannot be checked. Of a file `some` batches may be asked for. `onSchema` gets the schema before the first message. Throws plain
 * errors that say what is wrong.
 */
export function arrowMessages(
  source: ByteSource,
  budget: Budget,
  onSchema: OnSchema = () => undefined,
  some?: BatchRange,
): AsyncGenerator<Uint8Array> {
  const head = source.read(0, Math.min(HEAD, source.size));
  return beginsAsFile(head) ? fileMessages(source, budget, onSchema, some) : streamMessages(source, budget, onSchema);
}

/** Counts the rows of each record batch of an Arrow IPC file, from the headers alone. Throws plain errors that say what is wrong. */
export function arrowBatchRows(source: ByteSource, file: string): number[] {
  const footer = readFooter(source, file);
  return footer.batches.map((block) => flatLong(listed(source, footer, block, KIND.batch).header, 0));
}
