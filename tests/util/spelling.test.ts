import { describe, expect, it } from 'vitest';
import { nearestHint, nearestOrAll, nearestSpellings } from '../../src/util/spelling.js';

describe('a name near what was written', () => {
  it.each([
    ['tow', 'two'],
    ['panty', 'pantry'],
    ['GPT 4o', 'openai/gpt-4o'],
    ['Llama_3', 'llama-3'],
    ['scroe', 'score'],
    ['claude-haiku', 'claude-3-5-haiku'],
  ])('differs in a third of its letters at most, or holds them: %s, %s', (written, name) => {
    expect(nearestSpellings(written, [name, 'zzzzzzzzz'], 2)).toEqual([name]);
  });

  it.each([
    ['latency', 'model'],
    ['abc', 'abx1'],
    ['mistral', 'gemma'],
    ['x', 'y'],
    ['', 'model'],
    ['ab', 'abcdefgh'],
  ])('is none of another word: %s, %s', (written, name) => {
    expect(nearestSpellings(written, [name], 3)).toEqual([]);
  });

  it('is said where there is one; else nothing, or what there is', () => {
    expect(nearestHint('modle', ['model', 'task'])).toBe('The nearest is "model".');
    expect(nearestHint('latency', ['model', 'task'])).toBeUndefined();
    expect(nearestOrAll('latency', ['model', 'task'])).toBe('There is "model", "task".');
    expect(nearestOrAll('q', 'abcdefgh'.split(''))).toBe('There is "a", "b", "c", "d", "e", "f", and 2 more.');
    expect(nearestOrAll('latency', [])).toBeUndefined();
  });

  it('is looked for among many long names in a moment', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `${'a'.repeat(300)}${i}`);
    expect(nearestSpellings('a'.repeat(5000), names, 1)).toHaveLength(1);
  });
});
