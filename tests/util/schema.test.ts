import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checked } from '../../src/util/schema.js';

const shape = z.strictObject({
  name: z.string(),
  level: z.enum(['low', 'high']),
  sizes: z.array(z.int()),
  rule: z.union([z.null(), z.object({ kind: z.object({ name: z.string() }) })]),
  flag: z.boolean({ error: 'the flag is true or false' }),
});
const good = { name: 'a', level: 'low', sizes: [1], rule: null, flag: true };

describe('a value held against a schema', () => {
  it.each([
    [null, 'the document', 'an object expected, found null'],
    [{ ...good, name: undefined }, 'name', 'a text expected, found nothing'],
    [{ ...good, name: ['x'] }, 'name', 'a text expected, found ["x"]'],
    [{ ...good, level: 0 }, 'level', '"low" or "high" expected, found 0'],
    [{ ...good, sizes: {} }, 'sizes', 'a list expected, found {}'],
    [{ ...good, sizes: [1, 0.5] }, 'sizes[1]', 'a whole number expected, found 0.5'],
    [{ ...good, rule: 7 }, 'rule', 'a value of another form expected, found 7'],
    [{ ...good, rule: { kind: {} } }, 'rule.kind.name', 'a text expected, found nothing'],
    [{ ...good, flag: 1 }, 'flag', 'the flag is true or false, found 1'],
    [{ ...good, extra: 1 }, 'extra', 'is not a known key'],
  ])('is told at its place, with what was found: %j', (value, path, what) => {
    expect(() => checked(shape, value, { file: 'a.json' }, 'Mend it.')).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_INVALID',
        message: `a.json: ${path}: ${what}`,
        hint: 'Mend it.',
        where: { file: 'a.json', path },
      }),
    );
  });

  it('has its path joined to that of the place, under the code that is asked for', () => {
    const place = { file: 'a.json', path: 'routes[2]' };
    expect(() => checked(shape, { ...good, sizes: ['x'] }, place, undefined, 'DESIGN_INVALID')).toThrow(
      expect.objectContaining({ code: 'DESIGN_INVALID', where: { file: 'a.json', path: 'routes[2].sizes[0]' } }),
    );
    expect(() => checked(shape, 1, place)).toThrow(/^a\.json: routes\[2\]: an object expected, found 1$/);
  });

  it('comes back as the schema reads it', () => {
    expect(checked(shape, good, {})).toEqual(good);
  });
});
