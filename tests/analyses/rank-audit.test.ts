import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRanks, type RankAudit } from '../../src/analyses/rank-audit/audit.js';
import { drawRankAudit } from '../../src/analyses/rank-audit/figure.js';
import { rankAudit } from '../../src/analyses/rank-audit/rank-audit.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { DEFAULT_PLAN, FROZEN_CHOICES, statedInferencePlan } from '../../src/inference/plan.js';
import { goldenMatrix } from '../support/golden-matrix.js';
import { noShared } from '../support/shared.js';
import { smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});
afterAll(() => engine.close());

const level = (value: number) => Array.from({ length: 20 }, (_, t) => value + (t % 3));

const outcomeOf = (audit: RankAudit) => ({
  plan: {
    ...statedInferencePlan({ ...DEFAULT_PLAN, ...FROZEN_CHOICES, order: 'model-id', strata: 'family' }),
    ...{ metric: null, filter: null, common_tasks: false },
  },
  results: { ...audit, source: 'matrix', readings: [], tasks_dropped: 0, quantization: null },
  models: [],
});

describe('rank audit', () => {
  it('finds the pair that shares a rank, and the models that are told apart', async () => {
    const { audit } = await auditRanks({
      matrix: smallMatrix({ rows: [level(10), level(500), level(500), level(11)] }),
      plan: { draws: 500, flips: 5000 },
      engine,
    });
    expect(audit.tie_groups).toEqual([['m1', 'm2'], ['m3'], ['m0']]);
    expect(
      audit.models.map((model) => [model.rank, model.rank_tied, model.rank_set_simultaneous, model.letters]),
    ).toEqual([
      [1, true, [1, 2], 'a'],
      [1, true, [1, 2], 'a'],
      [3, false, [3, 3], 'b'],
      [4, false, [4, 4], 'c'],
    ]);
    expect(audit.separable_steps).toBe(2);
    expect(audit.separable_pairs).toBe(5);
    expect(audit.separable).toContainEqual(expect.objectContaining({ higher: 'm1', lower: 'm0', difference: 4.9 }));
    const words = rankAudit.words(outcomeOf(audit));
    expect(words).toContain('claims 3 steps; the data support 2 of them');
    expect(words).toContain('5 of 6 pairs');
    const columns = rankAudit.columns(outcomeOf(audit));
    expect(columns.find(({ name }) => name === 'separable_from_next')?.values).toEqual([false, true, true, null]);
  });

  it('says that a single model has no order, and that a tie is no order', async () => {
    const plan = { draws: 50, flips: 100 };
    const alone = await auditRanks({ matrix: smallMatrix({ rows: [level(1)] }), plan, engine });
    expect(rankAudit.words(outcomeOf(alone.audit))).toContain('no order');
    const tied = await auditRanks({
      matrix: smallMatrix({ rows: [level(1), level(1)] }),
      plan,
      engine,
    });
    expect(tied.audit.tie_groups).toEqual([['m0', 'm1']]);
    expect(rankAudit.words(outcomeOf(tied.audit))).toContain('m0 and m1 share the highest score');
  });

  it('draws the same figure each time, with names escaped', async () => {
    const matrix = {
      ...smallMatrix({ rows: [level(1), level(9)] }),
      models: ['<a&b>', 'x'.repeat(80)],
    };
    const { audit } = await auditRanks({ matrix, plan: { draws: 50, flips: 100 }, engine });
    const svg = drawRankAudit(audit, { theme: 'light', size: 'screen', alpha: 0.05 });
    expect(drawRankAudit(audit, { theme: 'light', size: 'screen', alpha: 0.05 })).toBe(svg);
    expect(svg).toContain('&lt;a&amp;b&gt;');
    expect(svg).not.toContain('x'.repeat(40));
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  it.skipIf(noShared)('finds in golden/a the groups and separable pairs that the leaderboard has', async () => {
    const plan = { test: 'sign-flip', multiplicity: 'holm' } as const;
    const { audit } = await auditRanks({ matrix: goldenMatrix('a'), plan, engine });
    expect(audit.separable_pairs).toBe(167);
    expect(audit.tie_groups.map((group) => group.length)).toEqual([8, 11, 8]);
    expect(audit.separable_steps).toBe(0);
  });

  it.skipIf(noShared)('tells three pairs more of golden/a apart by its own test and control', async () => {
    const { audit, inference } = await auditRanks({ matrix: goldenMatrix('a'), engine });
    expect(inference.plan).toMatchObject({ test: 'centred', multiplicity: 'max-t' });
    expect(audit.separable_pairs).toBe(170);
    expect(audit.separable_steps).toBe(0);
  });
});
