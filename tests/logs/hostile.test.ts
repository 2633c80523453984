import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { readLogs } from '../../src/logs/read-logs.js';
import { cellTexts, logFile, readFiles } from '../support/log-files.js';

const row = (id: number, acc: unknown = 1) => JSON.stringify({ doc_id: id, resps: [['x']], metrics: ['acc'], acc });
const SAMPLES = 'm/samples_t_2026-01-01T00-00-00.0.jsonl';
const header = { version: 2, status: 'success', eval: { model: 'm', task: 't' } };
const sample = (id: unknown, more: object = {}) => ({
  id,
  epoch: 1,
  input: 'q',
  scores: { match: { value: 'C' } },
  ...more,
});
const inspect = (samples: unknown[], more: object = {}) => logFile('x.json', { ...header, ...more, samples });
const archive = (members: Record<string, unknown>) =>
  zip(
    Object.entries(members).map(([name, value]) => ({
      name,
      data: Buffer.from(JSON.stringify(value)),
      method: 8 as const,
    })),
  );

describe('packed logs', () => {
  it('are unpacked, and named without their ending', async () => {
    const read = await readFiles([logFile(`${SAMPLES}.gz`, gzipSync(`${row(0)}\n${row(1, 0)}\n`))]);
    expect(cellTexts(read)).toEqual(['m t/0#1 1', 'm t/1#1 0']);
  });

  it('that are cut off are refused', async () => {
    const packed = gzipSync(`${row(0)}\n`).subarray(0, 20);
    await expect(readFiles([logFile(`${SAMPLES}.gz`, packed)])).rejects.toMatchObject({ code: 'PACKED_INVALID' });
  });
});

describe('JSON Lines', () => {
  it('whose last line is cut off are read without it, and that is said', async () => {
    const read = await readFiles([logFile(SAMPLES, `${row(0)}\n${row(1)}\n${row(2).slice(0, 30)}`)]);
    expect(cellTexts(read)).toEqual(['m t/0#1 1', 'm t/1#1 1']);
    expect(read.warnings).toEqual([`${SAMPLES} is cut off in line 3, which was left out`]);
  });

  it('whose last line is whole need no line feed', async () => {
    const read = await readFiles([logFile(SAMPLES, `${row(0)}\r\n\n${row(1)}`)]);
    expect([cellTexts(read), read.warnings]).toEqual([['m t/0#1 1', 'm t/1#1 1'], []]);
  });

  it('with a damaged line inside are refused with the line', async () => {
    await expect(readFiles([logFile(SAMPLES, `${row(0)}\n{"doc_id":\n${row(1)}\n`)])).rejects.toMatchObject({
      code: 'JSON_INVALID',
      where: { file: SAMPLES, line: 2 },
    });
  });
});

describe('JSON', () => {
  it('that is nested too deeply is refused, and passed over where it lies in a folder', async () => {
    const deep = logFile('deep.json', `${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    await expect(readFiles([deep])).rejects.toMatchObject({ code: 'JSON_INVALID' });
    const read = await readFiles([{ ...deep, found: true }, inspect([sample(1)])]);
    expect(read.cells).toHaveLength(1);
    expect(read.warnings).toEqual([
      expect.stringMatching(/^1 file in the folders given could not be read: deep\.json/),
    ]);
  });

  it('of another kind is no log, and passed over where it lies in a folder', async () => {
    for (const [text, found] of [
      ['{"lr": 0.1}', true],
      ['[1, 2]', true],
      ['[]', true],
      ['{}', true],
      ['no JSON', true],
      ['', true],
    ] as const) {
      const other = logFile('other', text);
      await expect(readFiles([other])).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
      expect((await readFiles([{ ...other, found }, inspect([sample(1)])])).others).toEqual(['other']);
    }
  });

  it('of a log with names that mean something to JavaScript is read as any other', async () => {
    const text =
      '{"eval":{"model":"__proto__","task":"constructor"},"samples":[{"id":"__proto__","epoch":1,"scores":{"__proto__":{"value":"C"}}}]}';
    expect(cellTexts(await readFiles([logFile('x.json', text)]))).toEqual(['__proto__ constructor/__proto__#1 1']);
    await expect(readFiles([logFile('x.json', text)], { metric: 'toString' })).rejects.toMatchObject({
      message: expect.stringContaining('no scorer "toString"; there is "__proto__"'),
    });
  });
});

describe('inspect_ai', () => {
  it('errors, invalidated samples and scores that are none are missing; limits and words are not', async () => {
    const read = await readFiles([
      logFile(
        'x.json',
        JSON.stringify({
          ...header,
          samples: [
            sample(1, { error: { message: 'timeout' } }),
            sample(2, { invalidation: { author: 'me' } }),
            sample(3, { scores: { match: { value: 'NOT A NUMBER' } } }),
            sample(4, { scores: null }),
            sample(5, { scores: { other: { value: 1 } } }),
            sample(6, { limit: { type: 'token', limit: 10 }, scores: { match: { value: 'I' } } }),
            sample(7, { scores: { match: { value: 'Yes' } } }),
            sample(8, { scores: { match: { value: '0.25' } } }),
          ],
        }).replace('"NOT A NUMBER"', 'NaN'),
      ),
    ]);
    expect(read.cells.map(({ value }) => value)).toEqual([null, null, null, null, null, 0, 1, 0.25]);
    expect(read.offers[0]!.metrics).toEqual(['match', 'other']);
  });

  it('a sample with an error counts where the run was told to score it', async () => {
    const more = { eval: { ...header.eval, config: { score_on_error: true } } };
    const read = await readFiles([inspect([sample(1, { error: { message: 'x' } })], more)]);
    expect(read.cells[0]!.value).toBe(1);
  });

  it('a scorer with several values is asked for by one of them', async () => {
    const log = inspect([sample(1, { scores: { rubric: { value: { style: 1, facts: 0 } } } })]);
    await expect(readFiles([log])).rejects.toMatchObject({
      message: expect.stringContaining('scorer "rubric" gives several values; there is "rubric.style", "rubric.facts"'),
      hint: expect.stringContaining('--metric rubric.style'),
    });
    expect((await readFiles([log], { metric: 'rubric.facts' })).cells[0]!.value).toBe(0);
  });

  it('a log without scores says what to do', async () => {
    await expect(readFiles([inspect([sample(1, { scores: {} })])])).rejects.toMatchObject({
      message: expect.stringContaining('no sample has a score'),
      hint: expect.stringContaining('inspect score'),
    });
  });

  it('early logs with one score a sample are read', async () => {
    const log = logFile('x.json', {
      ...header,
      results: { scorer: { name: 'match' } },
      samples: [{ id: 1, epoch: 1, input: 'q', score: { value: 'C' } }],
    });
    expect((await readFiles([log])).cells[0]).toMatchObject({ value: 1, metric: 'match' });
  });
});

describe('.eval archives', () => {
  it('of early versions, of stopped runs, with long samples and without any are read', async () => {
    const early = archive({
      'start.json': { version: 2, eval: header.eval },
      'samples/1_epoch_1.json': sample(1),
      'results.json': { status: 'success' },
    });
    const stopped = archive({
      '_journal/start.json': { eval: { ...header.eval, dataset: { sample_ids: ['a/b', 2] } } },
      'samples/a/b_epoch_1.json': sample('a/b'),
    });
    const long = archive({
      'header.json': header,
      'samples/1_epoch_2/sample.json': sample(1, { epoch: 2 }),
      'samples/1_epoch_2/messages/0.json': [],
    });
    const reduced = archive({
      'header.json': header,
      'reductions.json': [
        {
          scorer: 'match',
          reducer: 'mean',
          samples: [
            { sample_id: 's', value: 0.5 },
            { sample_id: 't', value: null },
          ],
        },
      ],
    });
    expect(cellTexts(await readFiles([logFile('x.eval', early)]))).toEqual(['m t/1#1 1']);
    expect(cellTexts(await readFiles([logFile('x.eval', stopped)]))).toEqual(['m t/a/b#1 1', 'm t/2#1 null']);
    expect(cellTexts(await readFiles([logFile('x.eval', long)]))).toEqual(['m t/1#2 1']);
    expect(cellTexts(await readFiles([logFile('x.eval', reduced)]))).toEqual(['m t/s#1 0.5', 'm t/t#1 null']);
  });

  it('whose samples are too many bytes are read from their summaries, without a claim of what was asked', async () => {
    const member = (name: string, value: unknown) => ({ name, data: Buffer.from(JSON.stringify(value)) });
    const parts = [
      member('header.json', header),
      { ...member('samples/1_epoch_1.json', sample(1)), plain: 2 ** 31 },
      member('summaries.json', [sample(1), sample(2, { error: 'lost', scores: undefined })]),
    ];
    const { cells } = await readFiles([logFile('x.eval', zip(parts))]);
    expect(cells.map(({ value, content }) => [value, content])).toEqual([
      [1, undefined],
      [null, undefined],
    ]);
    await expect(readFiles([logFile('x.eval', zip(parts.slice(0, 2)))])).rejects.toMatchObject({
      code: 'BOUND_EXCEEDED',
    });
  });

  it('that are cut off are refused even in a folder, where leaving one out would leave out a model', async () => {
    const cut = logFile('cut.eval', readFileSync('fixtures/logs/damaged/inspect-eval.eval'));
    await expect(readLogs([{ ...cut, found: true }, inspect([sample(1)])])).rejects.toMatchObject({
      code: 'ZIP_INVALID',
      hint: expect.stringContaining('inspect log recover'),
    });
  });

  it('whose members lie about their size, or are no JSON, are refused', async () => {
    const bomb = zip([
      { name: 'header.json', data: Buffer.from(JSON.stringify(header)), method: 8 as const },
      { name: 'samples/1_epoch_1.json', data: Buffer.alloc(10_000_000, 32), method: 8 as const, plain: 100 },
    ]);
    await expect(readFiles([logFile('x.eval', bomb)])).rejects.toMatchObject({
      code: 'ZIP_INVALID',
      message: expect.stringContaining('does not unpack to 100 bytes'),
    });
    const text = zip([{ name: 'header.json', data: Buffer.from('{') }]);
    await expect(readFiles([logFile('x.eval', text)])).rejects.toMatchObject({ code: 'JSON_INVALID' });
    const nameless = archive({ 'header.json': { eval: {} } });
    await expect(readFiles([logFile('x.eval', nameless)])).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
  });

  it('take names of members as data', async () => {
    const odd = archive({
      '../../header.json': header,
      'header.json': header,
      '/samples/2_epoch_1.json': sample(2),
      'samples/1_epoch_1.json': sample(1),
    });
    expect(cellTexts(await readFiles([logFile('x.eval', odd)]))).toEqual(['m t/1#1 1']);
  });

  it('of another kind are no log', async () => {
    await expect(readFiles([logFile('x.zip', zip([{ name: 'a.txt', data: Buffer.from('a') }]))])).rejects.toMatchObject(
      {
        code: 'SCHEMA_INVALID',
        message: expect.stringContaining('is no evaluation log'),
      },
    );
  });
});
