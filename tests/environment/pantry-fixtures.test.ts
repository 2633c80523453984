import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readAnswers } from '../../src/responses/answer-file.js';
import { rankedTasks } from '../../src/tasks/task.js';
import { readTaskFiles } from '../../src/tasks/task-files.js';

describe('the small fixtures', () => {
  it('are what the program makes now', () => {
    expect(execFileSync('node', ['fixtures/make-small.js', '--check'], { encoding: 'utf8' })).toBe('');
  });

  it('hold two panels x three families x six tasks, and six simulated responders to each', () => {
    const { tasks } = readTaskFiles(['fixtures/tasks-small.json']);
    const strata = new Map<string, number>();
    for (const { panel, family } of rankedTasks(tasks))
      strata.set(`${panel} ${family}`, (strata.get(`${panel} ${family}`) ?? 0) + 1);
    expect([...strata.values()]).toEqual([6, 6, 6, 6, 6, 6]);
    const answers = [...readAnswers('fixtures/responses-small.jsonl')].map(({ answer }) => answer);
    expect(answers).toHaveLength(216);
    expect(answers.every(({ model }) => model.startsWith('simulated/'))).toBe(true);
  });
});
