import { describe, expect, it } from 'vitest';
import { keptModels } from '../../src/core/model-choice.js';
import { matrixFromCsv } from '../../src/scores/matrix-file.js';

const text = 'model,t,u,v\na,1,2,\nb,3,4,\n"c,d",5,,6\n';
const from = (options: object) => matrixFromCsv(text, { file: 'x.csv', scale: 1, ...options });

describe('rows that a call chooses', () => {
  it('are those it names, less those it leaves out, whatever the order of naming', () => {
    expect(keptModels(['a', 'b', 'c'], { models: ['c,a'] })).toEqual([true, false, true]);
    expect(keptModels(['a', 'b', 'c'], { without: ['b', 'a'] })).toEqual([false, false, true]);
    expect(keptModels(['a', 'b', 'c'], { models: ['a', ' b , c '], without: ['c'] })).toEqual([true, true, false]);
    expect(keptModels(['a,b', 'a'], { models: ['a,b'] })).toEqual([true, false]);
  });

  it('are refused under a name that is none, with the nearest', () => {
    expect(() => keptModels(['gpt-5', 'claude', 'qwen'], { without: ['gpt5'] })).toThrow(
      expect.objectContaining({
        code: 'MODEL_UNKNOWN',
        message: '--without names "gpt5", which is none of the 3 models',
        hint: expect.stringContaining('nearest is "gpt-5"'),
      }),
    );
    expect(() => keptModels(['a'], { without: ['a'] })).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it('decide before cells are missed: a task of left-out models alone is none', () => {
    const { matrix, warnings, leftOut } = from({ without: ['c,d'] });
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['t', 'u'],
      [1, 2, 3, 4],
    ]);
    expect(leftOut).toEqual(['c,d']);
    expect(warnings).toEqual(['by choice of the call 2 models of 3 are compared; left out: "c,d"']);
    expect(() => from({ without: ['b'] })).toThrow(expect.objectContaining({ code: 'INCOMPLETE' }));
  });
});
