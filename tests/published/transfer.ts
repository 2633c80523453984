import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { interpret, transferStudy } from '../../src/analyses/contrast/study.js';
import { createEngine } from '../../src/engine/index.js';
import { completionGrid, readCompletions } from '../../src/transfer/completion.js';
import { type StreamUse, streamSeed } from '../../src/transfer/stream.js';
import { FAMILIES } from '../support/golden-pool.js';
import { type PublicInputs, primaryCompletions, type TransferDocument } from './inputs.js';
import type { PublishedValues } from './values.js';

const CONTRASTS = ['', '.treatment_minus_base', '.control_minus_base'];
const TRAINED = ['sft_format_control', 'sft_epicure_optimum'];
const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;

/** The transfer study: the primary stage from its completions, the replication as far as its published parts fix the rest. */
export function transferValues(
  published: PublishedValues,
  inputs: PublicInputs,
  document: () => TransferDocument,
): void {
  const near = (found: number | readonly (number | null)[] | null, key: string) =>
    published.near(found, `transfer.${key}`, 'inputs', 1e-12);
  const equal = (found: unknown, key: string) => published.equal(found, `transfer.${key}`);

  it('transfer: the plan, and the labels and streams of all six contrasts', async () => {
    const { plan, results } = document();
    equal(results.training_seeds, 'seeds');
    published.constant(plan.draws, 'transfer.bootstrap_resamples');
    published.constant(plan.flips, 'transfer.sign_flip_resamples');
    published.constant(plan.alpha, 'transfer.alpha');
    published.constant(plan.threshold_points, 'transfer.practical_threshold_points');
    const protocol = published.at<string>('transfer.protocol_sha256');
    const path = primaryCompletions();
    const grid = completionGrid(readCompletions(readFileSync(path, 'utf8'), path), inputs.files.byId);
    const engine = await createEngine({ backend: 'wasm' });
    const study = { draws: 1, flips: 1, alpha: 0.05, threshold: 3 };
    const random = { kind: 'philox', seed: 1n } as const;
    const other = await transferStudy(grid, { ...study, stage: 'secondary', random }, engine);
    await engine.close();
    const seed = (label: string, use: StreamUse) => Number(streamSeed(protocol, label, use));
    for (const [stage, found] of [
      ['primary', results],
      ['public', other],
    ] as const) {
      const labels = [found.contrast, ...found.base_contrasts].map(({ label }) => label);
      for (const [i, contrast] of CONTRASTS.entries()) {
        const at = `${stage}${contrast}`;
        const label = labels[i]!;
        published.constant(label, `transfer.${at}.label`);
        equal(seed(label, 'crossed-bootstrap'), `${at}.bootstrap_rng_seed`);
        equal(seed(label, 'anchor-sign-flip'), `${at}.sign_flip_rng_seed`);
      }
    }
  });

  it('transfer: the three primary contrasts, their intervals, tests and anchors', () => {
    const { results } = document();
    const found = [results.contrast, ...results.base_contrasts];
    expect(found).toHaveLength(3);
    found.forEach((contrast, i) => {
      const at = `primary${CONTRASTS[i]}`;
      equal(contrast.sign_flip_p, `${at}.p`);
      near(contrast.estimate, `${at}.estimate`);
      near(contrast.interval, `${at}.ci`);
      near(contrast.per_seed, `${at}.per_seed`);
      equal(contrast.anchors.count, `${at}.anchors`);
      near(contrast.anchors.mean, `${at}.anchor_mean`);
      near(contrast.anchors.median, `${at}.anchor_median`);
      near(contrast.anchors.sd, `${at}.anchor_sd`);
      near(contrast.anchors.positive, `${at}.anchor_positive_fraction`);
      near(contrast.anchors.zero, `${at}.anchor_zero_fraction`);
    });
    expect(results.contrast.exceedances).toBe(16);
    equal(results.interpretation, 'primary.interpretation');
    near(results.chance, 'primary.chance');
  });

  it('transfer: every mean and rate of every primary condition, seed and family', () => {
    for (const condition of document().results.conditions) {
      const at = `primary.condition.${condition.condition}`;
      near(condition.score, `${at}.score_unconditional_mean`);
      if (condition.score_sd === null) equal(null, `${at}.score_unconditional_seed_sd`);
      else near(condition.score_sd, `${at}.score_unconditional_seed_sd`);
      near(condition.score_if_parsed, `${at}.score_conditional_on_parse_mean`);
      near(condition.parse_rate, `${at}.parse_rate_mean`);
      near(condition.exact_optimum_rate, `${at}.exact_optimum_rate_mean`);
      for (const [family, rates] of Object.entries(condition.families)) {
        near(rates.score, `${at}.family.${family}.score_unconditional_mean`);
        near(rates.parse_rate, `${at}.family.${family}.parse_rate_mean`);
        near(rates.score_if_parsed, `${at}.family.${family}.score_conditional_on_parse_mean`);
        near(rates.exact_optimum_rate, `${at}.family.${family}.exact_optimum_rate_mean`);
      }
      for (const run of condition.runs) {
        const where = `${at}.run.${run.seed ?? 'none'}`;
        near(run.score, `${where}.score_unconditional`);
        near(run.exact_optimum_rate, `${where}.exact_optimum_rate`);
        for (const [family, rates] of Object.entries(run.families)) {
          near(rates.score, `${where}.family.${family}`);
        }
      }
    }
  });

  it('transfer: what the published runs of the replication fix', () => {
    const follows = (found: number | readonly (number | null)[] | null, key: string) =>
      published.near(found, `transfer.public.${key}`, 'values', 1e-12);
    const at = <T = number>(key: string) => published.at<T>(`transfer.public.${key}`);
    const seeds = published.at<number[]>('transfer.seeds');
    const run = (condition: string, seed: number | string, key: string) =>
      at(`condition.${condition}.run.${seed}.${key}`);
    const scores = new Map<string, number[]>();
    for (const condition of ['pretrained_base', ...TRAINED]) {
      const own = condition === 'pretrained_base' ? ['none'] : seeds;
      const where = `condition.${condition}`;
      for (const seed of own) {
        const families = FAMILIES.map((family) => run(condition, seed, `family.${family}`));
        follows(mean(families), `${where}.run.${seed}.score_unconditional`);
      }
      const over = (key: string) => mean(own.map((seed) => run(condition, seed, key)));
      const runs = own.map((seed) => run(condition, seed, 'score_unconditional'));
      scores.set(condition, runs);
      follows(mean(runs), `${where}.score_unconditional_mean`);
      follows(over('exact_optimum_rate'), `${where}.exact_optimum_rate_mean`);
      const rate = (key: string) => mean(FAMILIES.map((f) => at(`${where}.family.${f}.${key}`)));
      follows(rate('parse_rate_mean'), `${where}.parse_rate_mean`);
      for (const family of FAMILIES) {
        follows(over(`family.${family}`), `${where}.family.${family}.score_unconditional_mean`);
      }
      const squares = runs.reduce((sum, score) => sum + (score - mean(runs)) ** 2, 0);
      const sd = `${where}.score_unconditional_seed_sd`;
      if (runs.length > 1) follows(Math.sqrt(squares / (runs.length - 1)), sd);
      else published.equal(null, `transfer.public.${sd}`, 'values');
    }
    const [control, treatment] = TRAINED.map((condition) => scores.get(condition)!) as [number[], number[]];
    const [base] = scores.get('pretrained_base') as [number];
    for (const [contrast, perSeed] of [
      ['', treatment.map((score, i) => score - control[i]!)],
      ['treatment_minus_base.', treatment.map((score) => score - base)],
      ['control_minus_base.', control.map((score) => score - base)],
    ] as const) {
      follows(perSeed, `${contrast}per_seed`);
      follows(mean(perSeed), `${contrast}estimate`);
      follows(mean(perSeed), `${contrast}anchor_mean`);
    }
    const [low, high] = at<[number, number]>('ci');
    const contrast = { interval: [low, high] as const, sign_flip_p: at('p') };
    const threshold = published.at('transfer.practical_threshold_points');
    published.equal(
      interpret({ ...contrast, estimate: at('estimate') }, { alpha: 0.05, threshold }),
      'transfer.public.interpretation',
      'values',
    );
  });
}
