import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Inference } from '../../src/inference/index.js';
import { leaderboardCsv, pairwiseCsv } from '../../src/inference/tables.js';
import { sha256 } from '../../src/io/digest.js';
import { noShared, shared } from '../support/shared.js';

type ReleasedModel = Readonly<Record<string, unknown>> & {
  readonly chance_comparison: { readonly holm_significant_above_chance: boolean };
};

/** The released document's analysis in our shape, as far as the tables read it. */
function releasedInference(): { inference: Inference; names: { name: string }[] } {
  const folder = readdirSync(shared('data/release'));
  const file = folder.find((name) => name.endsWith('.json'))!;
  const { analysis } = JSON.parse(readFileSync(shared(`data/release/${file}`), 'utf8'));
  const models = analysis.models.map((model: ReleasedModel, index: number) => ({
    index,
    modelId: model.model_id,
    score: model.flavourbench_score,
    pointwise: model.score_pointwise_95_ci,
    simultaneous: model.score_simultaneous_95_ci,
    rank: model.point_estimate_rank,
    rankInterval: model.bootstrap_rank_95_interval,
    group: model.statistical_rank_group,
    chance: { aboveChance: model.chance_comparison.holm_significant_above_chance },
  }));
  const pairs = analysis.pairwise_comparisons.map((pair: Record<string, never>) => ({
    left: pair.left_index,
    right: pair.right_index,
    meanDifference: pair.mean_difference,
    interval: pair.bootstrap_95_ci,
    dz: pair.cohen_dz,
    p: pair.sign_flip_p,
    holm: pair.holm_p,
    significant: pair.holm_significant,
    direction: pair.direction,
  }));
  return {
    inference: { tasks: 534, models, pairs } as unknown as Inference,
    names: analysis.models.map((model: Record<string, string>) => ({ name: model.model_name })),
  };
}

describe.skipIf(noShared)('released tables', () => {
  it('are written byte for byte', () => {
    const { inference, names } = releasedInference();
    const named = names.map(({ name }) => ({ modelId: '', name, slotId: null }));
    expect(sha256(leaderboardCsv(inference, named))).toMatch(/^fd751b51bfb4819a/);
    expect(sha256(pairwiseCsv(inference))).toMatch(/^510c784aa04b2a14/);
  });
});
