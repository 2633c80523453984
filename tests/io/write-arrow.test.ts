import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import type { ArrowColumn, TableColumn } from '../../src/io/arrow.js';

/** The same file as apache-arrow makes it. */
function byLibrary(columns: readonly TableColumn[], metadata: Readonly<Record<string, string>>): Uint8Array {
  const types = { bool: arrow.Bool, int32: arrow.Int32, int64: arrow.Int64, float64: arrow.Float64 };
  const fields = columns.map(({ name, kind }, place) => {
    const coded = () => new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), place);
    return new arrow.Field(name, kind === 'text' || kind === 'coded' ? coded() : new types[kind](), true);
  });
  const children = columns.map((column, i) => {
    const values = column.kind === 'coded' ? Array.from(column.values, (code) => column.words[code]!) : column.values;
    return arrow.vectorFromArray(Array.from<unknown>(values), fields[i]!.type as arrow.DataType).data[0]!;
  });
  const schema = new arrow.Schema(fields, new Map(Object.entries(metadata)));
  const length = columns[0]?.values.length ?? 0;
  const data = arrow.makeData({ type: new arrow.Struct(fields), length, nullCount: 0, children: children as never[] });
  return arrow.tableToIPC(new arrow.Table(schema, [new arrow.RecordBatch(schema, data as never)]), 'file');
}

const KINDS = {
  text: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string({ unit: 'binary', maxLength: 9 })),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  float64: fc.double(),
} as const;

const column = (rows: number): fc.Arbitrary<TableColumn> => {
  const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: rows, maxLength: rows });
  const plain = fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])).chain((kind) =>
    fc.constantFrom(0, 1, 3).chain((freq) => {
      const values = list(fc.option(KINDS[kind] as fc.Arbitrary<unknown>, freq === 0 ? { freq: 1000 } : { freq }));
      return fc.record({
        name: fc.string({ maxLength: 5 }),
        kind: fc.constant(kind),
        values,
      }) as fc.Arbitrary<ArrowColumn>;
    }),
  );
  const coded = fc.record({
    name: fc.constant('coded'),
    kind: fc.constant('coded' as const),
    values: list(fc.nat({ max: 2 })).map((codes) => Uint8Array.from(codes)),
    words: fc.constant(['x', 'y', 'longer than either']),
  });
  return fc.oneof({ weight: 5, arbitrary: plain }, coded);
};

describe('the writer of Arrow files', () => {
  it('gives the very bytes that apache-arrow gives, for columns of every kind with and without missing values', () => {
    const tables = fc
      .oneof(fc.nat({ max: 20 }), fc.constantFrom(64, 511, 512, 513, 600))
      .chain((rows) => fc.array(column(rows), { minLength: 1, maxLength: 6 }));
    const metadata = fc.dictionary(fc.constantFrom('scale', 'results_sha256', 'ü'), fc.string({ maxLength: 12 }), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(tables, metadata, (drawn, about) => {
        const columns = drawn.map((one, place) => ({ ...one, name: place === 0 ? one.name : `${place}${one.name}` }));
        const [ours, theirs] = [arrowFile({ columns, metadata: about }), byLibrary(columns, about)];
        expect(Buffer.from(ours).equals(theirs)).toBe(true);
      }),
      { numRuns: 100, seed: 20 },
    );
  });

  it('writes a column of values that are all missing, and one that is a typed array, as apache-arrow does', () => {
    for (const kind of ['text', 'bool', 'int32', 'int64', 'float64'] as const) {
      const columns = [
        { name: 'none', kind, values: [null, null, null] },
        { name: 'number', kind: 'float64', values: Float64Array.of(1, -0, Number.MAX_VALUE) },
      ] as TableColumn[];
      expect(Buffer.from(arrowFile({ columns })).equals(byLibrary(columns, {}))).toBe(true);
    }
  });
});
