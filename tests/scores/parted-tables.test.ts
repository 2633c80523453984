import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScores } from '../../src/scores/score-paths.js';

const dir = mkdtempSync(join(tmpdir(), 'parted-'));
const at = (name: string) => join(dir, name);
let duck: DuckDBConnection;

beforeAll(async () => {
  duck = await (await DuckDBInstance.create(':memory:')).connect();
  await duck.run(
    `create table scores as select m.model, 't' || t.i as task, case when t.i % 2 = 0 then 'even' else 'odd' end as subject,
       ((t.i * 7 + m.k * 5) % 11 < 4 + 2 * m.k)::int as score
     from (values ('a', 0), ('b', 1), ('c d/é', 2)) m(model, k), range(8) t(i)`,
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const copy = (name: string, how: string) => duck.run(`copy scores to '${at(name)}' (${how})`);
const facts = async (path: string) => {
  const { matrix, reading } = await readScores([path]);
  const byName = matrix.models.map((model, m) => [
    model,
    Object.fromEntries(matrix.tasks.map((task, t) => [task, matrix.values[m * matrix.tasks.length + t]])),
  ]);
  return { scores: Object.fromEntries(byName), families: new Set(matrix.families), kind: reading.kind };
};

function write(name: string, data: string | Record<string, (string | number)[]>): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  const columns = typeof data === 'string' ? [] : Object.entries(data);
  const columnData = columns.map(([key, values]) => ({
    ...{ name: key, data: values, type: typeof values[0] === 'number' ? ('DOUBLE' as const) : ('STRING' as const) },
  }));
  writeFileSync(at(name), typeof data === 'string' ? data : new Uint8Array(parquetWriteBuffer({ columnData })));
}

describe('a table that lies in the files of a folder (reading 1.9)', () => {
  it('is read as one, with what its folders are called as columns', async () => {
    await copy('whole.parquet', 'format parquet');
    const whole = await facts(at('whole.parquet'));
    expect(Object.keys(whole.scores)).toEqual(['a', 'b', 'c d/é']);
    await copy('by-model', 'format parquet, partition_by (model)');
    expect(await facts(at('by-model'))).toEqual({ ...whole, kind: 'Parquet, 3 files' });
    await copy('by-two', 'format parquet, partition_by (model, subject)');
    expect(await facts(at('by-two'))).toEqual({ ...whole, kind: 'Parquet, 6 files' });
    await copy('kept', 'format parquet, partition_by (model), write_partition_columns true');
    expect(await facts(at('kept'))).toEqual({ ...whole, kind: 'Parquet, 3 files' });
    await copy('text', 'format csv, partition_by (model)');
    expect(await facts(at('text'))).toEqual({ ...whole, kind: 'CSV, 3 files' });
  });

  it('may have parts without a name, beside files of the program that wrote it', async () => {
    write('parts/part-0.parquet', { model: ['a', 'a'], t: ['x', 'y'], task: ['p', 'q'], score: [1, 0] });
    write('parts/part-1.parquet', { model: ['b', 'b'], t: ['x', 'y'], task: ['p', 'q'], score: [0, 0.5] });
    write('parts/_SUCCESS', '');
    write('parts/.part-0.parquet.crc', 'x');
    const { scores, kind } = await facts(at('parts'));
    expect([scores, kind]).toEqual([{ a: { p: 10, q: 0 }, b: { p: 0, q: 5 } }, 'Parquet, 2 files']);
  });

  it('names the file and the row of a cell that is no value, and of what is no name', async () => {
    write('odd/model=a/0.csv', 'task,score\nt,1\n');
    write('odd/model=b/0.csv', 'task,score\nt,0\nu,high\n');
    await expect(readScores([at('odd')])).rejects.toMatchObject({
      where: { file: expect.stringContaining('model=b'), line: 3 },
    });
    write('none/model=__HIVE_DEFAULT_PARTITION__/0.csv', 'task,score\nt,1\n');
    write('none/model=b/0.csv', 'task,score\nt,1\n');
    await expect(readScores([at('none')])).rejects.toThrow('model "", task "t" has no name');
  });

  it('is refused where files have other columns, and is none where they are not all parts', async () => {
    write('other/a.parquet', { model: ['a'], x: [1] });
    write('other/b.parquet', { model: ['a'], y: [1] });
    await expect(readScores([at('other')])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(
        /b\.parquet: has other columns \("model", "y"\) than .*a\.parquet \("model", "x"\)/,
      ),
    });
    write('mixed/a.parquet', { model: ['a'], x: [1] });
    write('mixed/b.csv', 'model,x\nb,1\n');
    await expect(readScores([at('mixed')])).rejects.toThrow('none is an evaluation log');
    await expect(readScores([at('parts')], { filter: 'x' })).rejects.toThrow('--filter goes with evaluation logs');
  });
});
