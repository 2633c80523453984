import { expect, it } from 'vitest';
import { openWasmMapKernels } from '../../src/engine/wasm/maps.js';
import { ASSETS } from '../../src/environment/assets.js';
import { ordinalRanksDescending, pairAgreement } from '../../src/inference/rank-agreement.js';
import { compareMaps } from '../../src/tasks/maps-compare.js';
import { readMapFile } from '../../src/tasks/maps-read.js';
import { rescoreMaps } from '../../src/tasks/maps-rescore.js';
import { averageSpearman } from '../../src/util/correlation.js';
import { sharedCheckpoint } from '../support/checkpoint.js';
import { FAMILIES } from '../support/golden-pool.js';
import { shared } from '../support/shared.js';
import { CHECKPOINTS, type Document, type PublicInputs } from './inputs.js';
import type { PublishedValues } from './values.js';

/** The same answers under other reward models. */
export function checkpointValues(
  published: PublishedValues,
  inputs: PublicInputs,
  analysis: (name: string) => Document,
): void {
  it('checkpoints: the plan, the files by digest, the ingredients the core needs', () => {
    const { files, core } = inputs;
    const { seed, plan } = analysis('checkpoints');
    published.constant(Number(seed), 'scorer.seed');
    published.constant(plan.draws, 'scorer.replicates');
    const needed = core.ids.flatMap((id) => {
      const { anchor, choices } = files.byId.get(id)!;
      return [anchor, ...choices];
    });
    published.equal(new Set(needed).size, 'scorer.required_ingredients');
    const asset = (id: string) => ASSETS.find((file) => file.id === id)!;
    for (const checkpoint of CHECKPOINTS) {
      const at = `scorer.checkpoint.${checkpoint}`;
      const part = (file: string) => asset(`epicure-${checkpoint}/${file}`);
      const [, owner, repository, , revision] = new URL(part('config.json').url!).pathname.split('/');
      published.constant(`${owner}/${repository}`, `${at}.repo_id`);
      published.constant(revision, `${at}.revision`);
      published.constant(part('embeddings.safetensors').sha256, `${at}.embeddings_sha256`);
      published.constant(part('config.json').sha256, `${at}.config_sha256`);
      published.constant(part('vocab.json').sha256, 'scorer.checkpoint.vocab_sha256');
    }
    published.constant(asset('runtime/ingredient_tags.csv').sha256, 'scorer.ingredient_tags_sha256');
  });

  it('checkpoints: task maps of Cooc and Core from their vectors', async () => {
    const kernels = openWasmMapKernels();
    const rows = [...readMapFile(shared('golden/lab/tasks-534.jsonl')).rows];
    for (const name of ['cooc', 'core'] as const) {
      const rescored = rescoreMaps({ environment: await sharedCheckpoint(name), kernels, rows });
      const { summary } = compareMaps(rows, rescored.rows);
      expect(summary.tasks).toBe(534);
      const near = (found: number | readonly number[], key: string, tolerance: number) =>
        published.near(found, `scorer.${name}.${key}`, 'inputs', tolerance);
      near(summary.rank_median, 'task_map_rho_median', 1e-12);
      near(summary.rank_quartiles, 'task_map_rho_iqr', 5e-5);
      near(summary.rank_95, 'task_map_rho_p95', 5e-5);
      near(summary.pearson_mean, 'task_map_pearson_mean', 5e-7);
      near(summary.pearson_median, 'task_map_pearson_median', 1e-5);
      near(summary.mean_absolute_chance_shift, 'mean_absolute_chance_score_shift', 1e-5);
      published.equal(summary.same_optimum_rate, `scorer.${name}.exact_optimum_set_agreement_rate`);
    }
  });

  it('checkpoints: means, ranks, agreement, shifts and leaders of the three published boards', () => {
    const { ids, scores, leader } = inputs;
    const rhos: number[] = [];
    const pairs: number[] = [];
    for (const checkpoint of CHECKPOINTS) {
      const at = `scorer.${checkpoint}`;
      const near = (found: number, key: string) => published.near(found, `${at}.${key}`, 'values');
      const equal = (found: unknown, key: string) => published.equal(found, `${at}.${key}`, 'values');
      const board = ids.map((id) => published.at(`${at}.model.${id}.score`));
      const ranks = ordinalRanksDescending(board);
      ids.forEach((id, m) => {
        const own = FAMILIES.map((family) => published.at(`${at}.model.${id}.${family}_score`));
        near(own.reduce((a, b) => a + b, 0) / 3, `model.${id}.score`);
        equal(ranks[m], `model.${id}.point_rank`);
      });
      rhos.push(averageSpearman(board, scores)!);
      pairs.push(pairAgreement(board, scores));
      near(rhos.at(-1)!, 'model_rank_spearman');
      near(pairs.at(-1)!, 'pair_order_agreement');
      const top = ids[board.indexOf(Math.max(...board))];
      equal(top, 'point_leader');
      equal(top === leader, 'point_leader_preserved');
      const shifts = board.map((score, m) => Math.abs(score - scores[m]!));
      near(Math.max(...shifts), 'maximum_absolute_score_shift');
      near(shifts.reduce((a, b) => a + b, 0) / 27, 'mean_absolute_score_shift');
    }
    for (const [edge, of] of [
      ['minimum', Math.min],
      ['maximum', Math.max],
    ] as const) {
      published.near(of(...rhos), `scorer.${edge}_model_rank_spearman`, 'values');
      published.near(of(...pairs), `scorer.${edge}_pair_order_agreement`, 'values');
    }
  });
}
