import type { ColumnChunk, ColumnMetaData, FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { FlavourError, fail, failure, shown } from '../util/error.js';
import { once } from '../util/once.js';
import { type ByteSource, bytesSource } from './byte-source.js';
import { type CodedColumn, type Column, columnOfCodes, columnOfValues, joinedCodes, valuesOfCodes } from './coded.js';
import { assertColumnNames } from './held/name-bound.js';
import { assertTable, type Budget, SCORE_TABLE, type TableBound, tableBudget } from './held/table-bound.js';
import { nestedHint } from './parquet/nested-column.js';
import { parquetCells, plainElement } from './parquet/parquet-cells.js';
import { pageCodecs, type UnpackPage } from './parquet/parquet-codecs.js';
import { CELL_PARSERS, type DirectKind, directColumn } from './parquet/parquet-decode.js';
import { bufferOf, metadataOf, topColumns } from './parquet/parquet-footer.js';
import { checkPages } from './parquet/parquet-pages.js';
import { plainNumbers, plainValues } from './plain-values.js';

/** A Parquet file whose metadata is known to be sound; columns are checked as they are read. */
interface ParquetFile {
  /** Names of the columns, nested ones too. */
  readonly names: readonly string[];
  /** What the file says beside its columns, by key. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Rows of each group. */
  readonly groups: readonly number[];
  /** The values of a column in a group. Errors: PARQUET_INVALID where it is damaged or nested. */
  column(name: string, group: number): Promise<ArrayLike<unknown>>;
  /** The same, as codes where they are there. */
  chunk(name: string, group: number): Promise<ArrayLike<unknown> | CodedColumn>;
}

/** What a file is that cannot be read. Errors of our own pass. */
function parquetInvalid(file: string, cause: unknown): FlavourError {
  if (cause instanceof FlavourError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return failure('PARQUET_INVALID', { file }, `cannot be read as Parquet: ${why}`, 'Write it again, whole.', { cause });
}

function whole(value: bigint | number | undefined, most: number, what: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0 || number > most) throw new Error(`${what} of ${value}`);
  return number;
}

const NESTED = { list: 'lists', map: 'keys and values', parts: 'parts' } as const;

/** Where the pages of a column lie. */
function rangeOf(chunk: ColumnMetaData, end: number): { from: number; length: number } {
  const start = chunk.dictionary_page_offset || chunk.data_page_offset;
  const from = whole(start, end, 'a column at byte');
  return { from, length: whole(chunk.total_compressed_size, end - from, 'a column') };
}

interface ParquetOptions {
  /** What its pages may become. */
  readonly budget: Budget;
  /** What its place holds of all groups together; of a file that is gone through by groups each one is held against `SCORE_TABLE`. */
  readonly bound?: TableBound;
}

/** Reads what a Parquet file says of itself. Errors: PARQUET_INVALID; BOUND_EXCEEDED for more rows or cells than are held. */
export async function openParquet(
  source: ByteSource,
  file: string,
  { budget, bound }: ParquetOptions,
): Promise<ParquetFile> {
  try {
    const footer = await metadataOf(source, file);
    const { metadata, end, said } = footer;
    const columns = topColumns(footer);
    const names = [...columns.keys()];
    assertColumnNames(file, names);
    const groups = metadata.row_groups.map((group) => once(() => chunksOf(group)));
    const codec = pageCodecs(budget);
    const most = Number.MAX_SAFE_INTEGER;
    const rows = metadata.row_groups.map((group) => whole(group.num_rows, most, 'a group'));
    const total = rows.reduce((sum, n) => sum + n, 0);
    if (total !== whole(metadata.num_rows, most, 'rows'))
      throw new Error(`groups of ${total} rows where the file says ${metadata.num_rows}`);
    if (bound) assertTable(file, total, columns.size, bound);
    for (const n of rows) assertTable(file, n, 1, bound ?? SCORE_TABLE);
    const chunk = async (name: string, group: number) => {
      try {
        const element = columns.get(name);
        if (element === undefined) throw new Error(`no column ${name}`);
        if (typeof element === 'string')
          fail(
            'PARQUET_INVALID',
            { file },
            `column ${shown(name)} is nested: it holds ${NESTED[element]} of its own`,
            nestedHint(element, name, { file, names }),
          );
        const all = { chunks: groups[group]!().get(element.name) ?? [], rows: rows[group]! };
        const place = { source, metadata, end, element, codec, budget };
        return await plainColumn({ ...place, group: { number: group + 1, ...all } });
      } catch (cause) {
        throw parquetInvalid(file, cause);
      }
    };
    const column = async (name: string, group: number) => {
      const found = await chunk(name, group);
      return 'codes' in found ? valuesOfCodes(found) : found;
    };
    return { names, metadata: said, groups: rows, column, chunk };
  } catch (cause) {
    throw parquetInvalid(file, cause);
  }
}

interface Place {
  readonly source: ByteSource;
  readonly metadata: FileMetaData;
  /** Where the pages of the file end. */
  readonly end: number;
  readonly element: SchemaElement;
  readonly codec: (name: string) => Promise<UnpackPage>;
  /** The group, and its chunks under the name of the column. */
  readonly group: { readonly number: number; readonly rows: number; readonly chunks: readonly ColumnChunk[] };
  readonly budget: Budget;
}

/** The chunks of a group by the names of their columns: a file may have a million of them, and each is looked for. */
function chunksOf({ columns }: RowGroup): Map<string | undefined, ColumnChunk[]> {
  const found = new Map<string | undefined, ColumnChunk[]>();
  for (const chunk of columns) {
    const name = chunk.meta_data?.path_in_schema[0];
    const same = found.get(name);
    if (same) same.push(chunk);
    else found.set(name, [chunk]);
  }
  return found;
}

function chunkOf({ element, group: { number, chunks } }: Place): ColumnMetaData {
  const chunk = chunks[0]?.meta_data;
  if (chunks.length !== 1 || chunk === undefined || chunk.path_in_schema.length !== 1)
    throw new Error(`column ${element.name} stands ${chunks.length} times in group ${number}`);
  if (chunk.type !== element.type) throw new Error(`column ${element.name} has two types`);
  return chunk;
}

/** What a column holds, where it can be read directly. */
function directKind({ type, converted_type: converted, logical_type: logical }: SchemaElement): DirectKind | undefined {
  const said = [converted, logical?.type].filter((name) => name !== undefined);
  if (type === 'BYTE_ARRAY') return said.every((name) => /^(?:UTF8|STRING|ENUM)$/.test(name)) ? 'text' : undefined;
  if (type === 'DOUBLE') return said.length === 0 ? 'number' : undefined;
  if (type !== 'INT32' && type !== 'INT64') return undefined;
  return said.length === 0 || (logical?.type === 'INTEGER' && logical.isSigned) || /^INT_/.test(converted ?? '')
    ? 'number'
    : undefined;
}

async function plainColumn(place: Place): Promise<ArrayLike<unknown> | CodedColumn> {
  const { source, metadata, end, element, group, codec, budget } = place;
  const { rows, chunks } = group;
  if (rows === 0) return [];
  const chunk = chunkOf(place);
  const { from, length } = rangeOf(chunk, end);
  const bytes = source.read(from, length);
  const facts = {
    type: chunk.type,
    length: element.type_length ?? 0,
    optional: element.repetition_type === 'OPTIONAL',
    values: whole(chunk.num_values, rows, 'values'),
    nulls: chunk.statistics?.null_count === undefined ? undefined : Number(chunk.statistics.null_count),
  };
  const { pages, direct, dictionary } = checkPages(bytes, facts, await codec(chunk.codec), budget);
  if (facts.values !== rows) throw new Error(`${facts.values} values in a group of ${rows} rows`);
  const kind = directKind(element);
  const found = kind && direct && directColumn({ kind, type: chunk.type, pages: direct, dictionary }, rows);
  if (found) return found;
  budget.spend('values', rows);
  const { parquetRead } = await import('hyparquet');
  const parts: ArrayLike<unknown>[] = [];
  // The library looks for a column among all of a group: it is given a file of this one alone.
  const schema = [{ ...metadata.schema[0]!, num_children: 1 }, plainElement(element)];
  const groups = [{ columns: [...chunks], num_rows: BigInt(rows), total_byte_size: 0n }];
  await parquetRead({
    file: {
      byteLength: source.size,
      slice: (start, stop = source.size) => bufferOf(bytes.subarray(start - from, stop - from)),
    },
    metadata: { ...metadata, schema, row_groups: groups, num_rows: BigInt(rows) },
    columns: [element.name],
    rowStart: 0,
    rowEnd: rows,
    compressors: { [chunk.codec]: () => pages.shift()! },
    parsers: CELL_PARSERS,
    onChunk: ({ columnData }) => parts.push(columnData),
  });
  const values = parts.length === 1 ? parts[0]! : parts.flatMap((part) => Array.from(part));
  if (values.length !== rows) throw new Error(`${values.length} values in a group of ${rows} rows`);
  return parquetCells(element, values);
}

/** A table read from Parquet bytes. Nested columns are named; to ask for one is an error. */
interface ParquetTable {
  readonly names: readonly string[];
  readonly rows: number;
  readonly metadata: ReadonlyMap<string, string>;
  column(name: string): ArrayLike<unknown> | undefined;
  /** The columns in order as texts and numbers, in the form that is quickest to look at. */
  columns(): readonly (readonly [string, Column])[];
}

type Chunk = ArrayLike<unknown> | CodedColumn;
const isCoded = (chunk: Chunk): chunk is CodedColumn => 'codes' in chunk;

/** A column of the chunks of its groups. */
function columnOf(chunks: readonly Chunk[]): Column {
  if (chunks.length > 0 && chunks.every(isCoded)) return columnOfCodes(() => joinedCodes(chunks));
  return columnOfValues(() => {
    const values = joined(chunks.map((chunk) => (isCoded(chunk) ? valuesOfCodes(chunk) : chunk)));
    return ArrayBuffer.isView(values) ? plainNumbers(values) : plainValues(values);
  });
}

/** Puts the values of groups behind one another, in a typed array where all are of one. */
function joined(parts: readonly ArrayLike<unknown>[]): ArrayLike<unknown> {
  if (parts.length <= 1) return parts[0] ?? [];
  const [first] = parts as [Float64Array | undefined];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const typed = ArrayBuffer.isView(first) && parts.every((part) => part.constructor === first.constructor);
  const all = typed ? new (first.constructor as Float64ArrayConstructor)(length) : new Array<unknown>(length);
  let at = 0;
  for (const part of parts) for (let i = 0; i < part.length; i += 1, at += 1) all[at] = part[i] as number;
  return all;
}

/** Reads a Parquet file whole, of what its place holds. Errors: PARQUET_INVALID; BOUND_EXCEEDED before anything is decoded. */
export async function readParquet(bytes: Uint8Array, file: string, bound = SCORE_TABLE): Promise<ParquetTable> {
  const budget = tableBudget(file, bytes.length, bound);
  const { names, metadata, groups, chunk } = await openParquet(bytesSource(bytes), file, { budget, bound });
  const rows = groups.reduce((sum, n) => sum + n, 0);
  const chunks = new Map<string, readonly Chunk[]>();
  const failed = new Map<string, FlavourError>();
  for (const name of names) {
    const found: Chunk[] = [];
    try {
      for (const group of groups.keys()) found.push(await chunk(name, group));
      chunks.set(name, found);
    } catch (error) {
      failed.set(name, parquetInvalid(file, error));
    }
  }
  const chunksOf = (name: string): readonly Chunk[] | undefined => {
    const error = failed.get(name);
    if (error) throw error;
    return chunks.get(name);
  };
  return {
    names,
    metadata,
    rows,
    column: (name) => {
      const found = chunksOf(name);
      return found && joined(found.map((part) => (isCoded(part) ? valuesOfCodes(part) : part)));
    },
    columns: () =>
      names.map((name) => {
        const column = once(() => columnOf(chunksOf(name)!));
        return [name, { values: () => column().values(), coded: () => column().coded() }];
      }),
  };
}
