import type { FileMetaData, SchemaElement } from 'hyparquet';
import { latin1Text } from '#platform';
import { fail } from '../../util/error.js';
import type { ByteSource } from '../byte-source.js';
import { type Nested, nestedKind } from './nested-column.js';
import { utf8OrError } from './parquet-decode.js';
import { type ThriftStruct, thriftStruct } from './thrift.js';

/** Most values in what a file says of itself: a column takes some 120, and some 100 for each group of rows after the first. */
const MOST_FACTS = 2 ** 25;

const MAGIC = 'PAR1';

/** A copy of bytes that stands alone in its buffer, as the library takes it. */
export const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

function magic(source: ByteSource, at: number): boolean {
  return latin1Text(source.read(at, 4)) === MAGIC;
}

/** Metadata of a file as the library reads it, and where its pages end. */
interface Footer {
  readonly metadata: FileMetaData;
  readonly end: number;
  /** Names of the parts of its schema as they are written: the library loses a byte order mark at the start of one. */
  readonly names: readonly string[];
  /** What it says beside its columns, likewise. */
  readonly said: ReadonlyMap<string, string>;
}

/** Places of fields in the footer's struct, in an element of its schema, and in a pair of its key-value metadata. */
const FIELD = { schema: 2, said: 5, name: 4, key: 1, value: 2 } as const;

/** Checks what a file says of itself, and reads the texts in it. Throws a plain error where it is damaged; BOUND_EXCEEDED where it says more than is read. */
function checkedFacts(bytes: Uint8Array, file: string): ThriftStruct {
  const cursor = { bytes, at: 0, left: MOST_FACTS, kept: new Set([FIELD.schema, FIELD.said]) };
  try {
    return thriftStruct(cursor);
  } catch (cause) {
    if (cursor.left >= 0) throw cause;
    fail(
      'BOUND_EXCEEDED',
      { file },
      `describes its columns, in each group of rows, by more than ${MOST_FACTS} values: some 250,000 columns are read of one group`,
      'Write a row a cell: model,task,value.',
    );
  }
}

/** Reads what stands at the end of a file. Throws a plain error where it is damaged. Errors: BOUND_EXCEEDED. */
export async function metadataOf(source: ByteSource, file: string): Promise<Footer> {
  const { parquetMetadata } = await import('hyparquet');
  const { size } = source;
  if (size < 12 || !magic(source, 0) || !magic(source, size - 4)) throw new Error('it is cut off');
  const length = new DataView(bufferOf(source.read(size - 8, 4))).getUint32(0, true);
  if (length > size - 12) throw new Error(`metadata of ${length} bytes`);
  const end = size - 8 - length;
  const bytes = source.read(end, length + 8);
  // The library takes the lengths of lists on trust.
  const { lists } = checkedFacts(bytes.subarray(0, length), file);
  const textOf = ({ texts }: ThriftStruct, field: number) => utf8OrError(texts.get(field) ?? new Uint8Array());
  return {
    metadata: parquetMetadata(bufferOf(bytes)),
    end,
    names: (lists.get(FIELD.schema) ?? []).map((element) => textOf(element, FIELD.name)),
    said: new Map((lists.get(FIELD.said) ?? []).map((pair) => [textOf(pair, FIELD.key), textOf(pair, FIELD.value)])),
  };
}

/** Columns at the top of the schema, or what each holds that holds no plain values. */
export function topColumns({ metadata, names }: Footer): Map<string, SchemaElement | Nested> {
  const [root, ...rest] = metadata.schema;
  const found = new Map<string, SchemaElement | Nested>();
  let at = 0;
  for (let i = 0; i < (root?.num_children ?? 0); i += 1) {
    const element = rest[at];
    if (element === undefined) throw new Error('its schema has fewer columns than it says');
    if (typeof element.name !== 'string') throw new Error('a column has no name');
    const name = names[at + 1] ?? element.name;
    if (found.has(name)) throw new Error(`two columns ${name}`);
    const plain = !element.num_children && element.repetition_type !== 'REPEATED';
    found.set(name, plain && element.type ? element : nestedKind(element));
    for (let open = 1; open > 0; open -= 1) {
      const part = rest[at];
      if (part === undefined) throw new Error('its schema has fewer columns than it says');
      open += Math.max(0, part.num_children ?? 0);
      at += 1;
    }
  }
  if (at !== rest.length) throw new Error('its schema has more columns than it says');
  return found;
}
