import { describe, expect, it } from 'vitest';
import { saidName } from '../../src/explorer/said-name.js';
import { separatingTasks, type TaskValues } from '../../src/explorer/separating-tasks.js';

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
