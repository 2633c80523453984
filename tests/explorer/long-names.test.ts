import { describe, expect, it } from 'vitest';
import { saidName } from '../../src/explorer/said-name.js';
import { separatingTasks, type TaskValues, valueMarks } from '../../src/explorer/separating-tasks.js';

describe('a name in a sentence of the page', () => {
  it('stands whole where it is short, and without its middle where the sentence would drown in it', () => {
    expect(saidName('lab/model')).toBe('lab/model');
    expect(saidName('x'.repeat(80))).toBe('x'.repeat(80));
    const said = saidName(`${'a'.repeat(5000)}${'😀'.repeat(5000)}`);
    expect(said).toBe(`${'a'.repeat(40)}…${'😀'.repeat(39)}`);
  });
});

describe('tasks that separate two models', () => {
  const task = (first: number, second: number, k: number): TaskValues => ({
    ...{ task: `t${k}`, family: 'f', cluster: `c${k}`, first, second },
  });

  it('are listed with how many more separate them as much, and how many less', () => {
    const rows = [task(1, 0, 0), task(9, 0, 1), task(2, 0, 2), task(0, 5, 3), task(2, 0, 4), task(1, 1, 5)];
    const { tasks, alike, less } = separatingTasks(rows, 2);
    expect(tasks.map((one) => one.task)).toEqual(['t1', 't2']);
    expect([alike, less]).toEqual([1, 1]);
    expect(separatingTasks(rows, 6)).toMatchObject({ alike: 0, less: 0 });
    expect(separatingTasks([task(1, 1, 0)], 6)).toEqual({ tasks: [], alike: 0, less: 0 });
  });
});

describe('the marks of tasks between two models', () => {
  const at = (first: number, second: number): TaskValues => ({ task: 't', family: 'f', cluster: 'c', first, second });

  it('stand for equal values, and for near ones where there are more than can be seen', () => {
    expect(valueMarks([at(1, 0), at(0, 0), at(1, 0)])).toEqual({
      marks: [
        { first: 1, second: 0, tasks: 2 },
        { first: 0, second: 0, tasks: 1 },
      ],
      near: false,
    });
    const rows = Array.from({ length: 20_000 }, (_, t) => at((t * 7919) % 9973, (t * 104_729) % 9967));
    const { marks, near } = valueMarks(rows);
    expect(near).toBe(true);
    expect(marks.length).toBeLessThanOrEqual(61 * 61);
    expect(marks.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(rows.length);
    const mean = rows.reduce((sum, { first }) => sum + first, 0) / rows.length;
    const kept = marks.reduce((sum, { first, tasks }) => sum + first * tasks, 0) / rows.length;
    expect(kept).toBeCloseTo(mean, 6);
  });
});
