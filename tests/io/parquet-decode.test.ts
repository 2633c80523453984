import fc from 'fast-check';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
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
});
