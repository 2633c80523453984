import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Bench } from 'tinybench';
import { parquetFile } from '../src/io/write-parquet.js';
import { readScores } from '../src/scores/score-paths.js';

const MODELS = 100;
const TASKS = 10_000;

/** Long tables of 1,000,000 rows, a cell each, read from files that stand in the file system's memory. */
export async function register(bench: Bench): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'flavourbench-scores-'));
  const cells = Array.from({ length: MODELS * TASKS }, (_, at) => {
    const [m, t] = [Math.floor(at / TASKS), at % TASKS];
    return [`simulated/model-${m + 1}`, `task-${t + 1}`, ((m * 7919 + t * 104_729) % 10_001) / 100] as const;
  });
  const csv = join(folder, 'long.csv');
  const parquet = join(folder, 'long.parquet');
  writeFileSync(csv, `model,task,score\n${cells.map((cell) => cell.join(',')).join('\n')}\n`);
  const columns = [
    { name: 'model', kind: 'text', values: cells.map(([model]) => model) },
    { name: 'task', kind: 'text', values: cells.map(([, task]) => task) },
    { name: 'score', kind: 'float64', values: cells.map(([, , score]) => score) },
  ] as const;
  writeFileSync(parquet, await parquetFile({ columns }));
  // As programs write columns of which most values differ: every text stands in its row.
  const plain = join(folder, 'plain.parquet');
  const data = columns.map(({ name, kind, values }) => ({
    ...{ name, data: values as unknown[], nullable: true, encoding: 'PLAIN' as const },
    type: kind === 'text' ? ('STRING' as const) : ('DOUBLE' as const),
  }));
  writeFileSync(plain, new Uint8Array(parquetWriteBuffer({ columnData: data })));
  bench
    .add('readScores, 1,000,000 long rows, CSV', async () => {
      await readScores([csv]);
    })
    .add('readScores, 1,000,000 long rows, Parquet', async () => {
      await readScores([parquet]);
    })
    .add('readScores, 1,000,000 long rows, Parquet without dictionaries', async () => {
      await readScores([plain]);
    });
  return () => rmSync(folder, { recursive: true });
}
