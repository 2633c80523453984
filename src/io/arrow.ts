import type { RecordBatch, Table, Vector } from 'apache-arrow';
import { FlavourError, fail, failure, shown } from '../util/error.js';
import { isWellFormed } from '../util/text.js';
import { vectorColumn, vectorValues } from './arrow/arrow-columns.js';
import { arrowMessages, beginsAsFile } from './arrow/arrow-messages.js';
import { type ArrowSchema, UnreadType } from './arrow/arrow-schema.js';
import { bytesSource } from './byte-source.js';
import type { Column } from './coded.js';
import { assertTable, SCORE_TABLE, tableBudget } from './held/table-bound.js';

/** A column to write. `null` is a missing value. */
export type ArrowColumn = { readonly name: string } & (
  | { readonly kind: 'text'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'bool'; readonly values: readonly (boolean | null)[] }
  | { readonly kind: 'int32' | 'float64'; readonly values: ArrayLike<number | null> }
  | { readonly kind: 'int64'; readonly values: ArrayLike<bigint | null> }
);

/** A column of many texts by their number in a list. */
interface CodedColumn {
  readonly name: string;
  readonly kind: 'coded';
  readonly values: Int32Array | Uint8Array;
  readonly words: readonly string[];
}

/** A column of a table of many rows. */
export type TableColumn = ArrowColumn | CodedColumn;

/** How each column of a table comes from a row: its kind and its value. */
export type ColumnSpecs<Row> = Readonly<
  Record<string, readonly [ArrowColumn['kind'], (row: Row, index: number) => string | boolean | number | bigint | null]>
>;

/** Makes columns of a list of rows, in the order of the specs. */
export function columnsOf<Row>(rows: readonly Row[], specs: ColumnSpecs<Row>): ArrowColumn[] {
  return Object.entries(specs).map(([name, [kind, value]]) => ({ name, kind, values: rows.map(value) }) as ArrowColumn);
}

export interface ArrowFileOptions<C = ArrowColumn> {
  readonly columns: readonly C[];
  /** Goes into the schema's metadata, keys in the given order. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Refuses half of a surrogate pair in a name or a text of columns, since UTF-8 has no form of it and a replacement would be another text. Errors:
 * TEXT_INVALID_UTF8 with column and row.
 */
export function assertTexts(columns: readonly TableColumn[]): void {
  const assertText = (text: string | null, path: string, row?: number) => {
    if (text === null || isWellFormed(text)) return;
    const what = `half of a surrogate pair in ${shown(text)}: no UTF-8 text`;
    fail('TEXT_INVALID_UTF8', { path, row }, what, 'Give the text whole; half of a pair is left where one was cut.');
  };
  for (const { name, kind, ...column } of columns) {
    const place = `column ${shown(name)}`;
    assertText(name, place);
    const texts = kind === 'text' ? (column.values as readonly (string | null)[]) : [];
    for (let i = 0; i < texts.length; i += 1) if (texts[i] !== texts[i - 1]) assertText(texts[i]!, place, i + 1);
    if ('words' in column) for (const word of column.words) assertText(word, place);
  }
}

/** A table read from Arrow IPC bytes, as plain columns. */
export interface ArrowTable {
  readonly names: readonly string[];
  readonly rows: number;
  readonly metadata: ReadonlyMap<string, string>;
  /** Values of a column: strings, numbers, bigints, booleans, nulls; undefined when there is no such column. */
  column(name: string): readonly unknown[] | undefined;
  /** The columns in order as texts and numbers, in the form that is quickest to look at. */
  columns(): readonly (readonly [string, Column])[];
}

/** Tells whether bytes begin as an Arrow IPC file does. */
export const isArrowFile = beginsAsFile;

/** Tells whether bytes begin as an Arrow IPC file or stream does. */
export function isArrow(bytes: Uint8Array): boolean {
  return beginsAsFile(bytes) || (bytes.length > 8 && bytes.subarray(0, 4).every((byte) => byte === 0xff));
}

/** Makes the error for a file that cannot be read, ARROW_INVALID. Errors of our own pass. */
export function arrowInvalid(file: string, cause: unknown): FlavourError {
  if (cause instanceof FlavourError) return cause;
  if (cause instanceof UnreadType)
    return failure('ARROW_INVALID', { file }, `${cause.message}, which is not read`, cause.hint, { cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  return failure(
    'ARROW_INVALID',
    { file },
    `cannot be read as Arrow IPC: ${why}`,
    'Write it again, whole, as an Arrow IPC file or stream (Feather version 2).',
    { cause },
  );
}

/** Reads an Arrow IPC file or stream, of what its place holds. Errors: ARROW_INVALID with what is wrong; BOUND_EXCEEDED before more is unpacked or decoded. */
export async function readArrow(bytes: Uint8Array, file: string, bound = SCORE_TABLE): Promise<ArrowTable> {
  const budget = tableBudget(file, bytes.length, bound);
  const arrow = await import('apache-arrow');
  const guarded = <T>(make: () => T): T => {
    try {
      return make();
    } catch (cause) {
      throw arrowInvalid(file, cause);
    }
  };
  let table: Table;
  let schema: ArrowSchema = { fields: [], metadata: [] };
  try {
    const messages = arrowMessages(bytesSource(bytes), budget, (found) => {
      schema = found;
    });
    const reader = await arrow.RecordBatchReader.from(messages);
    const batches: RecordBatch[] = [];
    let rows = 0;
    for await (const batch of reader) {
      rows += batch.numRows;
      assertTable(file, rows, batch.numCols, bound);
      batches.push(batch);
    }
    table = batches.length > 0 ? new arrow.Table(batches) : new arrow.Table(reader.schema);
  } catch (cause) {
    throw arrowInvalid(file, cause);
  }
  const names = schema.fields.map(({ name }) => name);
  const places = new Map(names.map((name, at) => [name, at] as const).reverse());
  return {
    names,
    rows: table.numRows,
    metadata: new Map(schema.metadata.map(([key, value]) => [key ?? '', value ?? ''])),
    column: (name) => {
      const vector = table.getChildAt(places.get(name) ?? -1) as Vector | null;
      return vector ? guarded(() => vectorValues(vector, budget)) : undefined;
    },
    columns: () =>
      names.map((name, at) => {
        const { values, coded } = vectorColumn(arrow, table.getChildAt(at)!, budget);
        return [name, { values: () => guarded(values), coded: () => guarded(coded) }];
      }),
  };
}
