import { describe, expect, it } from 'vitest';
import { rankAudit } from '../../src/analyses/index.js';
import { parseClaim } from '../../src/analyses/rank-audit/claims.js';
import { matrixFromRows } from '../../src/core/matrix-rows.js';
import { createEngine } from '../../src/engine/index.js';

describe('a claim A > B', () => {
  it('is read whatever signs and blanks the names hold', () => {
    expect(parseClaim('a > b', ['a', 'b'])).toEqual(['a', 'b']);
    expect(parseClaim('a>b', ['a', 'b'])).toEqual(['a', 'b']);
    expect(parseClaim('a > b > c', ['a > b', 'c'])).toEqual(['a > b', 'c']);
    expect(parseClaim(' my model  >  x->y', ['my model', 'x->y'])).toEqual(['my model', 'x->y']);
    expect(parseClaim(' a > b', [' a ', 'b'])).toEqual([' a ', 'b']);
  });

  it('is refused where it can be read in two ways, names one model twice or none', () => {
    const refused = (claim: string, models: readonly string[]) => {
      try {
        parseClaim(claim, models);
      } catch (error) {
        return error as { code: string; message: string; hint: string };
      }
      throw new Error('it was read');
    };
    expect(refused('a > b > c', ['a', 'b > c', 'a > b', 'c']).message).toContain('2 ways');
    expect(refused('a > a', ['a', 'b']).message).toContain('one model twice');
    expect(refused('a better than b', ['a', 'b']).message).toContain('not of the form A > B');
    expect(refused('gpt-larg > small', ['gpt-large', 'small'])).toMatchObject({
      code: 'MODEL_UNKNOWN',
      hint: 'The nearest is "gpt-large".',
    });
    expect(refused('small > gpt-larg', ['gpt-large', 'small']).message).toContain('"gpt-larg"');
  });
});

describe('claims that are checked', () => {
  const tasks = Array.from({ length: 40 }, (_, t) => t);
  const row = (share: number, shift = 0) => tasks.map((t) => Number((t * 7 + shift) % 40 < share));
  const matrix = matrixFromRows({
    models: ['low', 'twin', 'high', 'near'],
    tasks: tasks.map((t) => `t${t}`),
    values: [row(8), row(8), row(36), row(33, 5)],
  });

  it.each(['holm', 'max-t'] as const)('follow the test in force, under %s', async (multiplicity) => {
    const engine = await createEngine({ backend: 'wasm' });
    const failUnless = ['high > low', 'low > high', 'high > near', 'near > high', 'low > twin'];
    const { results, plan } = await rankAudit({ matrix, engine, multiplicity, draws: 200, flips: 5000, failUnless });
    await engine.close();
    expect(plan.fail_unless).toEqual(failUnless);
    const [sure, reversed, open, below, equal] = results.conditions!;
    expect(sure).toMatchObject({ holds: true, decision: 'higher', higher: 'high', lower: 'low', more_tasks: null });
    expect(sure!.difference).toBeCloseTo(28 / 40, 12);
    expect(sure!.adjusted_p).toBeLessThan(0.05);
    expect(reversed).toMatchObject({ holds: false, decision: 'lower', more_tasks: null });
    expect(open!.holds).toBe(false);
    expect(open!.adjusted_p).toBeGreaterThan(0.05);
    expect(open!.more_tasks).toBeGreaterThan(0);
    expect(below).toMatchObject({ holds: false, more_tasks: null });
    expect(equal).toMatchObject({ holds: false, decision: 'identical', difference: 0, more_tasks: null });
  });

  it('stand in no document where a call makes none', async () => {
    const engine = await createEngine({ backend: 'wasm' });
    const { results, plan } = await rankAudit({ matrix, engine, draws: 200, flips: 500 });
    await engine.close();
    expect(Object.keys(results)).not.toContain('conditions');
    expect(Object.keys(plan)).not.toContain('fail_unless');
  });
});
