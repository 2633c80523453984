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
