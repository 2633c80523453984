import { describe, expect, it } from 'vitest';
import { isCulinary, rankedFamilies, rankedTasks, requiredFamilies, type Task } from '../../src/tasks/task.js';

const PUBLISHED = ['substitution', 'pairing', 'constraint'];
const REGIONAL = 'cultural_composition';

describe('the families that are ranked', () => {
  it('are the published three that are there, and all of a world that has none of them', () => {
    expect(rankedFamilies(['constraint', REGIONAL, 'substitution'])).toEqual(['substitution', 'constraint']);
    expect(rankedFamilies(['trip', 'replacement', 'trip'])).toEqual(['trip', 'replacement']);
    const tasks = ['trip', 'pairing', 'trip'].map((family) => ({ family }) as Task);
    expect(rankedTasks(tasks)).toEqual([tasks[1]]);
    expect(rankedTasks([tasks[0]!, tasks[2]!])).toHaveLength(2);
  });

  it('are all required for a score: of food the three, whichever are there', () => {
    expect(requiredFamilies(['pairing'])).toEqual(PUBLISHED);
    expect(requiredFamilies([REGIONAL])).toEqual(PUBLISHED);
    expect(requiredFamilies([])).toEqual(PUBLISHED);
    expect(requiredFamilies(['trip', 'replacement'])).toEqual(['trip', 'replacement']);
  });

  it('say whether tasks are about food', () => {
    expect(isCulinary(['trip', REGIONAL])).toBe(true);
    expect(isCulinary(['trip', 'replacement'])).toBe(false);
  });
});
