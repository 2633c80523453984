import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { readAudit } from '../support/audit-source.js';
import { suiteFolder } from '../support/folders.js';

const { write: auditFile } = suiteFolder('audit-');

describe('a matrix for rank-audit', () => {
  const expectPlain = async (path: string) => {
    const { matrix, kind } = await readAudit([path]);
    expect(kind).toBe('matrix');
    expect(matrix.models).toEqual(['a', 'b']);
    expect(matrix.tasks).toEqual(['t1', 't2', 't3']);
    expect([...matrix.values]).toEqual([1, 0, 1, 0, 0, 1]);
    expect(matrix.clusters).toEqual(['t1', 't2', 't3']);
    expect(matrix.scale).toBe(1);
  };

  it('may be wide or long CSV', async () => {
    await expectPlain(auditFile('wide.csv', 'model,t1,t2,t3\na,1,0,1\nb,0,0,1\n'));
    const long = ['a,t1,1', 'a,t2,0', 'a,t3,1', 'b,t1,0', 'b,t2,0', 'b,t3,1'].join('\n');
    await expectPlain(auditFile('long.csv', `model,task,value\n${long}\n`));
  });

  it('may be wide or long Parquet', async () => {
    const column = (name: string, data: unknown[], type: 'STRING' | 'INT32' | 'BOOLEAN') => ({
      name,
      data,
      type,
    });
    await expectPlain(
      auditFile(
        'wide.parquet',
        new Uint8Array(
          parquetWriteBuffer({
            columnData: [
              column('model', ['a', 'b'], 'STRING'),
              column('t1', [1, 0], 'INT32'),
              column('t2', [0, 0], 'INT32'),
              column('t3', [true, true], 'BOOLEAN'),
            ],
          }),
        ),
      ),
    );
    await expectPlain(
      auditFile(
        'long.parquet',
        new Uint8Array(
          parquetWriteBuffer({
            columnData: [
              column('model', ['a', 'a', 'a', 'b', 'b', 'b'], 'STRING'),
              column('task', ['t1', 't2', 't3', 't1', 't2', 't3'], 'STRING'),
              column('value', [1, 0, 1, 0, 0, 1], 'INT32'),
            ],
          }),
        ),
      ),
    );
    await expect(readAudit([auditFile('bad.parquet', 'PAR1 and nothing else')])).rejects.toMatchObject({
      code: 'PARQUET_INVALID',
    });
  });

  it('may be Arrow', async () => {
    const bytes = arrowFile({
      columns: [
        { name: 'model', kind: 'text', values: ['a', 'b'] },
        { name: 't1', kind: 'int32', values: [1, 0] },
        { name: 't2', kind: 'bool', values: [false, false] },
        { name: 't3', kind: 'float64', values: [1, 1] },
      ],
    });
    await expectPlain(auditFile('wide.arrow', bytes));
  });

  it('may have clusters and families in files of their own', async () => {
    const path = auditFile('wide.csv', 'model,t1,t2,t3\na,1,0,1\nb,0,0,1\n');
    const { matrix, inputs } = await readAudit([path], {
      clusters: auditFile('clusters.csv', 'task,cluster\nt1,x\nt3,x\n'),
      families: auditFile('families.csv', 'family,task\nf,t1\ng,t2\nf,t3\n'),
    });
    expect(matrix.clusters).toEqual(['x', 't2', 'x']);
    expect(matrix.families).toEqual(['f', 'g', 'f']);
    expect(inputs.map(({ role }) => role)).toEqual(['scores', 'clusters', 'families']);
  });

  it.each([
    ['two labels', 'task,cluster\nt1,x\nt2,x\nt1,y\n', /line 4: task "t1" has cluster "y", earlier "x"/],
    ['no label', 'task,cluster\nt1,x\nt2,\n', /c\.csv, line 3: (?:cluster: )?task "t2" has no cluster/],
    ['no name', 'task,cluster\n,x\n', /c\.csv, line 2: a row names no task/],
    ['tasks of another matrix', 'task,cluster\nT1,x\n', /clusters names "T1", no task of .*w\.csv/],
    ['no row', 'task,cluster\n', /clusters names no task/],
  ])('is refused with labels that have %s', async (_, text, message) => {
    const path = auditFile('w.csv', 'model,t1,t2\na,1,0\nb,0,0\n');
    await expect(readAudit([path], { clusters: auditFile('c.csv', text) })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('may have a label that is stated twice alike', async () => {
    const path = auditFile('w.csv', 'model,t1,t2\na,1,0\nb,0,0\n');
    const clusters = auditFile('c.csv', 'task,cluster\nt1,x\nt1,x\nother,z\n');
    expect((await readAudit([path], { clusters })).matrix.clusters).toEqual(['x', 't2']);
  });

  it('has real values in points, refused where a scale is stated, and rounded on request', async () => {
    const path = auditFile('real.csv', 'model,t1,t2\na,0.25,0.5\nb,1,0\n');
    await expect(readAudit([path], { scale: 10 })).rejects.toMatchObject({
      code: 'CELL_NOT_INTEGER',
      message: expect.stringMatching(/line 2: model "a", task "t1" is "0.25"/),
    });
    const { matrix } = await readAudit([path]);
    expect([[...matrix.values], matrix.scale]).toEqual([[25, 50, 100, 0], 100]);
    expect([...(await readAudit([path], { quantize: 10 })).matrix.values]).toEqual([2, 5, 10, 0]);
    await expect(readAudit([auditFile('gap.csv', 'model,t1,t2\na,1,\nb,1,0\n')])).rejects.toMatchObject({
      code: 'INCOMPLETE',
      exit: 3,
    });
    const gap = await readAudit([auditFile('gap.csv', 'model,t1,t2\na,1,\nb,1,0\n')], {
      missing: 'common-tasks',
    });
    expect([gap.matrix.tasks, gap.dropped]).toEqual([['t1'], 1]);
  });

  it('is refused together with options that only logs have', async () => {
    const path = auditFile('wide.csv', 'model,t1\na,1\n');
    for (const option of [{ metric: 'acc' }, { filter: 'none' }])
      await expect(readAudit([path], option)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('is refused beside another, with one column, and with labels without their column', async () => {
    const path = auditFile('wide.csv', 'model,t1\na,1\n');
    await expect(readAudit([path, auditFile('other.csv', 'model,t1\na,0\n')])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(readAudit([auditFile('one.csv', 'model\na\n')])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
    });
    await expect(readAudit([path], { clusters: path })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
    });
    await expect(readAudit([])).rejects.toMatchObject({ code: 'USAGE' });
  });
});
