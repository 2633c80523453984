import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pyCanonical } from '../../src/io/pyjson.js';
import { selectionCode } from '../../src/responses/answer.js';
import { readAnswers } from '../../src/responses/answer-file.js';
import { outcomeOf } from '../../src/responses/outcome.js';
import type { FlavourError } from '../../src/util/error.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'answers-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(data: string | Buffer) {
  const path = join(folder, 'r.jsonl');
  writeFileSync(path, data);
  return [...readAnswers(path)];
}
const answers = (data: string) => read(data).map(({ answer }) => answer);
const row = (extra: object) => JSON.stringify({ task_id: 't', ...extra });

function failure(data: string | Buffer): FlavourError {
  try {
    read(data);
  } catch (error) {
    return error as FlavourError;
  }
  throw new Error('accepted');
}

describe('answer rows', () => {
  it.each<[string, object, string | null]>([
    ['response', { response: 'x' }, 'x'],
    ['completion', { completion: 'x' }, 'x'],
    ['answer', { answer: 'x' }, 'x'],
    ['answer_markdown', { answer_markdown: 'x' }, 'x'],
    ['the first key with a string', { answer: 'late', response: null, completion: 'x' }, 'x'],
    ['an empty string, which is a string', { response: '', answer: 'late' }, ''],
    ['a nested answer', { response: { answer_markdown: 'x' } }, 'x'],
    ['a nested generation', { response: { generation: { answer_markdown: 'x' } } }, 'x'],
    ['a released record', { generation: { answer_markdown: 'x' } }, 'x'],
    ['no text', { response: 5, answer: ['x'], generation: null }, null],
  ])('are read from %s', (_, extra, text) => {
    expect(answers(row(extra))[0]?.text).toBe(text);
  });

  it.each<[unknown, boolean]>([
    [undefined, false],
    [null, false],
    ['', false],
    ['completed', false],
    ['success', false],
    ['ok', false],
    ['failed', true],
    ['Completed', true],
    [1, true],
  ])('with status %j have failed: %j', (status, failed) => {
    expect(answers(row({ status, response: 'x' }))[0]?.failed).toBe(failed);
  });

  it('have model and panel, and a selection only where there is no text', () => {
    expect(answers(row({ model: 'b', model_id: 'a', panel: 'panel_2', selection: 'ABC' }))[0]).toMatchObject({
      model: 'a',
      panel: 'panel_2',
      selection: 'ABC',
    });
    expect(answers(row({ model: 'b', response: 'x', selection: 'ABC' }))[0]).toMatchObject({
      model: 'b',
      selection: null,
    });
  });

  it('may have selections in any order; what is wrong with others is said', () => {
    expect(['ACF', 'fca', 'F, c ,A'].map(selectionCode)).toEqual([8, 8, 8]);
    expect(['AC', 'ACFG', 'ACI', 'ACA', ''].map((text) => outcomeOf(selectionCode(text)))).toEqual([
      'wrong_count',
      'wrong_count',
      'unknown_label',
      'duplicate_label',
      'wrong_count',
    ]);
  });
});

describe('response files', () => {
  const rows = [
    { task_id: 'a', response: 'x' },
    { task_id: 'b', response: 'y' },
  ];

  it('may be lines, an array, a container or one object', () => {
    const lines = rows.map((item) => JSON.stringify(item)).join('\n');
    const pretty = (value: unknown) => JSON.stringify(value, null, 2);
    for (const data of [
      lines,
      `\ufeff${lines.replace('\n', '\r\n')}\r\n\r\n`,
      JSON.stringify(rows),
      pretty(rows),
      JSON.stringify({ responses: rows }),
      pretty({ records: rows }),
      `\n${JSON.stringify({ tasks: rows })}\n`,
    ]) {
      expect(
        answers(data).map(({ task, text }) => task + text),
        data,
      ).toEqual(['ax', 'by']);
    }
    expect(answers(pretty(rows[0])).map(({ task }) => task)).toEqual(['a']);
    expect(answers('')).toEqual([]);
    expect(answers('[]')).toEqual([]);
  });

  it('keep line separators of JSON inside an answer', () => {
    const data = `${row({ response: 'a\u2028b\u0085c' })}\n${row({ response: 'd' })}\n`;
    expect(read(data).map(({ answer, line }) => `${line}${answer.text}`)).toEqual(['1a\u2028b\u0085c', '2d']);
  });

  it('keep the row as written for digests', () => {
    const [first] = read('{"task_id":"a","x":1.0,"response":"é","big":12345678901234567890}\n');
    expect(pyCanonical(first?.row() ?? null)).toBe('{"big":12345678901234567890,"response":"é","task_id":"a","x":1.0}');
  });

  it('are refused with the broken line, the duplicate key and the row without a task', () => {
    const good = row({ response: 'x' });
    expect(failure(`${good}\n{"task_id": "b", \n`)).toMatchObject({
      code: 'JSON_INVALID',
      where: { line: 2 },
    });
    expect(failure(`${good}\n${good}x\n`).message).toContain('line 2, column');
    expect(failure(`${good}\n{"task_id":"b","task_id":"c"}\n`).code).toBe('JSON_DUPLICATE_KEY');
    expect(failure(`${good}\n{"response":"x"}\n`).message).toContain('line 2: task_id: a non-empty text expected');
    expect(failure(`${good}\n"text"\n`).message).toContain('line 2: an object expected');
    expect(failure('[{"task_id":3}]').message).toContain('task_id: a non-empty text expected, found 3');
    expect(failure(Buffer.concat([Buffer.from(`${good}\n`), Buffer.from([0xff, 10])])).code).toBe('TEXT_INVALID_UTF8');
  });

  it('make a NaN or a lone surrogate the failure of its row alone', () => {
    const data = [
      '{"task_id":"a","latency":NaN,"response":"x"}',
      '{"task_id":"b","response":"\\ud83c x"}',
      '{"task_id":"c","response":"\\ud83c\\udf72"}',
    ].join('\n');
    expect(answers(data).map(({ task, defect }) => [task, defect])).toEqual([
      ['a', 'the row holds NaN or Infinity, which is not JSON'],
      ['b', 'the answer holds a lone surrogate'],
      ['c', null],
    ]);
    expect(answers('{"task_id":"a","x":-Infinity}')[0]?.defect).toContain('NaN or Infinity');
  });

  it('may hold any number beside the answer', () => {
    expect(answers('{"task_id":"a","latency":1e400,"response":"x"}')[0]?.defect).toBeNull();
  });

  it('are refused with an id that UTF-8 cannot write, at its line, while such a text is kept', () => {
    const good = row({ response: 'x' });
    for (const [key, fields] of [
      ['model_id', '"model_id":"m\\ud800"'],
      ['model', '"model":"m\\ud800"'],
      ['panel', '"panel":"m\\ud800"'],
    ])
      expect(failure(`${good}\n{"task_id":"b",${fields},"response":"x"}\n`).message).toContain(
        `line 2: ${key}: an id expected, found half of a surrogate pair in "m\\ud800"`,
      );
    expect(failure('{"task_id":"\\udc00b","response":"x"}').message).toContain('task_id: an id');
    expect(answers('{"task_id":"b","response":"\\ud800"}')[0]?.text).toBe('\ud800');
  });

  it('have the line numbers of an indented document', () => {
    const rows = ['a', 'b', 3].map((task_id) => ({ task_id, response: 'x' }));
    for (const [document, line] of [
      [rows, 10],
      [{ tasks: 1, responses: rows }, 12],
    ] as const)
      expect(failure(JSON.stringify(document, null, 1)).message).toContain(
        `line ${line}, row 3: task_id: a non-empty text expected, found 3`,
      );
  });

  it('are JSON: columns are refused with the names of the commands that read them', () => {
    for (const head of ['PAR1....', 'ARROW1\0\0'])
      expect(failure(head)).toMatchObject({
        code: 'USAGE',
        hint: expect.stringContaining('`rescore`'),
      });
  });

  it('refuse a line of 200 MB without holding it', () => {
    const path = join(folder, 'huge.jsonl');
    writeFileSync(path, `${row({ response: 'x' })}\n{"task_id":"b","response":"`);
    truncateSync(path, 200_000_000);
    const seen: string[] = [];
    expect(() => {
      for (const { answer } of readAnswers(path)) seen.push(answer.task);
    }).toThrow(/line 2: longer than 64 MiB/);
    expect(seen).toEqual(['t']);
  });
});
