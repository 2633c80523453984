import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerScan } from '../../src/core/answer-scan.js';
import { type AnswerMatrix, matrixFromAnswers } from '../../src/core/matrix-answers.js';
import { inputFileAt } from '../../src/io/read-file.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { readAnswers, scoreAnswers, scoreInput } from '../../src/responses/answer-file.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'answer-scan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const tasks = ['pairing', 'constraint'].flatMap((family) =>
  ['panel_1', 'panel_2'].map((panel) =>
    taskFromRow(taskRow(`${family}-${panel}`, { family, panel, cluster_id: family }), { file: 'test' }),
  ),
);
const [columns, outside] = [tasks.slice(0, 3), tasks.slice(3)];

const attempt = async (make: () => AnswerMatrix | Promise<AnswerMatrix>) => {
  try {
    return await make();
  } catch (error) {
    return { failed: (error as Error).message };
  }
};

/** A file by the scan of its bytes, and by reading each of its rows in full. */
async function bothWays(text: string, roster?: readonly string[]) {
  const path = join(folder, 'answers.jsonl');
  writeFileSync(path, text);
  const shape = { tasks: columns, roster };
  const scanned = await attempt(async () => {
    const scan = answerScan(shape);
    await scoreAnswers(path, scan);
    return scan.matrix();
  });
  return { scanned, read: await attempt(() => matrixFromAnswers({ ...shape, answers: readAnswers(path) })) };
}

const row = fc.record(
  {
    task_id: fc.constantFrom(...tasks.map(({ id }) => id)),
    model_id: fc.constantFrom('a', 'b', 'é', ''),
    model: fc.constantFrom('b', 'c'),
    panel: fc.constantFrom('panel_1', 'panel_2', '', null, 3, 'panel_1"', 'p\\', 'panél', { panel: 'panel_2' }),
    note: fc.constantFrom('panel', '"panel": "panel_2"', ',"panel":"panel_2",', 'ends in a backslash \\'),
    selection: fc.constantFrom('ABC', 'cab', 'AB', null),
    response: fc.constantFrom('FINAL_SELECTION: A,B,C', 'FINAL_SELECTION: A', 'none', null, '"panel":"panel_2"'),
    status: fc.constantFrom('completed', 'failed'),
  },
  { requiredKeys: ['task_id', 'model_id'] },
);
const line = fc.tuple(row, fc.boolean(), fc.constantFrom('\n', '\r\n')).chain(([fields, wide, end]) =>
  fc.shuffledSubarray(Object.entries(fields), { minLength: Object.keys(fields).length }).map((entries) => {
    const json = JSON.stringify(Object.fromEntries(entries));
    return (wide ? json.replaceAll('":', '" : ') : json) + end;
  }),
);

describe('the matrix of files whose bytes are scanned', () => {
  it('is that of the same files read row by row, or fails with the same words', async () => {
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(line, { minLength: 1, maxLength: 12 }),
        fc.option(fc.constantFrom(['a', 'b'], ['c', 'é', 'a']), { nil: undefined }),
        async (lines, roster) => {
          const { scanned, read } = await bothWays(lines.join(''), roster);
          expect(scanned).toEqual(read);
          if ('cells' in read) whole += 1;
        },
      ),
      { numRuns: 400 },
    );
    expect(whole).toBeGreaterThan(50);
  });

  it('is that of the same rows in a table, and in a packed file', async () => {
    const rows = ['a', 'b'].flatMap((model_id, m) =>
      columns.map(({ id }, t) => ({ model_id, task_id: id, selection: ['ABC', 'ABD', 'CDE'][(m + t) % 3]! })),
    );
    const of = async (name: string, data: string | Uint8Array) => {
      writeFileSync(join(folder, name), data);
      const scan = answerScan({ tasks: columns });
      await scoreAnswers(join(folder, name), scan);
      return scan.matrix();
    };
    const lines = rows.map((one) => JSON.stringify(one)).join('\n');
    const wanted = await of('rows.jsonl', lines);
    expect(wanted.matrix?.models).toEqual(['a', 'b']);
    const table = (['model_id', 'task_id', 'selection'] as const).map((name) => ({
      name,
      kind: 'text' as const,
      values: rows.map((one) => one[name]),
    }));
    expect(await of('rows.jsonl.gz', gzipSync(lines))).toEqual(wanted);
    expect(await of('rows.parquet', await parquetFile({ columns: table }))).toEqual(wanted);
    const csv = rows.map((one) => Object.values(one).join(';')).join('\n');
    expect(await of('rows.csv', `model_id;task_id;selection\n${csv}`)).toEqual(wanted);
    await expect(of('twice.csv', `model_id;task_id;selection\n${csv}\n${csv}`)).rejects.toThrow(
      /twice\.csv, line 8, row 7: .*twice\.csv/,
    );
  });

  it('counts answers to other tasks, of other models and of other panels', async () => {
    const answer = (model_id: string, task_id: string, panel?: string) =>
      `${JSON.stringify({ model_id, task_id, panel, selection: 'ABC' })}\n`;
    const rows = [
      ...columns.map(({ id }) => answer('a', id)),
      answer('a', outside[0]!.id),
      answer('z', columns[0]!.id),
      answer('a', columns[0]!.id, 'panel_9'),
    ];
    const { scanned, read } = await bothWays(rows.join(''), ['a']);
    expect(scanned).toEqual(read);
    expect(scanned).toMatchObject({ missing: [], extra: { tasks: 1, models: 1, panels: 1 } });
  });

  it('names both lines of a cell that is answered twice', async () => {
    const again = `${JSON.stringify({ model_id: 'a', task_id: columns[0]!.id, selection: 'ABC' })}\n`;
    const { scanned } = await bothWays(again + again);
    expect(scanned).toEqual({ failed: expect.stringMatching(/line 2: model "a" answers .* first in .*, line 1$/) });
  });

  it('takes the digest of every byte while it scores the file', async () => {
    const path = join(folder, 'digest.jsonl');
    const row = (id: string, note: string) => JSON.stringify({ model_id: 'a', task_id: id, selection: 'ABC', note });
    const rows = columns.map(({ id }, t) => row(id, 'x'.repeat(50_000 * t)));
    const lines = ['\ufeff', rows.join('\r\n'), '\n\n', row(outside[0]!.id, 'the last line has no end')].join('');
    for (const text of [
      lines,
      `[${rows.join()}]`,
      JSON.stringify({ responses: rows.map((each) => JSON.parse(each)) }),
    ]) {
      writeFileSync(path, text);
      const scan = answerScan({ tasks: columns });
      expect(await scoreInput('responses', path, scan)).toEqual(inputFileAt('responses', path));
      expect(scan.matrix().cells).toBe(columns.length);
    }
  });
});
