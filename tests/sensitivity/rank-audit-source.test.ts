import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readingWords } from '../../src/sensitivity/rank-audit-logs.js';
import {
  type AuditSourceOptions,
  readAuditSource,
} from '../../src/sensitivity/rank-audit-source.js';
import { arrowFile } from '../../src/util/arrow.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, data: string | Uint8Array): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
  return path;
}
const read = (paths: string[], options: Partial<AuditSourceOptions> = {}) =>
  readAuditSource({ paths, ...options });

describe('matrices', () => {
  const expectPlain = async (path: string) => {
    const { matrix, kind } = await read([path]);
    expect(kind).toBe('matrix');
    expect(matrix.models).toEqual(['a', 'b']);
    expect(matrix.tasks).toEqual(['t1', 't2', 't3']);
    expect([...matrix.values]).toEqual([1, 0, 1, 0, 0, 1]);
    expect(matrix.clusters).toEqual(['t1', 't2', 't3']);
    expect(matrix.scale).toBe(1);
  };

  it('wide and long CSV', async () => {
    await expectPlain(file('wide.csv', 'model,t1,t2,t3\na,1,0,1\nb,0,0,1\n'));
    const long = ['a,t1,1', 'a,t2,0', 'a,t3,1', 'b,t1,0', 'b,t2,0', 'b,t3,1'].join('\n');
    await expectPlain(file('long.csv', `model,task,value\n${long}\n`));
  });

  it('Parquet, wide and long', async () => {
    const column = (name: string, data: unknown[], type: 'STRING' | 'INT32' | 'BOOLEAN') => ({
      name,
      data,
      type,
    });
    await expectPlain(
      file(
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
      file(
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
    await expect(read([file('bad.parquet', 'PAR1 and nothing else')])).rejects.toMatchObject({
      code: 'PARQUET_INVALID',
    });
  });

  it('Arrow', async () => {
    const bytes = await arrowFile({
      columns: [
        { name: 'model', kind: 'text', values: ['a', 'b'] },
        { name: 't1', kind: 'int32', values: [1, 0] },
        { name: 't2', kind: 'bool', values: [false, false] },
        { name: 't3', kind: 'float64', values: [1, 1] },
      ],
    });
    await expectPlain(file('wide.arrow', bytes));
  });

  it('takes clusters and families from their own files', async () => {
    const path = file('wide.csv', 'model,t1,t2,t3\na,1,0,1\nb,0,0,1\n');
    const { matrix, inputs } = await read([path], {
      clusters: file('clusters.csv', 'task,cluster\nt1,x\nt3,x\n'),
      families: file('families.csv', 'family,task\nf,t1\ng,t2\nf,t3\n'),
    });
    expect(matrix.clusters).toEqual(['x', 't2', 'x']);
    expect(matrix.families).toEqual(['f', 'g', 'f']);
    expect(inputs.map(({ role }) => role)).toEqual(['scores', 'clusters', 'families']);
  });

  it.each([
    [
      'two labels',
      'task,cluster\nt1,x\nt2,x\nt1,y\n',
      /line 4: task "t1" has cluster "y", earlier "x"/,
    ],
    ['no label', 'task,cluster\nt1,x\nt2,\n', /c\.csv, line 3: task "t2" has no cluster/],
    ['no name', 'task,cluster\n,x\n', /c\.csv, line 2: a row names no task/],
    ['tasks of another matrix', 'task,cluster\nT1,x\n', /clusters names "T1", no task of .*w\.csv/],
    ['no row', 'task,cluster\n', /clusters names no task/],
  ])('refuses labels with %s', async (_, text, message) => {
    const path = file('w.csv', 'model,t1,t2\na,1,0\nb,0,0\n');
    await expect(read([path], { clusters: file('c.csv', text) })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('takes a label that is said twice', async () => {
    const path = file('w.csv', 'model,t1,t2\na,1,0\nb,0,0\n');
    const clusters = file('c.csv', 'task,cluster\nt1,x\nt1,x\nother,z\n');
    expect((await read([path], { clusters })).matrix.clusters).toEqual(['x', 't2']);
  });

  it('names a real-valued cell, and rounds on request', async () => {
    const path = file('real.csv', 'model,t1,t2\na,0.25,0.5\nb,1,0\n');
    await expect(read([path])).rejects.toMatchObject({
      code: 'CELL_NOT_INTEGER',
      message: expect.stringMatching(/line 2: model "a", task "t1" is "0.25"/),
    });
    const { matrix } = await read([path], { quantize: 100 });
    expect([...matrix.values]).toEqual([25, 50, 100, 0]);
    await expect(read([file('gap.csv', 'model,t1,t2\na,1,\nb,1,0\n')])).rejects.toMatchObject({
      code: 'INCOMPLETE',
      exit: 3,
    });
    const gap = await read([file('gap.csv', 'model,t1,t2\na,1,\nb,1,0\n')], { commonTasks: true });
    expect([gap.matrix.tasks, gap.dropped]).toEqual([['t1'], 1]);
  });

  it('refuses the options of logs', async () => {
    const path = file('wide.csv', 'model,t1\na,1\n');
    for (const option of [{ metric: 'acc' }, { filter: 'none' }])
      await expect(read([path], option)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('refuses two matrices, one column, and labels without their column', async () => {
    const path = file('wide.csv', 'model,t1\na,1\n');
    await expect(read([path, path])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(read([file('one.csv', 'model\na\n')])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
    });
    await expect(read([file('semicolons.csv', 'model;t1\na;1\n')])).rejects.toMatchObject({
      message: expect.stringContaining('has one column, "model;t1"'),
      hint: expect.stringMatching(/^Separate columns with commas/),
    });
    await expect(read([path], { clusters: path })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
    });
    await expect(read([])).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('lm-evaluation-harness sample logs', () => {
  const row = (id: number, acc: number, more: object = {}) => ({
    doc_id: id,
    doc: { question: `q${id}` },
    target: '0',
    arguments: {},
    resps: [['x']],
    filtered_resps: ['x'],
    filter: 'none',
    metrics: ['acc', 'acc_norm'],
    doc_hash: `hash-${id}`,
    acc,
    acc_norm: 1 - acc,
    ...more,
  });
  const log = (model: string, task: string, rows: object[]) =>
    file(
      `${model}/samples_${task}_2026-05-01T10-00-00.000000.jsonl`,
      `${rows.map((r) => JSON.stringify(r)).join('\n')}\n`,
    );

  it('joins models by folder and documents by id, families by task', async () => {
    const paths = [
      log('one', 'arc_easy', [row(0, 1), row(1, 0)]),
      log('one', 'piqa', [row(0, 1)]),
      log('two', 'arc_easy', [row(1, 1), row(0, 0)]),
      log('two', 'piqa', [row(0, 0)]),
    ];
    const { matrix, kind, readings } = await read(paths);
    expect(kind).toBe('lm-evaluation-harness logs');
    expect(readings).toEqual([
      { family: 'arc_easy', metric: 'acc', filter: 'none' },
      { family: 'piqa', metric: 'acc', filter: 'none' },
    ]);
    expect(readingWords(readings)).toBe('Scores are "acc" (filter "none").');
    expect(matrix.models).toEqual(['one', 'two']);
    expect(matrix.tasks).toEqual(['arc_easy/0', 'arc_easy/1', 'piqa/0']);
    expect(matrix.families).toEqual(['arc_easy', 'arc_easy', 'piqa']);
    expect([...matrix.values]).toEqual([1, 0, 1, 0, 1, 0]);
    expect([...(await read(paths, { metric: 'acc_norm' })).matrix.values]).toEqual([
      0, 1, 0, 1, 0, 1,
    ]);
    await expect(read(paths, { metric: 'bleu' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('no metric "bleu"; there is "acc", "acc_norm"'),
    });
  });

  it('keeps one filter', async () => {
    const rows = [
      row(0, 1),
      row(0, 0, { filter: 'strict' }),
      row(1, 0),
      row(1, 1, { filter: 'strict' }),
    ];
    const paths = [log('one', 'gsm8k', rows), log('two', 'gsm8k', rows)];
    expect([...(await read(paths)).matrix.values]).toEqual([1, 0, 1, 0]);
    expect([...(await read(paths, { filter: 'strict' })).matrix.values]).toEqual([0, 1, 0, 1]);
    await expect(read(paths, { filter: 'other' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('there is "none", "strict"'),
    });
  });

  it('says which metric stands for which evaluation, and refuses two for one', async () => {
    const exact = row(0, 1, { metrics: ['exact_match'], exact_match: 1, filter: 'strict' });
    const { readings } = await read([
      log('one', 'piqa', [row(0, 1)]),
      log('one', 'gsm8k', [exact]),
      log('two', 'piqa', [row(0, 0)]),
      log('two', 'gsm8k', [exact]),
    ]);
    expect(readingWords(readings)).toBe(
      'Scores are "acc" (filter "none") in piqa; "exact_match" (filter "strict") in gsm8k.',
    );
    const turned = row(0, 1, { metrics: ['acc_norm', 'acc'] });
    await expect(
      read([log('one', 'piqa', [row(0, 1)]), log('two', 'piqa', [turned])]),
    ).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(/"piqa" is scored by "acc_norm".*two.*by "acc".*one/),
    });
  });

  it('names both files where a model was run twice', async () => {
    const first = log('one', 'piqa', [row(0, 1), row(1, 1)]);
    const second = file(
      'one/samples_piqa_2026-06-01T10-00-00.000000.jsonl',
      `${JSON.stringify(row(1, 1))}\n`,
    );
    await expect(read([first, second])).rejects.toMatchObject({
      code: 'CELL_DUPLICATE',
      message: expect.stringContaining(`first in ${first}, line 2`),
      where: { file: second, line: 1 },
    });
  });

  it('refuses runs whose ids stand for other documents', async () => {
    const paths = [
      log('one', 'mmlu', [row(0, 1)]),
      log('two', 'mmlu', [row(0, 1, { doc_hash: 'shuffled' })]),
    ];
    await expect(read(paths)).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('mmlu/0'),
    });
  });

  it('drops samples some model lacks, only when asked', async () => {
    const paths = [log('one', 'boolq', [row(0, 1), row(1, 1)]), log('two', 'boolq', [row(0, 1)])];
    await expect(read(paths)).rejects.toMatchObject({
      code: 'INCOMPLETE',
      hint: expect.stringContaining('--common-tasks'),
    });
    const { matrix, dropped } = await read(paths, { commonTasks: true });
    expect(matrix.tasks).toEqual(['boolq/0']);
    expect(dropped).toBe(1);
  });
});

describe('inspect_ai logs', () => {
  const log = (model: string, samples: object[], more: object = {}) =>
    file(
      `${model}.json`,
      JSON.stringify(
        { version: 2, status: 'success', eval: { task: 'security', model }, samples, ...more },
        null,
        2,
      ),
    );
  const sample = (id: string | number, value: unknown, epoch = 1) => ({
    id,
    epoch,
    input: `question ${id}`,
    target: 'x',
    scores: { match: { value, answer: 'x' }, model_graded: { value: 1 } },
  });

  it('reads grades, numbers and epochs; epochs of a sample are one cluster', async () => {
    const paths = [
      log('openai/x', [
        sample('s1', 'C'),
        sample('s1', 'I', 2),
        sample('s2', true),
        sample('s2', 1, 2),
      ]),
      log('local/y', [
        sample('s1', 'N'),
        sample('s1', 'C', 2),
        sample('s2', 0),
        sample('s2', false, 2),
      ]),
    ];
    const { matrix, kind, readings } = await read(paths);
    expect(kind).toBe('inspect_ai logs');
    expect(readings).toEqual([{ family: 'security', metric: 'match', filter: null }]);
    await expect(read(paths, { metric: 'judge' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('no scorer "judge"; there is "match", "model_graded"'),
    });
    await expect(read(paths, { filter: 'none' })).rejects.toMatchObject({ code: 'USAGE' });
    expect(matrix.tasks).toEqual(['security/s1', 'security/s1#2', 'security/s2', 'security/s2#2']);
    expect(matrix.clusters).toEqual(['security/s1', 'security/s1', 'security/s2', 'security/s2']);
    expect([...matrix.values]).toEqual([1, 0, 1, 1, 0, 1, 0, 0]);
    expect([...(await read(paths, { metric: 'model_graded' })).matrix.values]).toEqual(
      Array(8).fill(1),
    );
  });

  it('refuses an unfinished run, a log without samples and a value that is no number', async () => {
    const one = (more: object, samples: object[] = [sample(1, 'C')]) =>
      read([log('m', samples, more)]);
    await expect(one({ status: 'error' })).rejects.toMatchObject({ code: 'INCOMPLETE', exit: 3 });
    await expect(one({ samples: null })).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    await expect(one({}, [sample(1, { a: 1 })])).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    await expect(one({}, [sample(1, 'constructor')])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('found "constructor"'),
    });
    await expect(one({}, [sample(1, 'P')])).rejects.toMatchObject({ code: 'CELL_NOT_INTEGER' });
  });
});

describe('promptfoo results', () => {
  const row = (provider: string, test: number, score: number, prompt = 'say {{x}}') => ({
    provider: { id: provider, label: '' },
    prompt: { raw: prompt, label: prompt },
    promptIdx: 0,
    testIdx: test,
    vars: { x: test },
    score,
    success: score > 0,
    namedScores: { tone: 1 - score },
  });
  const save = (rows: object[]) =>
    file('out.json', JSON.stringify({ evalId: 'e', results: { version: 3, results: rows } }));

  it('reads providers by tests; a repeat is one more cell of its test', async () => {
    const rows = [
      row('p:a', 0, 1),
      row('p:b', 0, 0),
      row('p:a', 1, 0),
      row('p:b', 1, 1),
      row('p:a', 0, 0),
      row('p:b', 0, 1),
    ];
    const { matrix, kind, readings } = await read([save(rows)]);
    expect(kind).toBe('promptfoo logs');
    expect(readings).toEqual([{ family: 'promptfoo', metric: 'score', filter: null }]);
    await expect(read([save(rows)], { metric: 'wit' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('no named score "wit"; there is "tone"'),
    });
    expect(matrix.models).toEqual(['p:a', 'p:b']);
    expect(matrix.tasks).toEqual(['promptfoo/0', 'promptfoo/1', 'promptfoo/0#2']);
    expect(matrix.clusters).toEqual(['promptfoo/0', 'promptfoo/1', 'promptfoo/0']);
    expect([...matrix.values]).toEqual([1, 0, 0, 0, 1, 1]);
    expect([...(await read([save(rows)], { metric: 'tone' })).matrix.values]).toEqual([
      0, 1, 1, 1, 0, 0,
    ]);
  });

  it('takes a provider under two prompts for two models', async () => {
    const rows = [row('p', 0, 1, 'short'), row('p', 0, 0, 'long')];
    expect((await read([save(rows)])).matrix.models).toEqual(['p | short', 'p | long']);
  });

  it('refuses other JSON, a row without a score, and logs of two kinds', async () => {
    const other = file('other.json', '{"results": [1, 2]}');
    await expect(read([other])).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    await expect(read([save([row('p', 0, 1), { provider: 'q' }])])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('results[1]'),
    });
  });
});
