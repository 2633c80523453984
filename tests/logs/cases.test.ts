import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAuditSource } from '../../src/cli/audit-source.js';
import { readingWords } from '../../src/core/matrix-logs.js';

const CASES = 'fixtures/cases/logs';
const read = (paths: string[], options = {}) =>
  readAuditSource({ paths: paths.map((path) => join(CASES, path)), ...options });

describe('logs that people have', () => {
  it('an .eval archive is read, and a run of one model is its only row', async () => {
    const { matrix, kind } = await read(['a.eval']);
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['m/a'],
      ['t/1', 't/2', 't/3', 't/4', 't/5', 't/6'],
      [1, 1, 1, 1, 1, 1],
    ]);
    expect(kind).toBe('inspect_ai logs');
  });

  it('random ids of messages are no part of what a sample is', async () => {
    const { matrix } = await read(['inspect-message-ids']);
    expect(matrix.models).toEqual(['lab/one', 'lab/two']);
    expect([...matrix.values]).toEqual([1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1]);
  });

  it('errors of a provider are missing cells, so the result is withheld and every cell named', async () => {
    await expect(read(['promptfoo-errors.json'])).rejects.toMatchObject({
      code: 'INCOMPLETE',
      exit: 3,
      message: expect.stringMatching(/cells are missing.*"openai:b" "promptfoo\/0"/),
    });
  });

  it('tests that are pinned to prompts pair by test', async () => {
    const { matrix } = await read(['promptfoo-pinned.json']);
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['alpha:a', 'beta:b'],
      ['promptfoo/0', 'promptfoo/1', 'promptfoo/2', 'promptfoo/3'],
      [1, 1, 1, 1, 1, 1, 1, 1],
    ]);
  });

  it('filters without a name are asked for by number', async () => {
    const metric = { metric: 'exact_match' };
    for (const options of [{}, metric])
      await expect(read(['unlabelled-filters'], options)).rejects.toMatchObject({
        code: 'SCHEMA_INVALID',
        message: expect.stringContaining('scored it under 2 filters and did not name them'),
        hint: expect.stringContaining('--filter 1, --filter 2'),
      });
    const first = await read(['unlabelled-filters'], { ...metric, filter: '1' });
    expect([first.matrix.models, [...first.matrix.values]]).toEqual([
      ['A', 'B'],
      [1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1],
    ]);
    const second = await read(['unlabelled-filters'], { filter: '2' });
    expect([...second.matrix.values]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(second.readings).toEqual([{ family: 'gsm8k', metric: 'exact_match', filter: '2' }]);
    expect(readingWords(second.readings, second.offers)).toBe(
      'Scores are "exact_match" (filter "2"). The logs also hold, for --filter: "1".',
    );
  });
});

describe('a folder of logs', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'logs-'));
    const runs = join(dir, 'runs');
    cpSync(join(CASES, 'inspect-message-ids'), runs, { recursive: true });
    mkdirSync(join(runs, 'deep', '.cache'), { recursive: true });
    writeFileSync(join(runs, '.hidden.json'), '{}');
    writeFileSync(join(runs, 'deep', 'notes.txt'), 'no log');
    writeFileSync(join(runs, 'deep', 'config.json'), '{"lr": 1}');
    writeFileSync(join(runs, 'deep', 'cut.json'), '{"eval": {"model":');
    symlinkSync('..', join(runs, 'deep', 'up'));
    symlinkSync('../run1.json', join(runs, 'deep', 'again.json'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('is read with whatever else lies in it, which is counted; links and circles are followed once', async () => {
    const runs = join(dir, 'runs');
    const { matrix, warnings } = await readAuditSource({ paths: [runs, join(runs, 'run2.json')] });
    expect(matrix.models).toEqual(['lab/one', 'lab/two']);
    expect(warnings).toEqual([
      expect.stringMatching(/^1 file in the folders given could not be read: .*cut\.json, line 1, column 19/),
      '2 files in the folders given are no logs',
      '2 hidden names were passed over',
    ]);
  });

  it('says what was taken of the logs and what they also hold', async () => {
    const { readings, offers } = await readAuditSource({
      paths: ['fixtures/logs/inspect-json'],
      missing: 'common-tasks',
    });
    expect(readingWords(readings, offers)).toBe('Scores are "match". The logs also hold, for --metric: "judge".');
    const harness = await readAuditSource({ paths: ['fixtures/logs/lm-evaluation-harness'], missing: 'common-tasks' });
    expect(harness.offers).toEqual([{ family: 'sums', metrics: [], filters: ['flexible-extract'] }]);
  });

  it('without a log is refused, with what is there and what to do', async () => {
    const at = (...parts: string[]) => ({ paths: [join(dir, 'runs', 'deep', ...parts)] });
    await expect(readAuditSource(at('.cache'))).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(/\.cache: holds no file$/),
    });
    mkdirSync(join(dir, 'tables'));
    writeFileSync(join(dir, 'tables', 'scores.csv'), 'model,a\nx,1\ny,0\n');
    await expect(readAuditSource({ paths: [join(dir, 'tables')] })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('1 file, and none is an evaluation log'),
      hint: expect.stringMatching(/a table is named itself: .*scores\.csv/),
    });
    writeFileSync(join(dir, 'tables', 'config.json'), '{"lr": 1}');
    await expect(readAuditSource({ paths: [join(dir, 'tables')] })).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      hint: expect.stringContaining('an inspect_ai log'),
    });
  });
});
