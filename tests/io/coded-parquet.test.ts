import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CodedParquetColumn, codedParquetFile } from '../../src/io/parquet/coded-parquet.js';
import { readParquet } from '../../src/io/parquet.js';

const words = ['', 'a', 'Ünïcode', 'x'.repeat(300), ...Array.from({ length: 70 }, (_, k) => `word ${k}`)];

it('writes texts that are numbered and whole numbers so that they are read as they were, missing ones too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: -1, max: 73 }), fc.integer({ min: -1, max: 2 ** 31 - 1 })), {
        maxLength: 200,
      }),
      fc.integer({ min: 1, max: 74 }),
      async (cells, used) => {
        const codes = Int32Array.from(cells, ([code]) => Math.min(code, used - 1));
        const columns: CodedParquetColumn[] = [
          { name: 'text', kind: 'coded', codes, words: words.slice(0, used) },
          { name: 'same', kind: 'coded', codes: new Int32Array(cells.length), words: ['only'] },
          { name: 'none', kind: 'coded', codes: new Int32Array(cells.length).fill(-1), words: [] },
          { name: 'number', kind: 'int32', values: Int32Array.from(cells, ([, value]) => value) },
        ];
        const table = await readParquet(codedParquetFile(columns), 'made');
        expect(table.rows).toBe(cells.length);
        const column = (name: string) => Array.from(table.column(name)!);
        expect(column('text')).toEqual(Array.from(codes, (code) => words[code] ?? null));
        expect(column('same')).toEqual(cells.map(() => 'only'));
        expect(column('none')).toEqual(cells.map(() => null));
        expect(column('number')).toEqual(cells.map(([, value]) => (value < 0 ? null : value)));
      },
    ),
    { numRuns: 60 },
  );
});
