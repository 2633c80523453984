import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { openZip } from '../../src/io/zip.js';
import { LOG_FORMATS, LOG_NAMES } from '../../src/logs/formats.js';
import { readLogs } from '../../src/logs/read-logs.js';
import { folderFiles } from '../support/log-files.js';

interface Expected {
  readonly kind: string;
  readonly family: string;
  readonly metric: string;
  readonly metrics: readonly string[];
  readonly filter?: string;
  readonly options?: { readonly metric?: string; readonly filter?: string };
  readonly models?: readonly string[];
  readonly samples: readonly string[];
  /** Of both models, sample by sample. */
  readonly values?: readonly (readonly (number | null)[])[];
  readonly warnings?: readonly RegExp[];
}

const GRADES: Expected['values'] = [
  [1, 0, 1, null],
  [0, 1, 1, 1],
];
const NUMBERS = ['1', '2', '3', '4'];
const IDS = ['0', '1', '2', '3'];

/** Fixtures (fixtures/logs/README.md says who defines each layout), and what they say. */
const FIXTURES: Record<string, Expected> = {
  'inspect-json': {
    kind: 'inspect_ai',
    family: 'capitals',
    metric: 'match',
    metrics: ['match', 'judge'],
    samples: NUMBERS,
  },
  'inspect-eval': {
    kind: 'inspect_ai',
    family: 'capitals',
    metric: 'match',
    metrics: ['match', 'judge'],
    samples: NUMBERS,
  },
  'lm-evaluation-harness': {
    kind: 'lm-evaluation-harness',
    family: 'sums',
    metric: 'exact_match',
    metrics: ['exact_match'],
    filter: 'strict-match',
    samples: IDS,
  },
  'promptfoo-json': {
    kind: 'promptfoo',
    family: 'promptfoo',
    metric: 'score',
    metrics: ['score', 'success', 'tone'],
    samples: IDS,
  },
  'promptfoo-json-lines': {
    kind: 'promptfoo',
    family: 'promptfoo',
    metric: 'score',
    metrics: ['score', 'success', 'tone'],
    samples: IDS,
  },
  helm: {
    kind: 'HELM',
    family: 'capitals:subject=europe,method=joint',
    metric: 'exact_match',
    metrics: ['exact_match', 'quasi_exact_match', 'num_prompt_tokens'],
    samples: ['id1', 'id2', 'id3', 'id4'],
    warnings: [/^1 row of perturbed instances in .* was left out$/, /1 row of perturbed instances/],
  },
  'swe-bench': {
    kind: 'SWE-bench',
    family: 'SWE-bench',
    metric: 'resolved',
    metrics: ['resolved', 'resolved_of_submitted'],
    models: ['lab__one', 'lab__two'],
    samples: ['owner__repo-1', 'owner__repo-2', 'owner__repo-3', 'owner__repo-4'],
    warnings: [/^1 instance of lab__one ended without a verdict and is missing; .*--metric resolved_of_submitted/],
  },
  'swe-bench-instances': {
    kind: 'SWE-bench',
    family: 'SWE-bench',
    metric: 'resolved',
    metrics: ['resolved', 'resolved_of_submitted'],
    models: ['lab__one', 'lab__two'],
    samples: ['owner__repo-1', 'owner__repo-2', 'owner__repo-3', 'owner__repo-4'],
  },
  'alpaca-eval': {
    kind: 'alpaca_eval',
    family: 'against reference-model',
    metric: 'judge_a',
    metrics: ['judge_a'],
    samples: [1, 2, 3, 4].map(() => expect.stringMatching(/^Write a limerick about the capital of co #[0-9a-f]{10}$/)),
    values: [
      [1, 0, 0.5, null],
      [0, 1, 0.5, 1],
    ],
  },
  evalplus: {
    kind: 'EvalPlus',
    family: 'HumanEval',
    metric: 'plus',
    metrics: ['plus', 'base'],
    models: ['lab__one_temp_0.0', 'lab__two_temp_0.0'],
    samples: IDS,
  },
  'evalplus-early': {
    kind: 'EvalPlus',
    family: 'HumanEval',
    metric: 'plus',
    metrics: ['plus', 'base'],
    models: ['lab__one', 'lab__two'],
    samples: IDS,
  },
  mteb: {
    kind: 'MTEB',
    family: 'MTEB',
    metric: 'main_score',
    metrics: ['main_score', 'accuracy'],
    samples: ['CityRetrieval', 'CountryClassification', 'RiverClassification/de', 'RiverClassification/en'],
    values: [
      [0.25, 0.8, null, 0.82],
      [0.81, 0.25, 0.83, 0.82],
    ],
  },
};

describe('logs of other harnesses', () => {
  it('are the fixtures that the script writes', () => {
    expect(execFileSync(process.execPath, ['fixtures/make-logs.js', '--check'], { encoding: 'utf8' })).toBe('');
  });

  it('are of twelve kinds, each with a fixture', () => {
    expect(LOG_FORMATS).toHaveLength(12);
    expect(LOG_NAMES).toHaveLength(10);
    const kinds = new Set([...Object.values(FIXTURES).map(({ kind }) => kind), 'LiveCodeBench', 'rliable']);
    expect([...kinds].sort()).toEqual([...LOG_NAMES].sort());
  });

  it.each(Object.entries(FIXTURES))(
    '%s: model, evaluation, sample and value; what failed is missing',
    async (name, said) => {
      const read = await readLogs(folderFiles(`fixtures/logs/${name}`), said.options);
      const models = said.models ?? ['lab/one', 'lab/two'];
      expect(read.kinds.map(({ name: kind }) => kind)).toEqual([said.kind]);
      expect(new Set(read.cells.map(({ model }) => model))).toEqual(new Set(models));
      for (const [m, model] of models.entries()) {
        const cells = read.cells
          .filter((cell) => cell.model === model)
          .sort((a, b) => (said.values === undefined || name === 'mteb' ? (a.sample < b.sample ? -1 : 1) : 0));
        expect(cells.map(({ sample }) => sample)).toEqual(said.samples);
        expect(cells.map(({ value }) => value)).toEqual((said.values ?? GRADES!)[m]);
        for (const cell of cells)
          expect([cell.family, cell.metric, cell.filter, cell.repeat]).toEqual([
            said.family,
            said.metric,
            said.filter ?? null,
            1,
          ]);
      }
      expect(read.offers.map(({ metrics }) => metrics)).toEqual([said.metrics]);
      expect(read.warnings).toHaveLength(said.warnings?.length ?? 0);
      for (const [i, warning] of (said.warnings ?? []).entries()) expect(read.warnings[i]).toMatch(warning);
    },
  );
});

describe('archives of ZIP64', () => {
  it('are read as those of 32 bits', async () => {
    const files = folderFiles('fixtures/logs/inspect-eval').filter(({ name }) => name.includes('one'));
    const wide = files.map((file) => ({
      ...file,
      bytes: zip(
        openZip(file.bytes, file.name, { hint: '' }).map((member) => ({
          name: member.name,
          data: member.data(),
          method: 8 as const,
        })),
        { zip64: true },
      ),
    }));
    expect(wide.every(({ bytes }) => bytes.includes('PK\x06\x06'))).toBe(true);
    expect((await readLogs(wide)).cells).toEqual((await readLogs(files)).cells);
  });
});

describe('logs with several answers to a sample', () => {
  it('livecodebench: each graded answer is an attempt; a problem without any is missing', async () => {
    const { cells } = await readLogs(folderFiles('fixtures/logs/livecodebench'));
    expect(cells.map(({ model, sample, repeat, value }) => [model, sample, repeat, value])).toEqual([
      ['lab__one', 'abc300_a', 1, 1],
      ['lab__one', 'abc300_a', 2, 1],
      ['lab__one', 'abc301_a', 1, 0],
      ['lab__one', 'abc301_a', 2, 1],
      ['lab__one', 'abc302_a', 1, 1],
      ['lab__one', 'abc302_a', 2, 1],
      ['lab__one', 'abc303_a', 1, null],
      ['lab__two', 'abc300_a', 1, 0],
      ['lab__two', 'abc300_a', 2, 1],
      ['lab__two', 'abc301_a', 1, 1],
      ['lab__two', 'abc301_a', 2, 1],
      ['lab__two', 'abc302_a', 1, 1],
      ['lab__two', 'abc302_a', 2, 1],
      ['lab__two', 'abc303_a', 1, 1],
      ['lab__two', 'abc303_a', 2, 1],
    ]);
    expect(new Set(cells.map(({ family }) => family))).toEqual(new Set(['codegeneration']));
  });

  it('rliable: runs are attempts, tasks have their numbers, a lost score is missing', async () => {
    const { cells } = await readLogs(folderFiles('fixtures/logs/rliable'));
    expect(cells.map(({ model, sample, repeat, value }) => [model, sample, repeat, value])).toEqual([
      ['lab/one', '1', 1, 1],
      ['lab/one', '2', 1, 0],
      ['lab/one', '3', 1, 1],
      ['lab/one', '4', 1, 0.5],
      ['lab/one', '1', 2, 1],
      ['lab/one', '2', 2, 0],
      ['lab/one', '3', 2, 1],
      ['lab/one', '4', 2, null],
      ['lab/two', '1', 1, 0],
      ['lab/two', '2', 1, 1],
      ['lab/two', '3', 1, 1],
      ['lab/two', '4', 1, 1],
      ['lab/two', '1', 2, 0],
      ['lab/two', '2', 2, 1],
      ['lab/two', '3', 2, 1],
      ['lab/two', '4', 2, 1],
    ]);
  });
});

describe('damaged logs are refused, with the place and what was expected', () => {
  it.each([
    [
      'inspect-json.json',
      'SCHEMA_INVALID',
      /samples\[0\]\.scores\.match\.value: a grade or a number expected, found \[1,0\]/,
    ],
    ['inspect-eval.eval', 'ZIP_INVALID', /no end-of-directory record: the archive is cut off/],
    ['promptfoo-json.json', 'SCHEMA_INVALID', /results\[0\]: a score expected, found "high"/],
    ['promptfoo-json-lines.jsonl', 'SCHEMA_INVALID', /line 2: a score expected/],
    ['swe-bench.json', 'SCHEMA_INVALID', /resolved_ids: "owner__repo-2" was resolved and not submitted/],
    ['swe-bench-instance.json', 'SCHEMA_INVALID', /a: true or false expected under "resolved", found "yes"/],
    ['alpaca-eval.json', 'SCHEMA_INVALID', /\[0\]: a preference from 1 to 2 expected, found 7/],
    [
      'evalplus.json',
      'SCHEMA_INVALID',
      /eval\.HumanEval\/0\[0\]: a status pass, fail or timeout expected, found "maybe"/,
    ],
    ['livecodebench.json', 'SCHEMA_INVALID', /\[0\]\.graded_list: a list expected, found "true"/],
    ['mteb.json', 'SCHEMA_INVALID', /scores\.test: a list of subsets expected, found 0\.5/],
    ['rliable.json', 'SCHEMA_INVALID', /DQN\[1\]: 1 task, elsewhere 2/],
  ])('%s', async (name, code, message) => {
    const [file] = folderFiles('fixtures/logs/damaged').filter((one) => one.name.endsWith(`damaged/${name}`));
    await expect(readLogs([{ ...file!, found: false }])).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['helm', /\[0\]: a named statistic expected/],
    ['lm-evaluation-harness', /line 1: has no number under metric "exact_match": "yes"/],
  ])('%s', async (name, message) => {
    await expect(readLogs(folderFiles(`fixtures/logs/damaged/${name}`))).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(message),
    });
  });
});
