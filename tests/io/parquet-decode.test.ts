import fc from 'fast-check';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import type { CodedColumn } from '../../src/io/coded.js';
import { directColumn } from '../../src/io/parquet/parquet-decode.js';
import { readParquet } from '../../src/io/parquet.js';

/** Columns whose values are known, as a library writes them: dictionaries where values repeat, groups of 7 rows. */
function written(columns: Readonly<Record<string, readonly unknown[]>>, codec: 'SNAPPY' | 'UNCOMPRESSED'): Uint8Array {
  const writer = new ByteWriter();
  const columnData = Object.entries(columns).map(([name, data]) => ({ name, data: [...data] }));
  parquetWrite({ writer, columnData, rowGroupSize: 7, codec });
  return new Uint8Array(writer.getBuffer());
}

const column = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 20, maxLength: 20 });
const few = fc.constantFrom('a', 'b', 'café', '');

describe('columns of Parquet files', () => {
  it('are what was written, in both forms', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          text: column(few),
          gaps: column(fc.option(few)),
          whole: column(fc.integer()),
          real: column(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
          score: column(fc.constantFrom(0.25, 0.5, 1.75)),
          holes: column(fc.option(fc.constantFrom(0.5, 1.5))),
          truth: column(fc.boolean()),
        }),
        fc.constantFrom('SNAPPY' as const, 'UNCOMPRESSED' as const),
        async (columns, codec) => {
          const table = await readParquet(written(columns, codec), 'x.parquet');
          for (const [name, found] of table.columns()) {
            const expected = columns[name as keyof typeof columns];
            expect(Array.from(found.values())).toEqual(expected);
            const { values, codes } = found.coded();
            expect(Array.from(codes, (code) => values[code])).toEqual(expected);
            expect(new Set(values).size).toBe(values.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are the same where texts stand in the pages themselves, with gaps', async () => {
    const texts = ['b', 'a', '', 'b', null, 'café', 'a', null, 'b'];
    for (const encoding of ['PLAIN', 'RLE_DICTIONARY'] as const) {
      const writer = new ByteWriter();
      const columnData = [{ name: 'text', data: texts, type: 'STRING' as const, encoding }];
      parquetWrite({ writer, columnData, rowGroupSize: 5, pageSize: 4 });
      const table = await readParquet(new Uint8Array(writer.getBuffer()), 'x.parquet');
      const [[, found]] = table.columns() as [ReturnType<typeof table.columns>[number]];
      expect(Array.from(found.values()), encoding).toEqual(texts);
      expect(found.coded().values, encoding).toEqual(['b', 'a', '', null, 'café']);
    }
  });

  it('join the entries of a dictionary that was given up with the texts of the pages behind it', () => {
    const plain = (...texts: string[]) => Uint8Array.from(texts.flatMap((text) => [1, 0, 0, 0, text.charCodeAt(0)]));
    // Entries 0, 1, 0 in groups of bits of width 1; then values where the levels have the bits 1, 0, 1.
    const entries = { bytes: Uint8Array.of(1, 3, 0b010), from: 0, to: 3, dictionary: true, count: 3, there: 3 };
    const levels = { bytes: Uint8Array.of(3, 0b101), from: 0, to: 2 };
    const direct = { bytes: plain('x', 'a', 'c', 'x'), from: 5, to: 15, dictionary: false, count: 3, there: 2, levels };
    const dictionary = { bytes: plain('b', 'a'), entries: 2 };
    const column = { kind: 'text', type: 'BYTE_ARRAY', pages: [entries, direct], dictionary } as const;
    const { values, codes } = directColumn(column, 6) as CodedColumn;
    expect(Array.from(codes, (code) => values[code])).toEqual(['b', 'a', 'b', 'a', null, 'c']);
    expect(values).toEqual(['b', 'a', null, 'c']);
  });

  it('are refused where a text in a page is not UTF-8', async () => {
    const writer = new ByteWriter();
    const columnData = [{ name: 'text', data: ['abc', 'xyz'], type: 'STRING' as const, encoding: 'PLAIN' as const }];
    parquetWrite({ writer, columnData, codec: 'UNCOMPRESSED' });
    const bytes = Buffer.from(writer.getBuffer());
    bytes[bytes.indexOf('xyz')] = 0xff;
    const table = await readParquet(bytes, 'x.parquet');
    expect(() => table.column('text')).toThrow(expect.objectContaining({ code: 'PARQUET_INVALID' }));
  });
});
