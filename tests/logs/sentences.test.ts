import { describe, expect, it } from 'vitest';
import { matrixFromLogs } from '../../src/core/matrix-logs.js';
import { cellTexts, logFile, readFiles } from '../support/log-files.js';

/** Sentences of reading 2.1 to 2.9 that no other test of logs holds, one a test. */
describe('inspect_ai (reading 2.1)', () => {
  it('takes the first scorer, each epoch as an attempt, and the mean over all epochs where only reductions are left', async () => {
    const header = { version: 2, status: 'success', eval: { model: 'm', task: 't', run_id: 'r', created: '2026' } };
    const sample = (epoch: number, value: string) => ({
      ...{ id: 's', epoch, input: 'x', target: 'y', scores: { match: { value }, judge: { value: 'I' } } },
    });
    const whole = logFile('a.json', { ...header, samples: [sample(1, 'C'), sample(2, 'P'), sample(3, '0.25')] });
    expect(cellTexts(await readFiles([whole]))).toEqual(['m t/s#1 1', 'm t/s#2 0.5', 'm t/s#3 0.25']);
    const reductions = [{ scorer: 'match', reducer: 'mean', samples: [{ sample_id: 's', value: 0.75 }] }];
    const reduced = logFile('a.json', { ...header, reductions });
    expect(cellTexts(await readFiles([reduced]))).toEqual(['m t/s#1 0.75']);
  });
});

describe('lm-evaluation-harness (reading 2.2)', () => {
  it('takes the first of metrics', async () => {
    const row = { doc_id: 4, resps: [], filter: 'none', metrics: ['f1', 'acc'], acc: 1, f1: 0.5 };
    const file = logFile('m/samples_t_2026-01-01T00-00-00.0.jsonl', `${JSON.stringify(row)}\n`);
    const read = await readFiles([file]);
    expect([cellTexts(read), read.offers]).toEqual([
      ['m t/4#1 0.5'],
      [{ family: 't', metrics: ['f1', 'acc'], filters: ['none'] }],
    ]);
  });
});

describe('promptfoo (reading 2.3)', () => {
  const row = (provider: object, prompt: string, score: number, promptIdx: number) => ({
    ...{ provider, prompt: { raw: prompt, label: prompt }, promptIdx, testIdx: 0, score, success: score === 1 },
    ...{ failureReason: 0, response: { output: 'text' }, vars: { x: 1 } },
  });
  const models = async (rows: object[]) =>
    cellTexts(await readFiles([logFile('out.json', { results: { results: rows } })]));

  it('calls a provider by its label if it has one', async () => {
    expect(await models([row({ id: 'openai:x', label: 'ours' }, 'p', 1, 0)])).toEqual(['ours promptfoo/0#1 1']);
  });

  it('calls a model by provider and prompt where one test was put under several prompts', async () => {
    const rows = [row({ id: 'x' }, 'short', 1, 0), row({ id: 'x' }, 'long', 0, 1)];
    expect(await models(rows)).toEqual(['x | short promptfoo/0#1 1', 'x | long promptfoo/0#1 0']);
  });
});

describe('HELM (reading 2.4)', () => {
  const stat = (name: string, mean: number, count = 1) => ({ name: { name }, count, sum: mean * count, mean });
  const instance = (id: string, ...stats: object[]) => ({ instance_id: id, train_trial_index: 0, stats });

  it('joins an instance over its metric classes, takes the first metric asked for by name, and has no score without one', async () => {
    const rows = [
      instance('id1', stat('tokens', 7)),
      instance('id1', stat('f1', 0.5), stat('em', 1)),
      instance('id2', stat('f1', 0, 0)),
      instance('id3', stat('tokens', 3)),
      { ...instance('id1', stat('f1', 0)), perturbation: { name: 'typos' } },
    ];
    const files = [
      logFile('r/per_instance_stats.json', rows),
      {
        ...logFile('r/run_spec.json', {
          name: 's:a=b,model=lab_m',
          adapter_spec: { model: 'lab/m' },
          metric_specs: [{ args: {} }, { args: { names: ['f1', 'em'] } }],
        }),
        found: true,
      },
    ];
    const { cells, warnings } = await readFiles(files);
    expect(cellTexts({ cells })).toEqual(['lab/m s:a=b/id1#1 0.5', 'lab/m s:a=b/id2#1 null', 'lab/m s:a=b/id3#1 null']);
    expect(warnings).toEqual([expect.stringMatching(/^1 row of perturbed instances/)]);
  });
});

describe('SWE-bench (reading 2.5)', () => {
  it('has no verdict on an instance that is pending, and no cell for one that was not submitted', async () => {
    const lists = { submitted_ids: ['a', 'b'], resolved_ids: ['a'], pending_ids: ['b'], completed_ids: ['a', 'c'] };
    const file = logFile('m.run.json', lists);
    expect(cellTexts(await readFiles([file]))).toEqual(['m SWE-bench/a#1 1', 'm SWE-bench/b#1 null']);
    expect(cellTexts(await readFiles([file], { metric: 'resolved_of_submitted' }))).toEqual([
      'm SWE-bench/a#1 1',
      'm SWE-bench/b#1 0',
    ]);
  });
});

describe('alpaca_eval (reading 2.6)', () => {
  it('does not join judgements of two annotators', async () => {
    const file = (model: string, annotator: string) =>
      logFile(`${model}/annotations.json`, [
        { instruction: 'Write.', generator_1: 'r', generator_2: model, annotator, preference: 2 },
      ]);
    const { cells, offers } = await readFiles([file('m', 'a'), file('n', 'b')]);
    expect(() => matrixFromLogs(cells, {}, offers)).toThrow(
      '"against r" is scored by "b" here, by "a" in m/annotations.json',
    );
    const same = await readFiles([file('m', 'a'), file('n', 'a')]);
    expect(matrixFromLogs(same.cells, {}, same.offers).matrix.models).toEqual(['m', 'n']);
  });
});

describe('MTEB (reading 2.9)', () => {
  const task = (path: string) =>
    logFile(`${path}/A.json`, {
      ...{ task_name: 'A', mteb_version: '2' },
      scores: {
        test: [
          { hf_subset: 'de', main_score: 0.1 },
          { hf_subset: 'en', main_score: 0.2 },
        ],
      },
    });

  it('makes a subset a sample, and the subsets of a task one cluster', async () => {
    const { cells } = await readFiles([task('lab__m/0123456789abcdef')]);
    expect(cells.map(({ model, sample, cluster, value }) => [model, sample, cluster, value])).toEqual([
      ['lab/m', 'A/de', 'A', 0.1],
      ['lab/m', 'A/en', 'A', 0.2],
    ]);
  });

  it('calls the model by model_meta.json beside it', async () => {
    const meta = { ...logFile('x/0123456789abcdef/model_meta.json', { name: 'lab/other' }), found: true };
    const { cells } = await readFiles([task('x/0123456789abcdef'), meta]);
    expect(new Set(cells.map(({ model }) => model))).toEqual(new Set(['lab/other']));
  });
});
