import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatShift, rotateKey, rotateTask } from '../../src/collect/phase-tasks.js';
import { PORTFOLIO_INDEX, PORTFOLIOS } from '../../src/tasks/task.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import { taskRows } from '../support/collect-world.js';
import { noShared, shared } from '../support/shared.js';

const tasks = taskRows(12).map((row) => taskFromRow(row, { file: 'made-up' }));
const shiftOf = fc.integer({ min: 1, max: 7 });

describe('a task under rotated labels', () => {
  it('has its labels moved by 1 to 7 places, fixed by seed and task', () => {
    const shifts = Array.from({ length: 200 }, (_, i) => repeatShift('s', `t${i}`));
    expect(new Set(shifts)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
    expect(repeatShift('s', 't1')).toBe(repeatShift('s', 't1'));
  });

  it('gives the same ingredients the same score', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tasks), shiftOf, fc.constantFrom(...PORTFOLIOS), (task, shift, key) => {
        const rotated = rotateTask(task, shift);
        const names = (labels: string, choices: readonly string[]): string[] =>
          [...labels].map((l) => choices[l.charCodeAt(0) - 65]!).sort();
        const moved = rotateKey(key, shift);
        expect(names(moved, rotated.choices)).toEqual(names(key, task.choices));
        expect(rotated.scores[PORTFOLIO_INDEX.get(moved)!]).toBe(task.scores[PORTFOLIO_INDEX.get(key)!]);
        expect(rotated.scores[rotated.optimal]).toBe(10_000);
      }),
    );
  });

  it('is the same task again after a full turn', () => {
    const task = tasks[0]!;
    expect(rotateTask(rotateTask(task, 3), 5)).toMatchObject({
      prompt: task.prompt,
      choices: task.choices,
      scores: task.scores,
      optimal: task.optimal,
    });
  });

  it('differs in the candidate lines of its prompt and in nothing else', () => {
    const task = tasks[1]!;
    const before = task.prompt.split('\n');
    const after = rotateTask(task, 2).prompt.split('\n');
    const differing = before.flatMap((line, i) => (line === after[i] ? [] : [i]));
    expect(differing).toHaveLength(8);
    const bare = (lines: readonly string[]) => differing.map((i) => lines[i]!.slice(3)).sort();
    expect(bare(after)).toEqual(bare(before));
    expect(differing.map((i) => after[i]![0]).join('')).toBe('ABCDEFGH');
  });

  it('is refused by name where it cannot be relabelled', () => {
    expect(() => rotateTask({ ...tasks[0]!, prompt: 'Choose from A to H.' }, 1)).toThrow(
      expect.objectContaining({ code: 'TASK_UNREADABLE' }),
    );
  });

  it.skipIf(noShared)('can be made of every released task of the common core', () => {
    const rows = readFileSync(shared('golden/lab/tasks-534.jsonl'), 'utf8').trim().split('\n');
    for (const line of rows) {
      const task = taskFromRow(JSON.parse(line), { file: 'released' });
      const rotated = rotateTask(task, repeatShift('s', task.id));
      expect(rotated.prompt).not.toBe(task.prompt);
      expect([...rotated.choices].sort()).toEqual([...task.choices].sort());
    }
    expect(rows).toHaveLength(534);
  });
});
