import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cellTexts, logFile, readFiles } from '../support/log-files.js';

interface RunOptions {
  readonly model?: string;
  readonly status?: string;
  readonly ids?: readonly number[];
  readonly created?: string;
  readonly id?: string;
  readonly args?: object;
  readonly epochs?: number;
}

/** A log of inspect_ai with the samples that were scored: id to grade. */
function inspectLog(name: string, grades: Record<number, string>, options: RunOptions = {}) {
  const { model = 'm/a', status = 'success', ids, created = '2026-05-01', id, args = {}, epochs = 1 } = options;
  return logFile(name, {
    version: 2,
    status,
    eval: {
      ...(id === undefined ? {} : { eval_id: id }),
      created,
      task: 'capitals',
      task_args: args,
      model,
      dataset: { samples: 3, ...(ids === undefined ? {} : { sample_ids: ids }) },
      config: { epochs },
    },
    samples: Object.entries(grades).map(([sample, value]) => ({
      id: Number(sample),
      epoch: 1,
      input: `question ${sample}`,
      scores: { match: { value } },
    })),
  });
}

describe('a run that stands there more than once', () => {
  it('byte for byte under another name is read once, and that is said', async () => {
    const first = inspectLog('runs/first.json', { 1: 'C', 2: 'I' });
    const read = await readFiles([first, { ...first, name: 'runs/copy.json' }]);
    expect(cellTexts(read)).toEqual(['m/a capitals/1#1 1', 'm/a capitals/2#1 0']);
    expect(read.warnings).toEqual(['runs/copy.json is the same run as runs/first.json: it was read once']);
    expect(read.kinds).toEqual([{ name: 'inspect_ai', files: 1 }]);
  });

  it('as JSON and as .eval is read once', async () => {
    const file = (name: string) => logFile(name.split('/').at(-1)!, readFileSync(`fixtures/logs/${name}`));
    const read = await readFiles([file('inspect-json/lab__one.json'), file('inspect-eval/lab__one.eval')]);
    expect(read.cells).toHaveLength(4);
    expect(read.warnings).toEqual(['lab__one.eval is the same run as lab__one.json: it was read once']);
  });

  it('with other scores under one id is two runs, which the matrix refuses', async () => {
    const read = await readFiles([
      inspectLog('first.json', { 1: 'C' }, { id: 'e' }),
      inspectLog('scored-again.json', { 1: 'I' }, { id: 'e' }),
    ]);
    expect(cellTexts(read)).toEqual(['m/a capitals/1#1 1', 'm/a capitals/1#1 0']);
  });

  it('the same answers of two models are two runs', async () => {
    const row = (id: number) => `${JSON.stringify({ doc_id: id, resps: [['x']], metrics: ['acc'], acc: 1 })}\n`;
    const read = await readFiles([
      logFile('a/samples_t_2026-01-01T00-00-00.0.jsonl', row(0) + row(1)),
      logFile('b/samples_t_2026-01-01T00-00-00.0.jsonl', row(0) + row(1)),
    ]);
    expect(cellTexts(read)).toEqual(['a t/0#1 1', 'a t/1#1 1', 'b t/0#1 1', 'b t/1#1 1']);
  });

  it('stopped, and then run to its end, is read from the end', async () => {
    const stopped = inspectLog('a-stopped.json', { 1: 'I' }, { status: 'cancelled', ids: [1, 2] });
    const whole = inspectLog('b-whole.json', { 1: 'C', 2: 'C' }, { created: '2026-05-02' });
    for (const files of [
      [stopped, whole],
      [whole, stopped],
    ]) {
      const read = await readFiles(files);
      expect(cellTexts(read)).toEqual(['m/a capitals/1#1 1', 'm/a capitals/2#1 1']);
      expect(read.warnings).toEqual([
        'a-stopped.json (status cancelled) was left out for b-whole.json, a later run of the same',
      ]);
    }
  });

  it('stopped twice is read from the later one', async () => {
    const read = await readFiles([
      inspectLog('later.json', { 1: 'C', 2: 'C' }, { status: 'error', ids: [1, 2, 3], created: '2026-05-02' }),
      inspectLog('earlier.json', { 1: 'C' }, { status: 'error', ids: [1, 2, 3] }),
    ]);
    expect(cellTexts(read)).toEqual(['m/a capitals/1#1 1', 'm/a capitals/2#1 1', 'm/a capitals/3#1 null']);
    expect(read.warnings).toHaveLength(2);
  });
});

describe('a run that was stopped', () => {
  it.each(['cancelled', 'error', 'started'])(
    'with status %s: what its data set names and it did not score is missing',
    async (status) => {
      const read = await readFiles([inspectLog('x.json', { 1: 'C' }, { status, ids: [1, 2], epochs: 2 })]);
      expect(cellTexts(read)).toEqual([
        'm/a capitals/1#1 1',
        'm/a capitals/1#2 null',
        'm/a capitals/2#1 null',
        'm/a capitals/2#2 null',
      ]);
      expect(read.warnings).toEqual([
        `the run in x.json ended with status ${status}: what it did not score is missing`,
      ]);
    },
  );

  it('and does not say which samples it was to have is refused', async () => {
    await expect(readFiles([inspectLog('x.json', { 1: 'C' }, { status: 'error' })])).rejects.toMatchObject({
      code: 'INCOMPLETE',
      exit: 3,
      message: expect.stringContaining('x.json: the run ended with status "error" after 1 samples'),
    });
  });
});

describe('evaluations of one name', () => {
  it('that a model ran with different arguments are told apart by those that differ', async () => {
    const logs = ['m/a', 'm/b'].flatMap((model) =>
      ['europe', 'asia'].map((part) =>
        inspectLog(`${model}-${part}.json`, { 1: 'C' }, { model, args: { part, shots: 5 } }),
      ),
    );
    const { cells } = await readFiles(logs);
    expect(cells.map(({ model, family }) => `${model} ${family}`)).toEqual([
      'm/a capitals(part=europe)',
      'm/a capitals(part=asia)',
      'm/b capitals(part=europe)',
      'm/b capitals(part=asia)',
    ]);
  });

  it('that each model ran with arguments of its own are one', async () => {
    const { cells } = await readFiles([
      inspectLog('a.json', { 1: 'C' }, { args: { tries: 1 } }),
      inspectLog('b.json', { 1: 'I' }, { model: 'm/b', args: { tries: 2 } }),
    ]);
    expect(cells.map(({ model, family }) => `${model} ${family}`)).toEqual(['m/a capitals', 'm/b capitals']);
  });
});

describe('logs of several harnesses', () => {
  const rows = (ids: readonly number[]) =>
    ids.map((id) => `${JSON.stringify({ doc_id: id, resps: [['x']], metrics: ['acc'], acc: 1 })}\n`).join('');
  const harness = (model: string, task: string, ids: readonly number[]) =>
    logFile(`${model}/samples_${task}_2026-01-01T00-00-00.0.jsonl`, rows(ids));

  it('go together where the models are the same, each with tasks of its own', async () => {
    const read = await readFiles([
      harness('a', 'sums', [0, 1]),
      inspectLog('a.json', { 1: 'C' }, { model: 'a' }),
      harness('b', 'sums', [0, 1]),
      inspectLog('b.json', { 1: 'I' }, { model: 'b' }),
    ]);
    expect(read.kinds).toEqual([
      { name: 'lm-evaluation-harness', files: 2 },
      { name: 'inspect_ai', files: 2 },
    ]);
    expect(read.offers).toEqual([
      { family: 'sums', metrics: ['acc'], filters: [] },
      { family: 'capitals', metrics: ['match'], filters: [] },
    ]);
  });

  it('go together where an evaluation has the same samples in both', async () => {
    const read = await readFiles([harness('a', 'capitals', [1, 2]), inspectLog('b.json', { 1: 'C', 2: 'I' })]);
    expect(cellTexts(read)).toEqual([
      'a capitals/1#1 1',
      'a capitals/2#1 1',
      'm/a capitals/1#1 1',
      'm/a capitals/2#1 0',
    ]);
  });

  it('are refused where they number the samples of an evaluation otherwise', async () => {
    await expect(
      readFiles([harness('a', 'capitals', [0, 1]), inspectLog('b.json', { 1: 'C', 2: 'I' })]),
    ).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining(
        'sample "0" of "capitals" stands in lm-evaluation-harness logs and not in inspect_ai logs',
      ),
    });
  });

  it('are refused where they have nothing in common', async () => {
    await expect(readFiles([harness('a', 'sums', [0]), inspectLog('b.json', { 1: 'C' })])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(/no model and no evaluation in common: "a" on "sums", "m\/a" on "capitals"/),
    });
  });
});
