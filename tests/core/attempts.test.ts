import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withChance } from '../../src/scores/chance.js';
import { matrixFromCsv, matrixToCsv } from '../../src/scores/matrix-file.js';

const rows = (attempt: string) =>
  ['a,t,2,5', 'a,t,10,7', 'b,t,10,1', 'b,t,2,4', 'a,u,2,1', 'a,u,10,0', 'b,u,2,9', 'b,u,10,9']
    .map((row) => row)
    .join('\n')
    .replace(/^/, `model,task,${attempt},value\n`);
const from = (text: string, options: object = {}) => matrixFromCsv(text, { file: 'x.csv', scale: 1, ...options });

describe('a table with an attempt column', () => {
  it.each(['attempt', 'epoch', 'trial', 'repeat', 'Epoch'])(
    'named %s holds sums over attempts, in order of their numbers',
    (name) => {
      const { matrix, attempts } = from(rows(name));
      expect([matrix.tasks, [...matrix.values], matrix.scale]).toEqual([['t', 'u'], [12, 1, 5, 18], 2]);
      expect(attempts).toEqual({ count: 2, values: Float64Array.of(5, 7, 1, 0, 4, 1, 9, 9), scale: 1 });
      expect([...from(rows(name), { attempts: 1 }).matrix.values]).toEqual([5, 1, 4, 9]);
    },
  );

  it('may be wide, where a model has several rows', () => {
    const wide = from('model,trial,t,u\na,x,5,1\nb,x,4,9\na,y,7,0\nb,y,1,9\n');
    expect([wide.matrix.tasks, [...wide.matrix.values], wide.matrix.scale]).toEqual([['t', 'u'], [12, 1, 5, 18], 2]);
    expect(from('model,trial,t\na,1,5\nb,2,4\n').matrix.tasks).toEqual(['t']);
  });

  it('gives the same sums whatever the order of its lines, labels that are no numbers by first appearance', () => {
    const lines = rows('epoch').split('\n');
    fc.assert(
      fc.property(fc.shuffledSubarray(lines.slice(1), { minLength: 8, maxLength: 8 }), (shuffled) => {
        const { matrix, attempts } = from([lines[0], ...shuffled].join('\n'));
        const cell = (model: string, task: string) => {
          const at = matrix.models.indexOf(model) * 2 + matrix.tasks.indexOf(task);
          return [matrix.values[at], ...attempts!.values.subarray(2 * at, 2 * at + 2)];
        };
        expect([cell('a', 't'), cell('a', 'u'), cell('b', 't'), cell('b', 'u')]).toEqual([
          [12, 5, 7],
          [1, 1, 0],
          [5, 4, 1],
          [18, 9, 9],
        ]);
      }),
      { numRuns: 50 },
    );
    const named = rows('epoch').replaceAll(',10,', ',late,').replaceAll(',2,', ',soon,');
    expect([...from(named, { attempts: 1 }).matrix.values]).toEqual([5, 1, 4, 9]);
  });

  it('is refused with unequal numbers, all cells told, until a number is chosen', () => {
    const text = `${rows('attempt')}\na,u,11,1\n`;
    let told: unknown;
    const withheld = (cells: unknown) => {
      told = cells;
    };
    expect(() => from(text, { withheld })).toThrow(
      expect.objectContaining({
        code: 'ATTEMPTS_UNEQUAL',
        exit: 3,
        message: 'x.csv: 2 attempts at most cells, another number at 1 cell: "a" "u" (3 attempts)',
        hint: expect.stringContaining('--attempts 2 takes the first 2'),
      }),
    );
    expect(told).toEqual([{ model: 'a', task: 'u', reason: '3 attempts' }]);
    expect([...from(text, { attempts: 2 }).matrix.values]).toEqual([12, 1, 5, 18]);
    expect(() => from(text, { missing: 'common-tasks' })).toThrow(/another number at 1 cell/);
    expect(() => from(text, { attempts: 3 })).toThrow(expect.objectContaining({ code: 'INCOMPLETE' }));
    expect(() => from('model,task,value\na,t,1\n', { attempts: 2 })).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('attempt, epoch, trial or repeat') }),
    );
  });

  it('counts an attempt without a value as none, and refuses one that stands twice or has no number', () => {
    const open = rows('attempt').replace('a,t,10,7', 'a,t,10,');
    expect(() => from(open)).toThrow(expect.objectContaining({ code: 'ATTEMPTS_UNEQUAL' }));
    const twice = rows('attempt').replace('a,t,10,7', 'a,t,2,7');
    expect(() => from(twice)).toThrow(
      expect.objectContaining({
        code: 'CELL_DUPLICATE',
        message: expect.stringContaining('as attempt "2", first in x.csv, line 2'),
      }),
    );
    expect(() => from(rows('attempt').replace('a,t,10,7', 'a,t,,7'))).toThrow(
      expect.objectContaining({ code: 'SCHEMA_INVALID', message: expect.stringContaining('has no attempt') }),
    );
    expect(() =>
      from(
        rows('attempt')
          .replace('task,attempt', 'task,attempt,epoch')
          .replaceAll(/,(2|10),(\d)/g, ',$1,$2,$2'),
      ),
    ).toThrow('could both number the attempts');
  });

  it('keeps chance, rounding and the range of values in the unit of one attempt', () => {
    const { matrix, quantization } = from(rows('attempt').replace('a,t,2,5', 'a,t,2,5.26'), {
      scale: undefined,
      quantize: 10,
    });
    expect([[...matrix.values], matrix.scale, quantization!.scale]).toEqual([[123, 10, 50, 180], 20, 10]);
    const chance = withChance(from(rows('attempt')).matrix, 'task,value\nt,3\nu,4\n', {
      file: 'c.csv',
      attempts: 2,
      scale: 1,
    });
    expect([...chance.chance!]).toEqual([6, 8]);
    const bits = 'model,task,attempt,value\na,t,1,1\na,t,2,1\nb,t,1,0\nb,t,2,0\na,u,1,1\na,u,2,0\n';
    const { bounds } = from(bits, { missing: 'bounds' });
    expect([[...bounds!.low.values], [...bounds!.high.values]]).toEqual([
      [2, 1, 0, 0],
      [2, 1, 0, 2],
    ]);
    expect(matrixToCsv(from(rows('attempt')).matrix)).toContain('a,t,all,all,t,6');
  });
});
