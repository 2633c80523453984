import { describe, expect, it } from 'vitest';
import { readingWords } from '../../src/core/matrix-logs.js';
import { readAudit } from '../support/audit-source.js';
import { suiteFolder } from '../support/folders.js';

const { write: auditFile } = suiteFolder('audit-');

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
    auditFile(
      `${model}/samples_${task}_2026-05-01T10-00-00.000000.jsonl`,
      `${rows.map((r) => JSON.stringify(r)).join('\n')}\n`,
    );

  it('are joined by folder into models, by id into tasks, by task into families', async () => {
    const paths = [
      log('one', 'arc_easy', [row(0, 1), row(1, 0)]),
      log('one', 'piqa', [row(0, 1)]),
      log('two', 'arc_easy', [row(1, 1), row(0, 0)]),
      log('two', 'piqa', [row(0, 0)]),
    ];
    const { matrix, kind, readings } = await readAudit(paths);
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
    expect([...(await readAudit(paths, { metric: 'acc_norm' })).matrix.values]).toEqual([0, 1, 0, 1, 0, 1]);
    await expect(readAudit(paths, { metric: 'bleu' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('no metric "bleu"; there is "acc", "acc_norm"'),
    });
  });

  it('are read under the one filter that is named', async () => {
    const rows = [row(0, 1), row(0, 0, { filter: 'strict' }), row(1, 0), row(1, 1, { filter: 'strict' })];
    const paths = [log('one', 'gsm8k', rows), log('two', 'gsm8k', rows)];
    expect([...(await readAudit(paths)).matrix.values]).toEqual([1, 0, 1, 0]);
    expect([...(await readAudit(paths, { filter: 'strict' })).matrix.values]).toEqual([0, 1, 0, 1]);
    await expect(readAudit(paths, { filter: 'other' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('there is "none", "strict"'),
    });
  });

  it('are refused with two metrics for one evaluation, and the audit says which metric was taken', async () => {
    const exact = row(0, 1, { metrics: ['exact_match'], exact_match: 1, filter: 'strict' });
    const { readings } = await readAudit([
      log('one', 'piqa', [row(0, 1)]),
      log('one', 'gsm8k', [exact]),
      log('two', 'piqa', [row(0, 0)]),
      log('two', 'gsm8k', [exact]),
    ]);
    expect(readingWords(readings)).toBe(
      'Scores are "acc" (filter "none") in piqa; "exact_match" (filter "strict") in gsm8k.',
    );
    const turned = row(0, 1, { metrics: ['acc_norm', 'acc'] });
    await expect(readAudit([log('one', 'piqa', [row(0, 1)]), log('two', 'piqa', [turned])])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(/two.*"piqa" is scored by "acc_norm".*by "acc".*one/),
    });
  });

  it('are refused where a model was run twice, both files named', async () => {
    const first = log('one', 'piqa', [row(0, 1), row(1, 1)]);
    const second = auditFile('one/samples_piqa_2026-06-01T10-00-00.000000.jsonl', `${JSON.stringify(row(1, 1))}\n`);
    await expect(readAudit([first, second])).rejects.toMatchObject({
      code: 'CELL_DUPLICATE',
      message: expect.stringContaining(`first in ${first}, line 2`),
      hint: expect.stringContaining('leave one file out, or give each run a name of its own'),
      where: { file: second, line: 1 },
    });
  });

  it('are refused where their ids stand for other documents', async () => {
    const paths = [log('one', 'mmlu', [row(0, 1)]), log('two', 'mmlu', [row(0, 1, { doc_hash: 'shuffled' })])];
    await expect(readAudit(paths)).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('mmlu/0'),
    });
  });

  it('lose the samples that some model lacks only when that is asked for', async () => {
    const paths = [log('one', 'boolq', [row(0, 1), row(1, 1)]), log('two', 'boolq', [row(0, 1)])];
    await expect(readAudit(paths)).rejects.toMatchObject({
      code: 'INCOMPLETE',
      hint: expect.stringContaining('--missing common-tasks'),
    });
    const { matrix, dropped } = await readAudit(paths, { missing: 'common-tasks' });
    expect(matrix.tasks).toEqual(['boolq/0']);
    expect(dropped).toBe(1);
  });
});

describe('inspect_ai logs', () => {
  const log = (model: string, samples: object[], more: object = {}) =>
    auditFile(
      `${model}.json`,
      JSON.stringify({ version: 2, status: 'success', eval: { task: 'security', model }, samples, ...more }, null, 2),
    );
  const sample = (id: string | number, value: unknown, epoch = 1) => ({
    id,
    epoch,
    input: `question ${id}`,
    target: 'x',
    scores: { match: { value, answer: 'x' }, model_graded: { value: 1 } },
  });

  it('are read with grades, numbers and epochs; the epochs of a sample are attempts at one cell', async () => {
    const paths = [
      log('openai/x', [sample('s1', 'C'), sample('s1', 'I', 2), sample('s2', true), sample('s2', 1, 2)]),
      log('local/y', [sample('s1', 'N'), sample('s1', 'C', 2), sample('s2', 0), sample('s2', false, 2)]),
    ];
    const { matrix, kind, readings, attempts } = await readAudit(paths);
    expect(kind).toBe('inspect_ai logs');
    expect(readings).toEqual([{ family: 'security', metric: 'match', filter: null }]);
    await expect(readAudit(paths, { metric: 'judge' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('no scorer "judge"; there is "match", "model_graded"'),
    });
    await expect(readAudit(paths, { filter: 'none' })).rejects.toMatchObject({ code: 'USAGE' });
    expect(matrix.tasks).toEqual(['security/s1', 'security/s2']);
    expect(matrix.clusters).toEqual(matrix.tasks);
    expect([[...matrix.values], matrix.scale]).toEqual([[1, 2, 1, 0], 2]);
    expect(attempts).toEqual({ count: 2, values: Float64Array.of(1, 0, 1, 1, 0, 1, 0, 0), scale: 1 });
    expect([...(await readAudit(paths, { metric: 'model_graded' })).matrix.values]).toEqual([2, 2, 2, 2]);
    const first = await readAudit(paths, { attempts: 1 });
    expect([[...first.matrix.values], first.matrix.scale, first.attempts]).toEqual([[1, 1, 0, 0], 1, undefined]);
  });

  it('are refused with unequal numbers of epochs, every such cell named', async () => {
    const paths = [
      log('x', [sample('s1', 'C', 2), sample('s1', 'I', 1), sample('s2', 1), sample('s2', 1, 2)]),
      log('y', [sample('s1', 'N'), sample('s2', 0), sample('s2', 1, 2)]),
    ];
    await expect(readAudit(paths)).rejects.toMatchObject({
      code: 'ATTEMPTS_UNEQUAL',
      exit: 3,
      message: expect.stringContaining(
        '2 attempts at most cells, another number at 1 cell: "y" "security/s1" (1 attempt)',
      ),
      hint: expect.stringContaining('--attempts 1'),
    });
    expect([...(await readAudit(paths, { attempts: 1 })).matrix.values]).toEqual([0, 1, 0, 0]);
    await expect(readAudit(paths, { attempts: 2 })).rejects.toMatchObject({
      code: 'INCOMPLETE',
      message: expect.stringContaining('"y" "security/s1" (1 of 2 attempts'),
    });
    for (const attempts of [2, undefined]) {
      const common = await readAudit(paths, { attempts, missing: 'common-tasks' });
      expect([common.matrix.tasks, [...common.matrix.values]]).toEqual([['security/s2'], [2, 1]]);
    }
  });

  it('keep samples apart whose joined names would be one', async () => {
    const of = (model: string, task: string, id: string) =>
      log(`${model}-${task}-${id}`, [sample(id, 'C')], { eval: { model, task } });
    const paths = ['x', 'y'].flatMap((model) => [of(model, 'a/b', 'c'), of(model, 'a', 'b/c')].map((path) => path));
    const { matrix } = await readAudit(paths);
    expect(matrix.tasks).toEqual(['"a/b"/"c"', '"a"/"b/c"']);
    expect(matrix.families).toEqual(['a/b', 'a']);
  });

  it('are refused for an unfinished run, a log without samples and a value that is no number', async () => {
    const one = (more: object, samples: object[] = [sample(1, 'C')]) => readAudit([log('m', samples, more)]);
    await expect(one({ status: 'error' })).rejects.toMatchObject({ code: 'INCOMPLETE', exit: 3 });
    await expect(one({ samples: null })).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    await expect(one({}, [sample(1, [1, 0])])).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    await expect(one({}, [sample(1, 'constructor')])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('found "constructor"'),
    });
    expect([...(await one({}, [sample(1, 'P'), sample(2, 'C')])).matrix.values]).toEqual([5, 10]);
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
    auditFile('out.json', JSON.stringify({ evalId: 'e', results: { version: 3, results: rows } }));

  it('are read as providers x tests; a repeat is one more attempt at its test', async () => {
    const rows = [
      row('p:a', 0, 1),
      row('p:b', 0, 0),
      row('p:a', 1, 0),
      row('p:b', 1, 1),
      row('p:a', 0, 0),
      row('p:b', 0, 1),
      row('p:a', 1, 1),
      row('p:b', 1, 1),
    ];
    const { matrix, kind, readings } = await readAudit([save(rows)]);
    expect(kind).toBe('promptfoo logs');
    expect(readings).toEqual([{ family: 'promptfoo', metric: 'score', filter: null }]);
    await expect(readAudit([save(rows)], { metric: 'wit' })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('no score is called "wit"; there is "score", "success", "tone"'),
    });
    expect(matrix.models).toEqual(['p:a', 'p:b']);
    expect(matrix.tasks).toEqual(['promptfoo/0', 'promptfoo/1']);
    expect(matrix.clusters).toEqual(['promptfoo/0', 'promptfoo/1']);
    expect([...matrix.values]).toEqual([1, 1, 1, 2]);
    expect([...(await readAudit([save(rows)], { metric: 'tone' })).matrix.values]).toEqual([1, 1, 1, 0]);
  });

  it('count a provider under two prompts as two models', async () => {
    const rows = [row('p', 0, 1, 'short'), row('p', 0, 0, 'long')];
    expect((await readAudit([save(rows)])).matrix.models).toEqual(['p | short', 'p | long']);
    const joined = [row('p | a', 0, 1, 'b'), row('p', 0, 0, 'a | b'), row('p', 0, 0, 'b'), row('p | a', 0, 0, 'a | b')];
    expect((await readAudit([save(joined)])).matrix.models).toEqual([
      '"p | a" | "b"',
      '"p" | "a | b"',
      '"p" | "b"',
      '"p | a" | "a | b"',
    ]);
  });

  it('are refused with other JSON, a row without a score, and logs of two kinds', async () => {
    const other = auditFile('other.json', '{"results": [1, 2]}');
    await expect(readAudit([other])).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    await expect(readAudit([save([row('p', 0, 1), { provider: 'q' }])])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('results[1]'),
    });
  });
});
