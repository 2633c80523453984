import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { readParquet } from '../../src/io/parquet.js';
import { freshFolder } from '../support/folders.js';

async function cells(bytes: Uint8Array): Promise<Record<string, unknown[]>> {
  const table = await readParquet(bytes, 'x.parquet');
  return Object.fromEntries(table.columns().map(([name, column]) => [name, Array.from(column.values())]));
}

describe('days and times of Parquet', () => {
  it('are texts as another program writes them, empty ones none', async () => {
    const path = join(freshFolder(), 'times.parquet');
    const duck = await (await DuckDBInstance.create(':memory:')).connect();
    await duck.run(
      `COPY (SELECT * FROM (VALUES
         (DATE '2024-06-01', TIMESTAMP '2024-06-01 13:30:00', TIME '13:30:00', 0.5::FLOAT),
         (NULL, NULL, NULL, NULL)) AS t(day, stamp, time, narrow)) TO '${path}' (FORMAT parquet)`,
    );
    duck.closeSync();
    expect(await cells(readFileSync(path))).toEqual({
      day: ['2024-06-01T00:00:00.000Z', null],
      stamp: ['2024-06-01T13:30:00.000Z', null],
      time: ['13:30:00', null],
      narrow: [0.5, null],
    });
  });

  it.each([
    ['an older word for thousandths', { type: 'INT32', converted_type: 'TIME_MILLIS' }, 48_600_000],
    ['an older word for millionths', { type: 'INT64', converted_type: 'TIME_MICROS' }, 48_600_000_000n],
    [
      'thousand millionths',
      { type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'NANOS' } },
      48_600_000_000_000n,
    ],
  ] as const)('are texts in %s', async (_, type, value) => {
    const bytes = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'time', repetition_type: 'OPTIONAL', ...type },
      ],
      columnData: [{ name: 'time', data: [value, null] }],
    });
    expect(await cells(new Uint8Array(bytes))).toEqual({ time: ['13:30:00', null] });
  });

  it('are days where only the newer word is said', async () => {
    const bytes = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'day', repetition_type: 'OPTIONAL', type: 'INT32', logical_type: { type: 'DATE' } },
      ],
      columnData: [{ name: 'day', data: [19_875, null] }],
    });
    expect(await cells(new Uint8Array(bytes))).toEqual({ day: ['2024-06-01T00:00:00.000Z', null] });
  });
});
