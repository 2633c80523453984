import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkpointAgreement } from '../../src/analyses/checkpoints/other-maps.js';
import { createEngine } from '../../src/engine/index.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';
import { expectedAnalyses, goldenA } from '../support/golden-analyses.js';
import { noShared, shared } from '../support/shared.js';

describe('scores under another checkpoint, drawn by counters,', () => {
  const families = ['a', 'b', 'c'];
  const matrix = {
    models: ['m', 'n', 'o'],
    tasks: ['1', '2', '3', '4', '5', '6'],
    panels: Array<string>(6).fill('p'),
    families: [...families, ...families],
    clusters: ['1', '2', '3', '4', '5', '6'],
  };
  const actions = Int32Array.from({ length: 18 }, (_, i) => (i * 7) % 56);
  const rows = (step: number) =>
    matrix.tasks.map((id, t) => ({
      id,
      family: matrix.families[t]!,
      panel: 'p',
      keys: PORTFOLIOS,
      scores: Uint16Array.from({ length: 56 }, (_, k) => (k === t ? 10_000 : ((k + t) * step) % 9000)),
      task: null,
    }));

  it('have the same digits on every backend', async () => {
    const maps = rows(731);
    const values = Float64Array.from(actions, (action, at) => maps[at % 6]!.scores[action]!);
    const texts: string[] = [];
    for (const backend of ['reference', 'wasm', 'pool'] as const) {
      const engine = await createEngine({ backend });
      const found = await checkpointAgreement({
        matrix: { ...matrix, scale: 100, values },
        maps,
        actions,
        checkpoints: [{ name: 'x', maps: rows(977) }],
        order: 'model-id',
        draws: 500,
        random: { kind: 'philox', seed: 3n },
        engine,
      });
      texts.push(JSON.stringify(found));
      await engine.close();
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).not.toContain('null');
  });
});

describe.skipIf(noShared)('scores under another checkpoint (released data needed)', () => {
  it('replay the published bootstrap on replacement maps', async () => {
    const { matrix, maps, actions } = goldenA();
    const row = (id: string, scores: Uint16Array, t: number) => ({
      id,
      family: matrix.families[t]!,
      panel: matrix.panels[t]!,
      keys: PORTFOLIOS,
      scores,
      task: null,
    });
    const replaced = readFileSync(shared('golden/analyses/replacement_maps.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line, t) => {
        const { task_id, selection_scores_bps: map } = JSON.parse(line);
        return row(
          task_id,
          Uint16Array.from(PORTFOLIOS, (key) => map[key]),
          t,
        );
      });
    const engine = await createEngine({ backend: 'reference' });
    const [found] = await checkpointAgreement({
      matrix,
      maps: matrix.tasks.map((id, t) => row(id, maps[t]!, t)),
      actions,
      checkpoints: [{ name: 'replacement', maps: replaced }],
      order: 'rows',
      draws: 20_000,
      random: { kind: 'numpy', seed: 20260826n },
      engine,
    });
    await engine.close();
    const wanted = expectedAnalyses().scorer;
    const near = (x: number | null, y: number, label: string) => expect(Math.abs(x! - y), label).toBeLessThan(1e-9);
    const map = found!.task_maps;
    near(map.rank_median, wanted.task_map.rho_median, 'rho median');
    near(map.rank_quartiles[0], wanted.task_map.rho_iqr[0], 'rho quartile');
    near(map.rank_95[1], wanted.task_map.rho_p95[1], 'rho 97.5%');
    near(map.pearson_mean, wanted.task_map.pearson_mean, 'pearson mean');
    near(map.same_optimum_rate, wanted.task_map.optimum_set_agreement, 'optima');
    near(map.mean_absolute_chance_shift, wanted.task_map.mean_abs_chance_shift, 'chance shift');
    near(found!.rank_spearman, wanted.board.rank_spearman, 'board rho');
    near(found!.pair_order_agreement, wanted.board.pair_order_agreement, 'board pairs');
    near(found!.mean_absolute_shift, wanted.board.mean_absolute_score_shift, 'mean shift');
    near(found!.maximum_absolute_shift, wanted.board.maximum_absolute_score_shift, 'max shift');
    expect(found!.leader).toBe(wanted.board.leader);
    const { bootstrap } = found!;
    near(bootstrap.rank_spearman.median, wanted.bootstrap.rank_spearman_median, 'boot rho');
    near(bootstrap.rank_spearman.low, wanted.bootstrap.rank_spearman_ci[0], 'boot rho low');
    near(bootstrap.rank_spearman.high, wanted.bootstrap.rank_spearman_ci[1], 'boot rho high');
    near(bootstrap.pair_order_agreement.median, wanted.bootstrap.pair_median, 'boot pairs');
    near(bootstrap.pair_order_agreement.low, wanted.bootstrap.pair_ci[0], 'boot pairs low');
    near(bootstrap.pair_order_agreement.high, wanted.bootstrap.pair_ci[1], 'boot pairs high');
    near(bootstrap.same_leader, wanted.bootstrap.same_leader, 'same leader');
    near(bootstrap.released_leader_alternative, wanted.bootstrap.release_leader_alternative, 'leader, other maps');
    near(bootstrap.released_leader_original, wanted.bootstrap.release_leader_original, 'leader, released maps');
  });
});
