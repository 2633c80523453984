import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrowSchema } from '../../src/io/arrow/arrow-schema.js';
import { readParquet } from '../../src/io/parquet.js';
import { boundedCli } from '../support/bounded.js';
import { refusal } from '../support/refusal.js';

/** A Parquet file of a footer alone, which begins with its version and the head of a schema of `count` parts. */
function describedParquet(count: number, rest: number): Buffer {
  const varint = [...Array(5).keys()].map((k) => (Math.floor(count / 128 ** k) % 128) + (k < 4 ? 128 : 0));
  const footer = Buffer.concat([Buffer.from([0x15, 2, 0x19, 0xfc, ...varint]), Buffer.alloc(rest)]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]);
}

/** A schema of Arrow whose list says that `count` columns follow. */
function describedArrow(count: number) {
  const view = new DataView(new ArrayBuffer(32 + 4 * count));
  // A table at 16, its layout at 0: two fields, of which the second, the columns, stands 4 bytes on.
  view.setUint16(0, 8, true);
  view.setUint16(2, 8, true);
  view.setUint16(6, 4, true);
  view.setInt32(16, 16, true);
  view.setUint32(20, 8, true);
  view.setUint32(28, count, true);
  return { view, at: 16 };
}

describe('a table of more columns than are read', () => {
  it('of Parquet is refused at the head of their list, with the bound and what to do', async () => {
    const told = await refusal(() => readParquet(describedParquet(2 ** 22, 2 ** 22), 'x'));
    expect(told).toBe(
      'BOUND_EXCEEDED: x: describes its columns, in each group of rows, by more than 33554432 values: some 250,000 columns are read of one group',
    );
  });

  it('of Parquet is called cut off where they are not there', async () => {
    const told = await refusal(() => readParquet(describedParquet(2 ** 22, 10), 'x'));
    expect(told).toBe('PARQUET_INVALID: x: cannot be read as Parquet: a list of 4194304 where a header is cut off');
  });

  it('of Arrow is refused before any is read', async () => {
    const told = await refusal(() => arrowSchema(describedArrow(2 ** 20 + 1), 'x'));
    expect(told).toBe('BOUND_EXCEEDED: x: more than 1048576 columns');
    // One less is read, and found to hold nothing.
    expect(await refusal(() => arrowSchema(describedArrow(2 ** 20), 'x'))).not.toMatch(/BOUND_EXCEEDED/);
  });

  it('ends a call without its time and memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wide-tables-'));
    const path = join(folder, 'wide.parquet');
    writeFileSync(path, describedParquet(2 ** 22, 2 ** 22));
    const { code, output } = boundedCli([path]);
    rmSync(folder, { recursive: true });
    expect([code, output]).toEqual([2, expect.stringContaining('Write a row a cell: model,task,value.')]);
  });
});
