import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';

/** What a file says of itself, as the writer's own version of the reader has it. */
type FileMetaData = Parameters<typeof writeMetadata>[1];
type SchemaElement = FileMetaData['schema'][number];

/** A column whose texts repeat, by their numbers in a list; -1 is a missing value. */
interface CodedTexts {
  readonly name: string;
  readonly kind: 'coded';
  readonly codes: Int32Array;
  readonly words: readonly string[];
}

/** A column of whole numbers; -1 is a missing value. */
interface PresentNumbers {
  readonly name: string;
  readonly kind: 'int32';
  readonly values: Int32Array;
}

/** A column of a table whose texts are numbered already. */
export type CodedParquetColumn = CodedTexts | PresentNumbers;

const bitsFor = (most: number): number => Math.max(1, 32 - Math.clz32(most));

/** Packs numbers of `width` bits, the lowest bit first, in whole groups of eight numbers. */
function packed(values: Int32Array, count: number, width: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(count / 8) * width);
  let at = 0;
  let held = 0;
  let bits = 0;
  for (let k = 0; k < count; k += 1) {
    held |= values[k]! << bits;
    for (bits += width; bits >= 8; bits -= 8) {
      out[at] = held;
      at += 1;
      held >>>= 8;
    }
  }
  if (bits > 0) out[at] = held;
  return out;
}

/** Writes numbers as one run where they are all the same, else packed. */
function writeRun(writer: ByteWriter, values: Int32Array, count: number, width: number): void {
  const [first = 0] = values;
  let same = true;
  for (let k = 1; k < count && same; k += 1) same = values[k] === first;
  if (same) {
    writer.appendVarInt(count << 1);
    for (let k = 0; k < width; k += 8) writer.appendUint8((first >> k) & 255);
    return;
  }
  writer.appendVarInt((Math.ceil(count / 8) << 1) | 1);
  writer.appendBytes(packed(values, count, width));
}

/** The values of a column that are there, and which are. */
function presentOf(values: Int32Array): { present: Int32Array; count: number; levels: Int32Array } {
  const present = new Int32Array(values.length);
  const levels = new Int32Array(values.length);
  let count = 0;
  for (let k = 0; k < values.length; k += 1) {
    const value = values[k]!;
    if (value < 0) continue;
    present[count] = value;
    count += 1;
    levels[k] = 1;
  }
  return { present, count, levels };
}

function writeColumn(writer: ByteWriter, column: CodedParquetColumn) {
  const begun = writer.offset;
  const rows = column.kind === 'coded' ? column.codes.length : column.values.length;
  const { present, count, levels } = presentOf(column.kind === 'coded' ? column.codes : column.values);
  if (column.kind === 'coded') {
    const dictionary = new ByteWriter();
    const encoder = new TextEncoder();
    for (const word of column.words) {
      const bytes = encoder.encode(word);
      dictionary.appendUint32(bytes.length);
      dictionary.appendBytes(bytes);
    }
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: dictionary.offset,
      compressed_page_size: dictionary.offset,
      dictionary_page_header: { num_values: column.words.length, encoding: 'PLAIN' },
    });
    writer.appendBytes(dictionary.getBytes());
  }
  const dataAt = writer.offset;
  const page = new ByteWriter();
  writeRun(page, levels, rows, 1);
  const levelBytes = page.offset;
  if (column.kind === 'coded') {
    const width = bitsFor(column.words.length - 1);
    page.appendUint8(width);
    if (count > 0) writeRun(page, present, count, width);
  } else page.appendBytes(new Uint8Array(present.buffer, 0, 4 * count));
  const encoding = column.kind === 'coded' ? ('RLE_DICTIONARY' as const) : ('PLAIN' as const);
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: page.offset,
    compressed_page_size: page.offset,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - count,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levelBytes,
      repetition_levels_byte_length: 0,
      is_compressed: false,
    },
  });
  writer.appendBytes(page.getBytes());
  const size = BigInt(writer.offset - begun);
  return {
    file_offset: BigInt(begun),
    meta_data: {
      type: column.kind === 'coded' ? ('BYTE_ARRAY' as const) : ('INT32' as const),
      encodings:
        column.kind === 'coded' ? (['PLAIN', 'RLE_DICTIONARY'] as const).slice() : (['PLAIN'] as const).slice(),
      path_in_schema: [column.name],
      codec: 'UNCOMPRESSED' as const,
      num_values: BigInt(rows),
      total_uncompressed_size: size,
      total_compressed_size: size,
      data_page_offset: BigInt(dataAt),
      ...(column.kind === 'coded' ? { dictionary_page_offset: BigInt(begun) } : {}),
    },
  };
}

/**
 * Makes the bytes of a Parquet file of columns whose texts are numbered already: one row group, a dictionary and one page a column, not packed. The
 * library's own writer looks every value up, which takes several times as long. Equal columns give equal bytes. Texts must be well-formed.
 */
export function codedParquetFile(columns: readonly CodedParquetColumn[]): Uint8Array {
  const writer = new ByteWriter();
  const magic = new TextEncoder().encode('PAR1');
  writer.appendBytes(magic);
  const rows = columns[0]?.kind === 'coded' ? columns[0].codes.length : (columns[0]?.values.length ?? 0);
  const chunks = columns.map((column) => writeColumn(writer, column));
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name, kind }): SchemaElement =>
        kind === 'coded'
          ? { name, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', converted_type: 'UTF8' }
          : { name, type: 'INT32', repetition_type: 'OPTIONAL' },
    ),
  ];
  const metadata: FileMetaData = {
    version: 2,
    created_by: 'flavourbench',
    num_rows: BigInt(rows),
    schema,
    row_groups: [
      {
        columns: chunks,
        total_byte_size: chunks.reduce((sum, { meta_data }) => sum + meta_data.total_uncompressed_size, 0n),
        num_rows: BigInt(rows),
      },
    ],
    metadata_length: 0,
  };
  writeMetadata(writer, metadata);
  writer.appendBytes(magic);
  return writer.getBytes();
}
