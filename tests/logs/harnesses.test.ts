import { describe, expect, it } from 'vitest';
import { cellTexts, logFile, readFiles } from '../support/log-files.js';

describe('lm-evaluation-harness, names of files', () => {
  const row = (id: number) => ({
    doc_id: id,
    doc: {},
    target: '1',
    arguments: [],
    resps: [['x']],
    filtered_resps: ['x'],
    acc: 1,
  });
  const lines = `${JSON.stringify({ ...row(0), metrics: ['acc'] })}\n`;
  const models = async (files: Parameters<typeof readFiles>[0]) =>
    (await readFiles(files)).cells.map(({ model, family }) => `${model} on ${family}`);

  it('the results of the run give the full name where the folder is named after it', async () => {
    const samples = (folder: string) => logFile(`${folder}/samples_arc_easy_2026-01-01T00-00-00.1.jsonl`, lines);
    const results = (folder: string, time: string, model_name: string) => ({
      ...logFile(`${folder}/results_${time}.json`, { model_name }),
      found: true,
    });
    expect(await models([samples('lab__m'), results('lab__m', '2026-01-01T00-00-00.1', 'lab/m')])).toEqual([
      'lab/m on arc_easy',
    ]);
    expect(await models([samples('mine'), results('mine', '2026-01-01T00-00-00.1', 'lab/m')])).toEqual([
      'mine on arc_easy',
    ]);
    expect(await models([samples('lab__m'), results('lab__m', '2025-01-01T00-00-00.0', 'lab/m')])).toEqual([
      'lab/m on arc_easy',
    ]);
    expect(await models([samples('lab__m')])).toEqual(['lab__m on arc_easy']);
  });

  it('runs that were told to write into a file have no folder of their own', async () => {
    const files = ['1', '2'].flatMap((n) => [
      logFile(`out/samples_t_2026-01-0${n}T00-00-00.0.jsonl`, lines),
      { ...logFile(`out/run_2026-01-0${n}T00-00-00.0.json`, { model_name: `lab/m${n}` }), found: true },
    ]);
    expect(await models(files)).toEqual(['lab/m1 on t', 'lab/m2 on t']);
  });

  it('early versions wrote one list, named after model and task', async () => {
    const list = JSON.stringify([row(0), row(1)], null, 2);
    const results = {
      ...logFile('out/results.json', { results: { easy: {}, arc_easy: {} }, configs: {} }),
      found: true,
    };
    expect(await models([logFile('out/pretrained__lab__m_arc_easy.jsonl', list), results])).toEqual([
      'lab__m on arc_easy',
      'lab__m on arc_easy',
    ]);
    expect(await models([logFile('lab-m/arc_easy.jsonl', list)])).toEqual(['lab-m on arc_easy', 'lab-m on arc_easy']);
    await expect(readFiles([logFile('m/t.jsonl', JSON.stringify([row(0), { doc_id: 1 }]))])).rejects.toMatchObject({
      message: expect.stringContaining('m/t.jsonl: [1]: is no sample'),
    });
  });

  it('answers that were taken down and not scored have no score', async () => {
    const text = `${JSON.stringify({ doc_id: 0, resps: [['x']], metrics: ['bypass'], bypass: 999 })}\n`;
    await expect(readFiles([logFile('m/samples_t_2026-01-01T00-00-00.0.jsonl', text)])).rejects.toMatchObject({
      hint: expect.stringContaining('--predict_only'),
    });
  });
});

describe('promptfoo, rows', () => {
  const row = (more: object = {}) => ({
    promptIdx: 0,
    testIdx: 0,
    provider: { id: 'p', label: '' },
    prompt: { raw: 'say x', label: 'say {{x}}' },
    vars: { x: 1 },
    response: { output: 'text' },
    success: true,
    score: 1,
    failureReason: 0,
    namedScores: {},
    ...more,
  });
  const read = (rows: object[], options = {}) =>
    readFiles([logFile('out.json', { results: { results: rows } })], options);
  const values = async (rows: object[], options = {}) => (await read(rows, options)).cells.map(({ value }) => value);

  it('an error of the provider is missing in every version; a rejected or empty answer is not', async () => {
    const failed = { success: false, score: 0 };
    const rows = [
      row({ ...failed, failureReason: 2, response: { output: '' }, error: '504' }),
      row({ ...failed, testIdx: 1, failureReason: 0, response: { error: '429' }, error: '429' }),
      row({ ...failed, testIdx: 2, failureReason: 0, response: undefined, error: 'timeout' }),
      row({ ...failed, testIdx: 3, failureReason: undefined, response: undefined, error: 'timeout' }),
      row({ ...failed, testIdx: 4, failureReason: 1, error: 'Expected output to contain "x"' }),
      row({ ...failed, testIdx: 5, failureReason: 1, response: { output: '' }, error: 'Expected output' }),
    ];
    expect(await values(rows)).toEqual([null, null, null, null, 0, 0]);
  });

  it('a grader without a verdict leaves no score, but those of other assertions', async () => {
    const gradingResult = {
      pass: false,
      componentResults: [
        { pass: true, assertion: { metric: 'form' } },
        { pass: false, assertion: { metric: 'tone' }, metadata: { graderError: true } },
      ],
    };
    const rows = [
      row({ score: 0.5, success: false, failureReason: 1, gradingResult, namedScores: { form: 1, tone: 0 } }),
    ];
    expect(await values(rows)).toEqual([null]);
    expect(await values(rows, { metric: 'tone' })).toEqual([null]);
    expect(await values(rows, { metric: 'form' })).toEqual([1]);
  });

  it('the same test under another index is one more attempt; another assertion is another test', async () => {
    const testCase = (value: string) => ({ vars: { x: 1 }, assert: [{ type: 'equals', value }] });
    const rows = [
      row({ testCase: testCase('a') }),
      row({ testCase: testCase('a'), testIdx: 1 }),
      row({ testCase: testCase('b'), testIdx: 2 }),
    ];
    expect(cellTexts(await read(rows))).toEqual(['p promptfoo/0#1 1', 'p promptfoo/0#2 1', 'p promptfoo/2#1 1']);
  });

  it('a provider that stands there twice with other settings is two models', async () => {
    const rows = [row(), row({ promptIdx: 1, score: 0, success: false, failureReason: 1 })];
    expect(cellTexts(await read(rows))).toEqual(['p (column 1) promptfoo/0#1 1', 'p (column 2) promptfoo/0#1 0']);
  });

  it('a named score that a test does not have leaves the test out', async () => {
    const rows = [row({ namedScores: { tone: 0.5 } }), row({ testIdx: 1 })];
    expect(cellTexts(await read(rows, { metric: 'tone' }))).toEqual(['p promptfoo/0#1 0.5']);
    expect(await values(rows, { metric: 'success' })).toEqual([1, 1]);
  });
});

describe('SWE-bench, reports', () => {
  const report = (name: string, lists: object) => logFile(name, lists);

  it('an empty patch is not resolved; errors of any kind have no verdict, or count as leaderboards count them', async () => {
    const lists = {
      submitted_ids: ['a', 'b', 'c', 'd', 'e', 'f'],
      resolved_ids: ['a'],
      unresolved_ids: ['b', 'f'],
      empty_patch_ids: ['c'],
      error_ids: ['d'],
      infra_failure_ids: ['e'],
      ambiguous_failure_ids: ['f'],
      incomplete_ids: ['g'],
    };
    const values = async (options = {}) =>
      (await readFiles([report('m.run.json', lists)], options)).cells.map(({ value }) => value);
    expect(await values()).toEqual([1, 0, 0, null, null, 0]);
    expect(await values({ metric: 'resolved_of_submitted' })).toEqual([1, 0, 0, 0, 0, 0]);
    await expect(values({ metric: 'applied' })).rejects.toMatchObject({
      message: expect.stringContaining('no metric "applied"'),
    });
  });

  it('without a list of what was submitted, all lists together are it', async () => {
    const lists = { resolved_ids: ['a'], unresolved_ids: ['b'], empty_patch_ids: ['c'], error_ids: [] };
    expect(cellTexts(await readFiles([report('m/grading_results.json', lists)]))).toEqual([
      'm SWE-bench/a#1 1',
      'm SWE-bench/b#1 0',
      'm SWE-bench/c#1 0',
    ]);
  });

  it.each([
    ['lab__m-4.5.nightly.json', 'lab__m-4.5'],
    ['lab__m-4.5.json', 'lab__m-4.5'],
    ['lab__m.json', 'lab__m'],
    ['m/final_report.json', 'm'],
  ])('%s is of model %s', async (name, model) => {
    const { cells } = await readFiles([report(name, { submitted_ids: ['a'], resolved_ids: [] })]);
    expect(cells[0]!.model).toBe(model);
  });

  it.each([
    ['an id twice', { submitted_ids: ['a', 'a'], resolved_ids: [] }, /submitted_ids: "a" stands twice/],
    [
      'a list that is none',
      { submitted_ids: 3, resolved_ids: [] },
      /submitted_ids: a list of instance ids expected, found 3/,
    ],
    [
      'resolved and failed',
      { submitted_ids: ['a'], resolved_ids: ['a'], error_ids: ['a'] },
      /"a" is also listed as failed/,
    ],
  ])('%s is refused', async (_, lists, message) => {
    await expect(readFiles([report('m.json', lists)])).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
  });
});

describe('files beside logs', () => {
  const stats = [{ instance_id: 'a', train_trial_index: 0, stats: [{ name: { name: 'em' }, count: 1, mean: 1 }] }];
  const files = [
    logFile('r/per_instance_stats.json', stats),
    logFile('r/run_spec.json', {
      name: 's:model=m',
      adapter_spec: { model: 'm' },
      metric_specs: [{ args: { names: ['em'] } }],
    }),
  ];

  it('that name its model are no strangers, and inputs as the logs are', async () => {
    const read = await readFiles(files);
    expect([cellTexts(read), read.others, read.logs.map(({ name }) => name)]).toEqual([
      ['m s/a#1 1'],
      [],
      ['r/per_instance_stats.json', 'r/run_spec.json'],
    ]);
  });

  it('that say nothing are refused where they were named', async () => {
    const scenario = logFile('r/scenario.json', { name: 's' });
    await expect(readFiles([...files, scenario])).rejects.toMatchObject({
      where: { file: 'r/scenario.json' },
      hint: expect.stringContaining('in a folder, what is no log is passed over'),
    });
    expect((await readFiles([...files, { ...scenario, found: true }])).others).toEqual(['r/scenario.json']);
  });
});

describe('HELM, runs', () => {
  const stats = (id: string, trial: number, mean: number) => ({
    instance_id: id,
    train_trial_index: trial,
    stats: [{ name: { name: 'exact_match', split: 'test' }, count: 1, sum: mean, mean }],
  });

  it('trials are attempts; without a run_spec.json the folder names model and evaluation, and the metric must be named', async () => {
    const file = logFile('mmlu:subject=law,model=lab_m,groups=a/per_instance_stats.json', [
      stats('id1', 0, 1),
      stats('id1', 1, 0),
    ]);
    await expect(readFiles([file])).rejects.toMatchObject({
      message: expect.stringContaining('the run names no main metric; there is "exact_match"'),
    });
    expect(cellTexts(await readFiles([file], { metric: 'exact_match' }))).toEqual([
      'lab_m mmlu:subject=law,groups=a/id1#1 1',
      'lab_m mmlu:subject=law,groups=a/id1#2 0',
    ]);
    await expect(readFiles([{ ...file, folder: '/runs/x' }], { metric: 'exact_match' })).rejects.toMatchObject({
      message: expect.stringContaining('there is no run_spec.json beside it'),
    });
  });

  it('early versions wrote sum and count alone', async () => {
    const early = { ...stats('id1', 0, 1), stats: [{ name: { name: 'exact_match' }, count: 2, sum: 1 }] };
    const files = [
      logFile('r/per_instance_stats.json', [early]),
      { ...logFile('r/run_spec.json', { name: 'mmlu:model=lab_m', adapter_spec: { model: 'lab/m' } }), found: true },
    ];
    expect(cellTexts(await readFiles(files, { metric: 'exact_match' }))).toEqual(['lab/m mmlu/id1#1 0.5']);
  });
});

describe('alpaca_eval, annotations', () => {
  const row = (more: object) => ({
    instruction: 'Write.',
    generator_1: 'r',
    generator_2: 'm',
    annotator: 'a',
    preference: 1,
    ...more,
  });
  const read = (rows: object[], options = {}) => readFiles([logFile('annotations.json', rows)], options);

  it('draws are one half in both ways they are written; weighted preferences keep their decimals', async () => {
    const rows = [0, 1.5, 1.9, 2].map((preference, i) => row({ instruction: `Write ${i}.`, preference }));
    expect((await read(rows)).cells.map(({ value }) => value)).toEqual([0.5, 0.5, 0.9, 1]);
  });

  it('the annotator is the metric, and the first is taken', async () => {
    const rows = [row({}), row({ annotator: 'b', preference: 2 })];
    expect((await read(rows)).cells.map(({ metric, value }) => [metric, value])).toEqual([['a', 0]]);
    expect((await read(rows, { metric: 'b' })).cells.map(({ metric, value }) => [metric, value])).toEqual([['b', 1]]);
    await expect(read(rows, { metric: 'c' })).rejects.toMatchObject({
      message: expect.stringContaining('there is "a", "b"'),
    });
  });

  it('other references are other evaluations', async () => {
    const rows = [row({}), row({ generator_1: 's' })];
    expect((await read(rows)).cells.map(({ family }) => family)).toEqual(['against r', 'against s']);
  });
});

describe('EvalPlus, LiveCodeBench, MTEB, rliable', () => {
  it('EvalPlus: several solutions are attempts; base tests alone have no plus', async () => {
    const of = (statuses: string[]) => statuses.map((base_status) => ({ base_status, plus_status: null }));
    const file = logFile('m/eval_results.json', { eval: { 'Mbpp/2': of(['pass', 'timeout']) } });
    expect(cellTexts(await readFiles([file]))).toEqual(['m Mbpp/2#1 1', 'm Mbpp/2#2 0']);
    await expect(readFiles([file], { metric: 'plus' })).rejects.toMatchObject({
      message: expect.stringContaining('no metric "plus"; there is "base"'),
    });
  });

  it('LiveCodeBench: problems made of one question are its cluster', async () => {
    const rows = [0, 1].map((test_id) => ({ question_id: 'q', test_id, graded_list: [true] }));
    const { cells } = await readFiles([logFile('m/testoutputprediction_1_0.0_eval_all.json', rows)]);
    expect(cells.map(({ family, sample, cluster }) => [family, sample, cluster])).toEqual([
      ['testoutputprediction', 'q/0', 'q'],
      ['testoutputprediction', 'q/1', 'q'],
    ]);
  });

  it('MTEB: early files nest their scores and may lack a main score', async () => {
    const file = logFile('lab__m/STS.json', {
      mteb_dataset_name: 'STS',
      dataset_revision: 'a',
      test: { evaluation_time: 1, cos_sim: { spearman: 0.8 }, euclidean: { spearman: 0.7 } },
    });
    await expect(readFiles([file])).rejects.toMatchObject({
      message: expect.stringContaining('no main score; there is "evaluation_time", "cos_sim_spearman"'),
    });
    expect(cellTexts(await readFiles([file], { metric: 'cos_sim_spearman' }))).toEqual(['lab/m MTEB/STS#1 0.8']);
  });

  it('MTEB: a split can be asked for, and tasks without the metric are left out', async () => {
    const task = (name: string, scores: object) =>
      logFile(`m/${name}.json`, { task_name: name, mteb_version: '2', scores });
    const both = task('A', {
      test: [{ hf_subset: 'default', main_score: 0.1 }],
      dev: [{ hf_subset: 'default', main_score: 0.2, ndcg: 1 }],
    });
    const one = task('B', { dev: [{ hf_subset: 'default', main_score: 0.3 }] });
    expect((await readFiles([both, one])).cells.map(({ value }) => value)).toEqual([0.1, 0.3]);
    expect((await readFiles([both, one], { filter: 'dev' })).cells.map(({ value }) => value)).toEqual([0.2, 0.3]);
    expect(cellTexts(await readFiles([both, one], { filter: 'dev', metric: 'ndcg' }))).toEqual(['m MTEB/A#1 1']);
    await expect(readFiles([both, one], { metric: 'mrr' })).rejects.toMatchObject({
      message: expect.stringContaining('no metric "mrr"; there is "main_score"'),
    });
  });

  it('rliable: of several frames the last is taken, or the one that is named', async () => {
    const file = logFile('scores.json', {
      DQN: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      PPO: [
        [
          [5, 6],
          [7, null],
        ],
      ],
    });
    expect((await readFiles([file])).cells.map(({ value }) => value)).toEqual([2, 4, 6, null]);
    expect((await readFiles([file], { filter: '1' })).cells.map(({ value }) => value)).toEqual([1, 3, 5, 7]);
    await expect(readFiles([file], { filter: '3' })).rejects.toMatchObject({
      message: expect.stringContaining('there is "1", "2"'),
    });
  });
});
