import { describe, expect, it } from 'vitest';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readScoreText, refusal } from '../support/score-text.js';

describe('files that are no table of text', () => {
  it('of JSON are tables where their shape is known', async () => {
    const list = JSON.stringify([
      { model: 'a', task: 't', value: true },
      { model: 'a', task: 'u', value: false },
      { model: 'b', task: 't', value: null },
      { model: 'b', task: 'u', value: true },
    ]);
    const { matrix, reading } = await readScoreText(list, { missing: 'common-tasks' });
    expect([matrix.tasks, [...matrix.values], reading.kind]).toEqual([['u'], [0, 1], 'JSON, list of objects']);
    const nested = await readScoreText('{"a": {"t": 1, "u": 0.5}, "b": {"t": 0, "u": 1}}');
    expect(nested.matrix).toMatchObject({ models: ['a', 'b'], tasks: ['t', 'u'], scale: 10 });
    expect([...nested.matrix.values]).toEqual([10, 5, 0, 10]);
  });

  it('of JSON of another shape are described', async () => {
    const error = await refusal('{"hello": 1, "list": [1, 2]}');
    expect(error).toMatchObject({ code: 'SCHEMA_INVALID', hint: expect.stringContaining('--value-column') });
    expect(error.message).toContain('hello');
  });

  it('are refused beside others, unless all are logs', async () => {
    const bytes = new TextEncoder().encode('model,t\na,1\n');
    const two = [
      { name: 'x.csv', bytes },
      { name: 'y.csv', bytes },
    ];
    await expect(scoresOf(two)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('2 files') });
    await expect(scoresOf([])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(scoresOf([two[0]!], { filter: 'none' })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
