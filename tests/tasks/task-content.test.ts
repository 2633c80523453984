import { describe, expect, it } from 'vitest';
import { candidatesDigest, contentOf, sameContent, shapeDigest } from '../../src/tasks/task-content.js';
import { readTaskSet } from '../../src/tasks/task-files.js';

const { tasks } = readTaskSet('fixtures/tasks-small.json');
const [first, second] = tasks as [(typeof tasks)[number], (typeof tasks)[number]];

describe('the content of a task', () => {
  it('tells 36 tasks apart, by candidates and by map', () => {
    const { candidates, shapes } = contentOf(tasks);
    expect(shapes.size).toBe(new Set(tasks.map(({ scores }) => shapeDigest(scores))).size);
    expect(shapes.size).toBe(36);
    expect(candidates.size).toBeGreaterThan(30);
    expect(sameContent(contentOf([first]), second)).toBeUndefined();
  });

  it('does not know of order and spelling of candidates, and has none without eight of them', () => {
    const spelled = first.choices.map((name) => `${name.toUpperCase()} `).reverse();
    expect(candidatesDigest(spelled)).toBe(candidatesDigest(first.choices));
    expect(candidatesDigest(first.choices.slice(1))).toBeUndefined();
    expect(candidatesDigest([...first.choices.slice(1), 'something else'])).not.toBe(candidatesDigest(first.choices));
  });

  it('has no shape where a map has hardly any scores', () => {
    const poor = Uint16Array.from({ length: 56 }, (_, i) => (i === 9 ? 10_000 : (i % 2) * 5000));
    expect(shapeDigest(poor)).toBeUndefined();
    const other = Uint16Array.from(first.scores);
    other[3] = (other[3]! + 1) % 9999;
    expect(shapeDigest(other)).not.toBe(shapeDigest(first.scores));
  });
});
