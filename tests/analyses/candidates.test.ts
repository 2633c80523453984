import { describe, expect, it } from 'vitest';
import { candidatesFromCsv } from '../../src/analyses/candidates.js';
import { filterComparison } from '../../src/analyses/filter/comparison.js';
import { PROPERTIES } from '../../src/analyses/filter/property.js';
import { rosterOmission } from '../../src/analyses/roster/omission.js';
import { coreOrderKey } from '../../src/tasks/coreplan.js';
import { expectedAnalyses } from '../support/golden-analyses.js';
import { CORE_SEED, FAMILIES, goldenPool, PANELS, releasedTasks } from '../support/golden-pool.js';
import { noShared } from '../support/shared.js';

describe('a candidate pool', () => {
  const task = (id: string) => ({ id, panel: 'p', family: 'f', category: 'c' });

  it('needs three models for one to be left out', () => {
    expect(() =>
      rosterOmission({
        pool: {
          models: ['a', 'b'],
          tasks: [task('s')],
          valid: new Uint8Array(2).fill(1),
          scores: new Float64Array(2),
        },
        panels: ['p'],
        families: ['f'],
        seed: 'x',
        perStratum: 1,
      }),
    ).toThrow('the pool has 2 models');
  });

  it('names the stratum that runs short, and without whom', () => {
    expect(() =>
      rosterOmission({
        pool: {
          models: ['a', 'b', 'c'],
          tasks: [task('s'), task('t')],
          valid: Uint8Array.of(1, 0, 1, 1, 1, 1),
          scores: new Float64Array(6),
        },
        panels: ['p'],
        families: ['f'],
        seed: 'x',
        perStratum: 2,
      }),
    ).toThrow('p f: 1 eligible tasks; 2 are needed');
  });

  it('refuses a task that stands twice', () => {
    const row = 't,p,f,c,1,100';
    const text = `task_id,panel,family,primary_category,valid:a,bps:a\n${row}\n${row}\n`;
    expect(() => candidatesFromCsv(text, 'pool.csv')).toThrow('pool.csv, line 3: task "t" stands twice');
  });
});

describe.skipIf(noShared)('analyses of a candidate pool (released data needed)', () => {
  const near = (found: number, wanted: number, label: string) =>
    expect(Math.abs(found - wanted), label).toBeLessThan(1e-9);

  it('leaves each model out and reselects', () => {
    const found = rosterOmission({
      pool: goldenPool(),
      panels: PANELS,
      families: FAMILIES,
      seed: CORE_SEED,
      perStratum: 89,
    });
    const { rows, most_influential } = expectedAnalyses().roster;
    expect(found.most_influential).toBe(most_influential);
    found.omissions.forEach((row, i) => {
      const wanted = rows[i];
      expect(row.omitted).toBe(wanted.omitted);
      expect(row.kept_tasks).toBe(wanted.selected_task_overlap);
      expect(row.least_available).toBe(wanted.minimum_available);
      expect(row.leader).toBe(wanted.loo_leader);
      expect(row.original_leader).toBe(wanted.official_leader);
      expect(row.leader_kept).toBe(wanted.leader_preserved);
      near(row.rank_spearman, wanted.rank_spearman, row.omitted);
      near(row.pair_order_agreement, wanted.pair_order_agreement, row.omitted);
      near(row.mean_absolute_shift, wanted.mean_absolute_score_shift, row.omitted);
      near(row.maximum_absolute_shift, wanted.maximum_absolute_score_shift, row.omitted);
    });
  });

  it('compares selected tasks with the rest of their pools', () => {
    const pool = goldenPool();
    const tasks = releasedTasks();
    const T = pool.tasks.length;
    const selected = new Set<string>();
    for (const panel of PANELS)
      for (const family of FAMILIES) {
        pool.tasks
          .flatMap((task, t) =>
            task.panel === panel && task.family === family && pool.models.every((_, m) => pool.valid[m * T + t] === 1)
              ? [task.id]
              : [],
          )
          .sort((a, b) =>
            coreOrderKey(CORE_SEED, panel, family, a) < coreOrderKey(CORE_SEED, panel, family, b) ? -1 : 1,
          )
          .slice(0, 89)
          .forEach((id) => {
            selected.add(id);
          });
      }
    const wanted = expectedAnalyses().selection_profile;
    const found = filterComparison({
      pool,
      maps: pool.tasks.map(({ id }) => tasks.get(id)!.scores),
      chance: pool.tasks.map(({ id }) => tasks.get(id)!.chance),
      margin: pool.tasks.map(({ id }) => tasks.get(id)!.margin),
      selected,
      gateModel: wanted.excluded_endpoint,
      panels: PANELS,
      families: FAMILIES,
      draws: 20_000,
      alpha: 0.05,
      random: { kind: 'numpy', seed: 20260825n },
    });
    found.comparisons.forEach((row, i) => {
      const row2 = wanted.comparisons[i];
      const label = `${row.panel} ${row.family} ${row.characteristic}`;
      expect(row.exceedances, label).toBe(row2.exceed);
      expect(row.p, label).toBe(row2.p);
      near(row.holm_p, row2.holm_p, label);
      if (row.characteristic === 'category') near(row.total_variation!, row2.total_variation, label);
      else near(row.standardized_difference!, row2.standardized_difference, label);
    });
    expect(found.comparisons).toHaveLength(42);
    near(found.largest_standardized_difference, wanted.max_abs_standardized, 'largest difference');
    near(found.largest_total_variation, wanted.max_tv, 'largest distance');
    expect(found.resolved).toBe(wanted.resolved);
    const gate = wanted.validity_gate;
    expect(found.validity_gate).toHaveLength(gate.length);
    found.validity_gate.forEach((row, i) => {
      expect(row.valid).toBe(gate[i].valid);
      near(row.standardized_difference, gate[i].standardized_difference, row.property);
    });
    expect(PROPERTIES).toHaveLength(6);
  });
});
