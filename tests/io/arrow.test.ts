import { describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { type ArrowColumn, isArrow, readArrow } from '../../src/io/arrow.js';

const columns: ArrowColumn[] = [
  { name: 'name', kind: 'text', values: ['a', 'b', null, 'a'] },
  { name: 'kind', kind: 'text', values: ['x', 'x', 'y', 'ü'] },
  { name: 'count', kind: 'int32', values: Int32Array.of(1, -2, 3, 4) },
  { name: 'big', kind: 'int64', values: [1n, 2n ** 60n, null, -5n] },
  { name: 'value', kind: 'float64', values: [0.1, null, -0, 1e300] },
  { name: 'flag', kind: 'bool', values: [true, false, null, true] },
];

describe('Arrow files', () => {
  it('are read back as they were written, metadata too', async () => {
    const bytes = arrowFile({ columns, metadata: { scale: '100' } });
    expect(isArrow(bytes)).toBe(true);
    const table = await readArrow(bytes, 'x.arrow');
    expect(table.rows).toBe(4);
    expect(table.names).toEqual(columns.map((column) => column.name));
    expect(table.metadata.get('scale')).toBe('100');
    for (const column of columns) expect(table.column(column.name)).toEqual(Array.from<unknown>(column.values));
    expect(table.column('absent')).toBeUndefined();
  });

  it('are the same bytes each time, whatever was written before', async () => {
    const first = arrowFile({ columns });
    arrowFile({ columns: columns.slice(0, 1) });
    expect(Buffer.from(arrowFile({ columns })).equals(Buffer.from(first))).toBe(true);
  });

  it('hold days, moments and times of day as texts, whatever unit they are in', async () => {
    const {
      tableToIPC,
      Table,
      vectorFromArray,
      DateDay,
      DateMillisecond,
      TimeSecond,
      TimeMicrosecond,
      TimestampSecond,
    } = await import('apache-arrow');
    const day = new Date(Date.UTC(2024, 5, 1));
    const table = new Table({
      day: vectorFromArray([day, null], new DateDay()),
      moment: vectorFromArray([day, null], new DateMillisecond()),
      stamp: vectorFromArray([day.getTime(), null], new TimestampSecond()),
      time: vectorFromArray([3600, null], new TimeSecond()),
      fine: vectorFromArray([5_400_000_000n, null], new TimeMicrosecond()),
    });
    const { columns: read } = await readArrow(tableToIPC(table, 'file'), 'x.arrow');
    const found = Object.fromEntries(read().map(([name, column]) => [name, Array.from(column.values())]));
    expect(found).toEqual({
      day: ['2024-06-01T00:00:00.000Z', null],
      moment: ['2024-06-01T00:00:00.000Z', null],
      stamp: ['2024-06-01T00:00:00.000Z', null],
      time: ['01:00:00', null],
      fine: ['01:30:00', null],
    });
  });

  it('of short decimals are refused by the name of the column', async () => {
    const { tableToIPC, Table, Decimal, makeVector, makeData } = await import('apache-arrow');
    const type = new Decimal(2, 9, 32);
    const data = makeData({ type, length: 1, data: new Uint32Array(4) });
    const table = new Table({ score: makeVector(data) });
    await expect(readArrow(tableToIPC(table, 'file'), 'x.arrow')).rejects.toMatchObject({
      code: 'ARROW_INVALID',
      message: 'x.arrow: column "score" has decimals of fewer than 128 bits, which is not read',
      hint: expect.stringContaining('pyarrow.decimal128('),
    });
  });

  it('may hold no row at all', async () => {
    const bytes = arrowFile({
      columns: columns.map((column) => ({ ...column, values: [] }) as ArrowColumn),
    });
    expect((await readArrow(bytes, 'x')).rows).toBe(0);
  });

  it('are told from other files, which are named', async () => {
    await expect(readArrow(Buffer.from('ARROW1 but no more'), 'x.arrow')).rejects.toMatchObject({
      code: 'ARROW_INVALID',
      message: expect.stringContaining('x.arrow'),
    });
    expect(isArrow(Buffer.from('model,task'))).toBe(false);
  });
});
