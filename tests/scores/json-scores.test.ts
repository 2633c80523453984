import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { scoresOf } from '../../src/scores/read-scores.js';

const given = (text: string) => [{ name: 'scores.json', bytes: new TextEncoder().encode(text) }];

describe('a file of JSON', () => {
  it('that is no log is read as a table', async () => {
    const rows = ['A', 'B', 'C'].flatMap((model, m) =>
      ['x', 'y'].map((task, t) => ({ model, task, value: (m + t) % 2 })),
    );
    const nested = Object.fromEntries(['A', 'B', 'C'].map((model, m) => [model, { x: m % 2, y: (m + 1) % 2 }]));
    for (const text of [
      JSON.stringify(rows),
      rows.map((row) => JSON.stringify(row)).join('\n'),
      JSON.stringify(nested),
    ]) {
      const { matrix } = await scoresOf(given(text));
      expect([matrix.models, matrix.tasks]).toEqual([
        ['A', 'B', 'C'],
        ['x', 'y'],
      ]);
      expect(Array.from(matrix.values)).toEqual([0, 1, 1, 0, 0, 1]);
    }
  });

  it.each([
    [
      '[{"model":"A","task":"x","value":1},\n{"model":"B","task":"x","value":-1e999}]',
      'JSON_INVALID',
      'line 2, column 33: a number that a double holds expected, found -1e999',
    ],
    [
      '{"model":"A","task":"x","value":1}\n{"model":"B","task":"x","value":1e400}',
      'JSON_INVALID',
      'line 2, column 33: a number that a double holds',
    ],
    ['{"A":[[0.5,1e999]],"B":[[0.5,0.1]]}', 'JSON_INVALID', 'line 1, column 12: a number that a double holds'],
    ['{"A":{"x":Infinity,"y":1},"B":{"x":0,"y":1}}', 'CELL_NOT_INTEGER', 'row 1: column "x" is Infinity'],
  ])('is refused where a number is past every double, which is no missing cell: %s', async (text, code, what) => {
    await expect(scoresOf(given(text))).rejects.toMatchObject({ code, message: expect.stringContaining(what) });
  });

  it('has empty cells where Python wrote NaN', async () => {
    const text = '{"A":{"x":NaN,"y":1},"B":{"x":0,"y":1}}';
    await expect(scoresOf(given(text))).rejects.toMatchObject({ code: 'INCOMPLETE' });
  });

  it('that is neither is described', async () => {
    await expect(scoresOf(given('{"seed": 1, "notes": ["a"]}'))).rejects.toThrow(
      'scores.json: JSON of a kind that is not read: an object of 2 keys (seed, notes)',
    );
  });
});

describe('a document of JSON', () => {
  const log = readFileSync('fixtures/cases/logs/promptfoo-pinned.json', 'utf8');
  it.each([
    ['a table', '[{"model":"A","x":1,"y":0},\n{"model":"B","x":0,"y":1}]'],
    ['a table on one line', '{"A": {"x": 1, "y": 0}, "B": {"x": 0, "y": 1}}\n'],
    ['neither', '{"seed": 1,\n"notes": ["a"]}'],
    ['damaged', '[{"model":"A","x":1},\n{"model":"B","x":0}'],
    ['damaged on one line', '{"A": {"x": 1}, "B": {"x": 0}'],
    ['a log', log],
    ['a log on one line', JSON.stringify(JSON.parse(log))],
  ])('that is %s is parsed once, whoever asks what it is', async (_, text) => {
    const parse = vi.spyOn(JSON, 'parse');
    await scoresOf(given(text)).catch(() => undefined);
    const whole = parse.mock.calls.filter(([parsed]) => parsed.trim() === text.trim());
    parse.mockRestore();
    expect(whole).toHaveLength(1);
  });
});

describe('options of one kind of file', () => {
  it('are refused for another', async () => {
    await expect(scoresOf(given('[{"model":"A","task":"x","value":1}]'), { names: ['A'] })).rejects.toThrow(
      'is no numpy array but JSON, list of objects',
    );
    await expect(scoresOf(given('[{"model":"A","task":"x","value":1}]'), { sheet: 'A' })).rejects.toThrow(
      'is no workbook but JSON, list of objects',
    );
  });
});
