import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { inferenceResults } from '../../src/inference/inference-document.js';
import { readLeaderboard } from '../../src/inference/read-leaderboard.js';
import { canonicalJson } from '../../src/io/canonical.js';
import { smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'reference' });
});
afterAll(() => engine.close());

const matrix = smallMatrix({
  rows: [
    [1, 7, 3, 9],
    [2, 2, 2, 2],
    [8, 1, 0, 5],
  ],
  panels: ['panel_1', 'panel_1', 'panel_2', 'panel_2'],
  families: ['pairing', 'fish', 'pairing', 'fish'],
  chance: [3, 3, 3, 3],
});
const names = matrix.models.map((modelId, m) => ({ modelId, name: `Model ${m}`, slotId: m === 0 ? 'R01' : null }));

describe('the results of a document', () => {
  it.each([0.05, 0.1])('read back into the inference that they state, at alpha %d', async (alpha) => {
    const inference = await runInference({ matrix, names, engine, plan: { draws: 50, flips: 60, alpha } });
    const results = JSON.parse(canonicalJson(inferenceResults({ matrix, inference })));
    const {
      strata: _,
      streams: __,
      redraws: ___,
      emptied: __________,
      weights: ____,
      warnings: _____,
      neighbours: ______,
      pairTable: ____________,
      pairSummary: ___________,
      ...leaderboard
    } = inference;
    const { rng: _______, strata: ________, scheme: _________, ...plan } = inference.plan;
    expect(readLeaderboard(results, {})).toEqual({ ...leaderboard, plan });
  });

  it('name the field that is not what it must be', async () => {
    const inference = await runInference({ matrix, names, engine, plan: { draws: 50, flips: 60 } });
    const results = () => JSON.parse(canonicalJson(inferenceResults({ matrix, inference })));
    const read = (change: (value: ReturnType<typeof results>) => void) => () => {
      const value = results();
      change(value);
      return readLeaderboard(value, { file: 'inference.json', path: 'results' });
    };
    const place = (path: string) =>
      expect.objectContaining({ code: 'SCHEMA_INVALID', where: { file: 'inference.json', path } });
    expect(read((r) => delete r.models[1].score_pointwise_95_ci)).toThrow(
      place('results.models[1].score_pointwise_95_ci'),
    );
    expect(read((r) => (r.pairwise_comparisons[2].direction = 'up'))).toThrow(
      place('results.pairwise_comparisons[2].direction'),
    );
    expect(read((r) => (r.definitive_top_model_id = 'nobody'))).toThrow(place('results.definitive_top_model_id'));
    expect(read((r) => (r.panel_replication.models[0].panel_1 = null))).toThrow(
      place('results.panel_replication.models[0].panel_1'),
    );
  });
});
