import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { interpret, type StudySettings, transferStudy } from '../../src/analyses/contrast/study.js';
import { createEngine } from '../../src/engine/index.js';
import type { Task } from '../../src/tasks/task.js';
import type { CompletionGrid, Run } from '../../src/transfer/completion.js';
import { BASE, CONTROL, TREATMENT } from '../../src/transfer/condition.js';
import { transferStrata } from '../../src/transfer/transfer-strata.js';
import { expectedAnalyses } from '../support/golden-analyses.js';
import { noShared, shared } from '../support/shared.js';

const PROTOCOL = '9256abd79a522898da08406d780a7bf1c06fa50cd156ba1381df42d15bc9e7ec';
const SEEDS = [20260824, 20260825, 20260826];

interface Facts {
  readonly task_id: string;
  readonly panel: string;
  readonly family: string;
  readonly anchor: string;
}

function taskOf({ task_id, panel, family, anchor }: Facts): Task {
  const scores = new Uint16Array(56);
  return {
    ...{ id: task_id, panel, family, anchor, cluster: anchor, stratum: 1, category: '' },
    ...{ prompt: '', choices: [], scores, optimal: 0, chance: 3000, margin: 0 },
  };
}

function runOf(condition: string, seed: number | null, bps: readonly number[]): Run {
  return {
    ...{ condition, seed, scores: Int32Array.from(bps) },
    outcomes: bps.map(() => 'ok' as const),
    texts: bps.map(() => ''),
  };
}

const plan = (random: StudySettings['random'], more: Partial<StudySettings> = {}): StudySettings => ({
  ...{ stage: 'primary', draws: 50_000, flips: 100_000, alpha: 0.05, threshold: 3 },
  random,
  ...more,
});

/** A small grid with unequal strata. */
function smallGrid(): CompletionGrid {
  const tasks = Array.from({ length: 22 }, (_, i) =>
    taskOf({
      task_id: `t${i}`,
      panel: i % 2 === 0 ? 'panel_1' : 'panel_2',
      family: i % 5 === 0 ? 'pairing' : 'substitution',
      anchor: `a${i}`,
    }),
  );
  const bps = (k: number) => tasks.map((_, i) => (i * 7919 + k * 104_729) % 10_001);
  return {
    tasks,
    runs: [
      runOf(BASE, null, bps(1)),
      ...SEEDS.map((seed, k) => runOf(CONTROL, seed, bps(k + 2))),
      ...SEEDS.map((seed, k) => runOf(TREATMENT, seed, bps(k + 5))),
    ],
  };
}

describe.skipIf(noShared)('the synthetic transfer study (golden data needed)', () => {
  it('has the estimates, intervals, p-values and seeds of an independent computation', async () => {
    const data = JSON.parse(readFileSync(shared('golden/analyses/transfer_synthetic.json'), 'utf8'));
    const expected = expectedAnalyses().transfer;
    const arm = (condition: string, rows: number[][]) => rows.map((bps, k) => runOf(condition, SEEDS[k]!, bps));
    const grid: CompletionGrid = {
      tasks: data.tasks.map(taskOf),
      runs: [
        runOf(BASE, null, data.base_bps),
        ...arm(CONTROL, data.control_bps),
        ...arm(TREATMENT, data.treatment_bps),
      ],
    };
    const engine = await createEngine({ backend: 'wasm' });
    const study = await transferStudy(grid, plan({ kind: 'numpy', protocolSha256: PROTOCOL }), engine);
    await engine.close();
    for (const [found, want] of [
      [study.contrast, expected.treatment_minus_control],
      [study.base_contrasts[1]!, expected.control_minus_base],
    ] as const) {
      expect([found.label, found.exceedances, found.sign_flip_p]).toEqual([want.label, want.exceedances, want.p]);
      expect([found.bootstrap_seed, found.sign_flip_seed].map(Number)).toEqual([
        want.bootstrap_rng_seed,
        want.sign_flip_rng_seed,
      ]);
      const { count: _, ...anchors } = found.anchors;
      const numbers = (c: object) => Object.values(c) as number[];
      const mine = [found.estimate, ...found.interval, ...found.per_seed, ...numbers(anchors)];
      const theirs = [
        ...[want.estimate_points, ...want.confidence_interval_95, ...want.per_seed],
        ...[want.mean, want.median, want.sd, want.positive, want.zero],
      ];
      mine.forEach((x, i) => {
        expect(Math.abs(x - theirs[i])).toBeLessThan(1e-12);
      });
    }
    expect(study.interpretation).toBe('inconclusive_at_preregistered_alpha');
  });
});

describe('a study under philox', () => {
  const grid = smallGrid();
  const philox = plan({ kind: 'philox', seed: 11n }, { draws: 2000, flips: 20_000 });

  it('is the same on every backend', async () => {
    const texts: string[] = [];
    for (const backend of ['reference', 'wasm', 'pool'] as const) {
      const engine = await createEngine({ backend });
      texts.push(JSON.stringify(await transferStudy(grid, philox, engine)));
      await engine.close();
    }
    expect(new Set(texts).size).toBe(1);
  });

  it('weighs unequal strata equally', async () => {
    const strata = transferStrata(grid.tasks);
    const means = strata.members.map((members) =>
      Array.from(members, (t) => grid.runs[0]!.scores[t]! / 100).reduce((a, b) => a + b, 0),
    );
    const expected = means.reduce((sum, total, s) => sum + total / strata.members[s]!.length, 0) / means.length;
    const engine = await createEngine({ backend: 'wasm' });
    const { conditions } = await transferStudy(grid, philox, engine);
    await engine.close();
    expect(conditions[0]!.score).toBeCloseTo(expected, 10);
  });

  it('refuses unmatched seeds, a missing arm and a family without a task in a panel', async () => {
    const engine = await createEngine({ backend: 'wasm' });
    const without = (drop: (run: Run) => boolean) =>
      transferStudy({ ...grid, runs: grid.runs.filter((run) => !drop(run)) }, philox, engine);
    await expect(without((run) => run.condition === CONTROL && run.seed === SEEDS[0])).rejects.toThrow(
      /must be the same/,
    );
    await expect(without((run) => run.condition === TREATMENT)).rejects.toThrow(/must be the same/);
    await engine.close();
    const lone = grid.tasks.map((t) => (t.family === 'pairing' ? { ...t, panel: 'panel_1' } : t));
    expect(() => transferStrata(lone)).toThrow(/no pairing task of panel_2/);
  });
});

describe('the interpretation of an effect', () => {
  const say = (estimate: number, low: number, high: number, p: number) =>
    interpret({ estimate, interval: [low, high], sign_flip_p: p }, { alpha: 0.05, threshold: 3 });
  it('needs interval and p to agree, and the estimate to reach the threshold', () => {
    expect(say(3, 0.1, 5, 0.01)).toMatch(/^positive_and_meets/);
    expect(say(2.9, 0.1, 5, 0.01)).toMatch(/^positive_but_below/);
    expect(say(-4, -6, -1, 0.01)).toBe('negative_difference_detected');
    expect(say(4, 0.1, 5, 0.05)).toMatch(/^inconclusive/);
    expect(say(4, 0, 5, 0.01)).toMatch(/^inconclusive/);
  });
});
