import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/scores/table-file.js';

const read = (name: string) =>
  readTable(readFileSync(new URL(`../../fixtures/cases/tables/${name}`, import.meta.url)), name);

/** Values of all columns, row after row, up to `rows`. */
async function content(name: string, rows: number) {
  const table = await read(name);
  const columns = table.names.map((column) => table.column(column)!);
  return {
    names: table.names,
    kind: table.kind,
    rows: Array.from({ length: Math.min(rows, table.rows) }, (_, row) => columns.map((column) => column[row])),
  };
}

describe('tables as people have them', () => {
  it.each([
    ['long-semicolon.csv', 'CSV, semicolons'],
    ['long.tsv', 'TSV'],
    ['long-lz4.feather', 'Arrow file'],
  ])('%s is the same long table in %s', async (name, kind) => {
    const table = await content(name, 3);
    const values = table.rows.map(([model, task, value]) => [model, task, Number(value)]);
    expect([table.kind, table.names]).toEqual([kind, ['model', 'task', 'value']]);
    expect(values).toEqual([
      ['a', 't0', 0.3],
      ['a', 't1', 0.37],
      ['a', 't2', 0.35],
    ]);
  });

  it.each(['pl_oldest.arrow', 'pl_newest.arrow'])(
    '%s, whose first message has no length, is read by its footer',
    async (name) => {
      const table = await content(name, 9);
      expect(table.names).toEqual(['model', 't', 'u']);
      expect(table.rows).toEqual([
        ['a', 1, 1],
        ['b', 0, 1],
        ['c', 1, 0],
      ]);
    },
  );

  it('answers.arrow is read by its footer', async () => {
    const table = await content('answers.arrow', 1);
    expect(table.names).toEqual(['model_id', 'task_id', 'response', 'status']);
    expect(table.rows).toEqual([
      ['simulated/skill-60', 'fb-executable-substitution-001', 'FINAL_SELECTION: B, D, F', 'completed'],
    ]);
  });

  it('wide-pandas-index.parquet and steps.parquet keep what pandas called their index', async () => {
    expect((await read('wide-pandas-index.parquet')).index).toEqual(['model']);
    expect((await read('steps.parquet')).index).toEqual(['model']);
  });
});
