import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { firstProblem } from '../../src/util/schema.js';

const shape = z.strictObject({
  name: z.string(),
  level: z.enum(['low', 'high']),
  sizes: z.array(z.int()),
  rule: z.union([z.null(), z.object({ kind: z.object({ name: z.string() }) })]),
  flag: z.boolean({ error: 'the flag is true or false' }),
});
const good = { name: 'a', level: 'low', sizes: [1], rule: null, flag: true };

describe('the first problem of a value', () => {
  it.each([
    [null, 'the document', 'an object expected, found null'],
    [{ ...good, name: undefined }, 'name', 'a text expected, found nothing'],
    [{ ...good, name: ['x'] }, 'name', 'a text expected, found ["x"]'],
    [{ ...good, level: 0 }, 'level', '"low" or "high" expected, found 0'],
    [{ ...good, sizes: {} }, 'sizes', 'a list expected, found {}'],
    [{ ...good, sizes: [1, 0.5] }, 'sizes.1', 'a whole number expected, found 0.5'],
    [{ ...good, rule: 7 }, 'rule', 'a value of another form expected, found 7'],
    [{ ...good, rule: { kind: {} } }, 'rule.kind.name', 'a text expected, found nothing'],
    [{ ...good, flag: 1 }, 'flag', 'the flag is true or false, found 1'],
    [{ ...good, extra: 1 }, 'the document', 'Unrecognized key: "extra"'],
  ])('%j is told at its place, with what was found', (value, path, what) => {
    const { error } = shape.safeParse(value);
    expect(firstProblem(error as z.ZodError, value)).toEqual({ path, what });
  });
});
