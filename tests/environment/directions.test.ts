import { describe, expect, it } from 'vitest';
import { findDirection, needDirection } from '../../src/environment/directions.js';
import type { Direction } from '../../src/environment/environment.js';

const space = (...names: string[]) => ({
  name: 'small',
  directions: new Map(
    names.map((name): [string, Direction] => [name, { name, kind: 'axis', unit: Float64Array.of(1), source: 'test' }]),
  ),
});

describe('a direction by name', () => {
  const small = space('East_Asian', 'cf_sweet', 'directions:East_Asian', 'nova');

  it.each([
    ['East_Asian', 'East_Asian'],
    ['east asian', 'East_Asian'],
    ['sweet', 'cf_sweet'],
    ['cf_nova', 'nova'],
    ['directions:East_Asian', 'directions:East_Asian'],
  ])('%j names %s', (asked, name) => {
    expect(needDirection(small, asked).name).toBe(name);
  });

  it('is missing where nothing has the name, and the error says what there is', () => {
    expect(findDirection(small, 'asian')).toBeUndefined();
    expect(() => needDirection(small, 'asian')).toThrow(
      expect.objectContaining({
        code: 'DIRECTION_UNKNOWN',
        hint: expect.stringMatching(/^(?:The nearest|There) is ".*"\. `env show .*` lists all\.$/),
      }),
    );
    expect(() => needDirection(space(), 'x')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('no directions') }),
    );
  });
});
