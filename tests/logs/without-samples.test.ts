import { describe, expect, it } from 'vitest';
import { scoresOf } from '../../src/scores/read-scores.js';
import { cellTexts, logFile, readFiles } from '../support/log-files.js';

const RESULTS = {
  results: { arc_easy: { alias: 'arc_easy', 'acc,none': 0.5, 'acc_stderr,none': 0.01 } },
  configs: {},
  model_name: 'lab/m',
};
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('a file of a harness without scores on samples', () => {
  it.each([
    ['m/results_1.json', RESULTS, 'one mean an evaluation', '--log_samples'],
    [
      'evaluation_results.json',
      { humaneval: { 'pass@1': 0.31, 'pass@10': 0.45 }, config: { model: 'lab/m', n_samples: 20 } },
      'bigcode-evaluation-harness: means of a model (pass@k)',
      `jq -r '[.config.model, (del(.config) | to_entries[] | .value["pass@1"])] | @csv' evaluation_results.json`,
    ],
    [
      'r/results.json',
      { no_generation: ['a-1'], no_logs: [], resolved: ['a-2'] },
      'not what was submitted',
      'MODEL.RUN.json',
    ],
    [
      'preds.json',
      { 'a-1': { model_patch: 'diff', model_name_or_path: 'm' } },
      'which no test has judged',
      'MODEL.RUN.json',
    ],
    [
      'preds.jsonl',
      lines({ instance_id: 'a-1', model_patch: 'd' }, { instance_id: 'a-2', model_patch: 'e' }),
      'which no test has judged',
      'report',
    ],
    [
      'evals log.jsonl',
      lines(
        { spec: { completion_fns: ['m'], eval_name: 'e' } },
        { event_id: 0, sample_id: 's', type: 'match', data: { correct: true } },
      ),
      'OpenAI evals',
      "jq -c 'select(.data.correct? != null) | {model: \"NAME\", task: .sample_id, correct: .data.correct}' 'evals log.jsonl' > NAME.jsonl",
    ],
    [
      'battles.jsonl',
      lines({ model_a: 'x', model_b: 'y', winner: 'tie' }, { model_a: 'y', model_b: 'z', winner: 'model_a' }),
      'comparisons of two models each',
      'the columns model, task and value',
    ],
  ])('is called what it is: %s', async (name, data, what, hint) => {
    const file = logFile(name, data as string | object);
    await expect(scoresOf([file])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining(what),
      hint: expect.stringContaining(hint),
    });
  });

  it('is named where a folder holds nothing else', async () => {
    const files = ['a', 'b'].map((model) => ({ ...logFile(`${model}/results_1.json`, RESULTS), found: true }));
    await expect(readFiles(files)).rejects.toMatchObject({ hint: expect.stringContaining('--log_samples') });
  });
});

describe('evaluations of which one alone has several filters', () => {
  const row = (id: number, filter: string, more: object) => ({
    doc_id: id,
    resps: [['x']],
    filtered_resps: ['x'],
    filter,
    ...more,
  });
  const files = [
    logFile('m/samples_arc_1.jsonl', lines(row(0, 'none', { metrics: ['acc'], acc: 1 }))),
    logFile(
      'm/samples_gsm8k_1.jsonl',
      lines(
        row(0, 'strict-match', { metrics: ['exact_match'], exact_match: 0 }),
        row(0, 'flexible-extract', { metrics: ['exact_match'], exact_match: 1 }),
      ),
    ),
  ];

  it('are read together under a filter of that one', async () => {
    const texts = async (filter?: string) => cellTexts(await readFiles(files, filter === undefined ? {} : { filter }));
    expect(await texts()).toEqual(['m arc_1/0#1 1', 'm gsm8k_1/0#1 0']);
    expect(await texts('flexible-extract')).toEqual(['m arc_1/0#1 1', 'm gsm8k_1/0#1 1']);
    await expect(texts('strict')).rejects.toMatchObject({ hint: expect.stringContaining('--filter strict-match') });
  });
});

describe('two revisions of a model in results of MTEB', () => {
  const result = (revision: string, task: string, score: number) =>
    logFile(`out/lab__m/${revision}/${task}.json`, {
      task_name: task,
      mteb_version: '1.14',
      scores: { test: [{ hf_subset: 'default', main_score: score }] },
    });
  const [first, second] = ['0123abc', '9876fed'].map((revision, i) => [
    result(revision, 'STS', 0.5 + i / 10),
    result(revision, 'Arxiv', 0.25 + i / 10),
  ]) as [ReturnType<typeof result>[], ReturnType<typeof result>[]];

  it('are not mixed: both places are named, and one alone is read', async () => {
    await expect(scoresOf([...first, ...second])).rejects.toMatchObject({
      code: 'CELL_DUPLICATE',
      hint: expect.stringMatching(/leave out out\/lab__m\/0123abc or out\/lab__m\/9876fed/),
    });
    const { matrix } = await scoresOf(second);
    expect([matrix.models, matrix.tasks]).toEqual([['lab/m'], ['MTEB/STS', 'MTEB/Arxiv']]);
    expect(Array.from(matrix.values, (value) => value / matrix.scale)).toEqual([0.6, 0.35]);
  });
});
