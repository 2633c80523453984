import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { readTaskFiles } from '../../src/tasks/taskset.js';
import { claims } from '../../src/transfer/claim.js';
import { completionGrid, readCompletions } from '../../src/transfer/completion.js';
import { crossedTotals } from '../../src/transfer/crossed.js';
import { transferFigure } from '../../src/transfer/figure.js';
import { familyTable, mainTable, seedTable } from '../../src/transfer/report.js';
import { type StudyResult, transferStudy } from '../../src/transfer/study.js';
import { canonicalJson } from '../../src/util/canonical.js';
import type { ReportTable } from '../../src/util/report-table.js';
import { noShared, shared } from '../support/shared.js';

const PANELS = [
  'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
  '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
];
const PROTOCOL = '9256abd79a522898da08406d780a7bf1c06fa50cd156ba1381df42d15bc9e7ec';

describe.skipIf(noShared)('the published transfer study (released data needed)', () => {
  const published = noShared
    ? {}
    : (JSON.parse(readFileSync(shared('published/values.json'), 'utf8')) as Record<
        string,
        unknown
      >);
  let result: StudyResult;

  beforeAll(async () => {
    const { byId } = readTaskFiles(
      PANELS.map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`)),
    );
    const file = shared('published/transfer-primary-responses.jsonl');
    const grid = completionGrid(readCompletions(readFileSync(file, 'utf8'), file), byId);
    const engine = await createEngine({ backend: 'wasm' });
    result = await transferStudy(
      grid,
      {
        stage: 'primary',
        draws: 50_000,
        flips: 100_000,
        alpha: 0.05,
        threshold: 3,
        random: { kind: 'numpy', protocolSha256: PROTOCOL },
      },
      engine,
    );
    await engine.close();
  });

  const value = (key: string) => published[`transfer.primary.${key}`];
  const close = (found: number | null | undefined, key: string) =>
    expect(Math.abs((found as number) - (value(key) as number)), key).toBeLessThan(1e-12);

  it('reproduces the confirmatory contrast', () => {
    const { contrast } = result;
    expect(contrast.label).toBe(value('label'));
    close(contrast.estimate, 'estimate');
    expect(contrast.exceedances).toBe(16);
    expect(contrast.sign_flip_p).toBe(value('p'));
    expect(contrast.bootstrap_seed).toBe(String(value('bootstrap_rng_seed')));
    expect(contrast.sign_flip_seed).toBe(String(value('sign_flip_rng_seed')));
    const [low, high] = value('ci') as [number, number];
    expect(Math.abs(contrast.interval[0] - low)).toBeLessThan(1e-12);
    expect(Math.abs(contrast.interval[1] - high)).toBeLessThan(1e-12);
    contrast.per_seed.forEach((x, i) => {
      expect(Math.abs(x - (value('per_seed') as number[])[i]!)).toBeLessThan(1e-12);
    });
    close(contrast.anchors.mean, 'anchor_mean');
    expect(contrast.anchors.count).toBe(value('anchors'));
    close(contrast.anchors.median, 'anchor_median');
    close(contrast.anchors.sd, 'anchor_sd');
    close(contrast.anchors.positive, 'anchor_positive_fraction');
    close(contrast.anchors.zero, 'anchor_zero_fraction');
    expect(result.interpretation).toBe(value('interpretation'));
    close(result.chance, 'chance');
  });

  it('reproduces both comparisons with the untrained model', () => {
    for (const [i, key] of ['treatment_minus_base', 'control_minus_base'].entries()) {
      const found = result.base_contrasts[i]!;
      expect(found.label).toBe(value(`${key}.label`));
      expect(found.sign_flip_p).toBe(value(`${key}.p`));
      close(found.estimate, `${key}.estimate`);
      const [low, high] = value(`${key}.ci`) as [number, number];
      expect(Math.abs(found.interval[0] - low)).toBeLessThan(1e-12);
      expect(Math.abs(found.interval[1] - high)).toBeLessThan(1e-12);
      found.per_seed.forEach((x, k) => {
        expect(Math.abs(x - (value(`${key}.per_seed`) as number[])[k]!)).toBeLessThan(1e-12);
      });
      close(found.anchors.mean, `${key}.anchor_mean`);
      close(found.anchors.median, `${key}.anchor_median`);
      close(found.anchors.sd, `${key}.anchor_sd`);
      close(found.anchors.positive, `${key}.anchor_positive_fraction`);
      close(found.anchors.zero, `${key}.anchor_zero_fraction`);
      expect(found.anchors.count).toBe(value(`${key}.anchors`));
    }
  });

  it('prints the rows of the published tables', () => {
    const rowsOf = (table: ReportTable) => table.rows.map((row) => row.slice(1));
    expect(rowsOf(mainTable([result]))).toEqual([
      ['29.99', '30.90', '44.20', '+13.30 [6.52, 20.29]', '1.70e-4'],
    ]);
    expect(rowsOf(familyTable([JSON.parse(canonicalJson(result))]))).toEqual([
      ['Substitution', '57.93', '41.62', '52.79', '+11.16'],
      ['Pairing', '28.66', '46.34', '53.56', '+7.23'],
      ['Constraints', '3.39', '4.73', '26.24', '+21.51'],
    ]);
    const other = { ...result, stage: 'secondary' as const, training_seeds: [20260826, 7, 8] };
    expect(seedTable([result, other]).rows.slice(2)).toEqual([
      ['20260824', '31.61', '44.47', '+12.86', '', '', ''],
      ['20260825', '31.19', '44.53', '+13.34', '', '', ''],
      ['20260826', '29.89', '43.59', '+13.70', '31.61', '44.47', '+12.86'],
    ]);
  });

  it('states in the claims what was found, and what was not', () => {
    const { said, unsaid } = claims(result, 'the model');
    expect(said).toContain('+13.30 points (95% interval 6.52 to 20.29, sign-flip p 0.000170)');
    expect(said).toContain('3 matched seeds of which 3 favour training');
    expect(claims(result, 'the model', 0.1).said).toContain('(90% interval');
    expect(mainTable([result], 0.01).columns[4]?.title).toBe('Δ [99% CI]');
    expect(unsaid).toMatch(/conditional on the training seeds.*human taste.*descriptive/);
    const contrast = { ...result.contrast, estimate: -1 };
    const lost = { ...result, contrast, interpretation: 'negative_difference_detected' as const };
    expect(claims(lost, 'the model').said).toContain('a loss was detected');
  });

  it('draws a study in which nothing scores', () => {
    const none = JSON.parse(JSON.stringify(result), (key, found) =>
      /^score|^estimate$/.test(key) && typeof found === 'number' ? 0 : found,
    ) as StudyResult;
    const flat = { ...none, contrast: { ...none.contrast, interval: [0, 0] as const } };
    const svg = transferFigure([flat], { theme: 'dark', threshold: 0, alpha: 0.1 });
    expect(svg).toContain('90% crossed bootstrap');
    expect(svg).not.toMatch(/NaN|0\.000000|Infinity/);
  });

  it('reproduces every mean and rate of every condition, seed and family', () => {
    for (const condition of result.conditions) {
      const at = `condition.${condition.condition}`;
      close(condition.score, `${at}.score_unconditional_mean`);
      if (condition.score_sd === null)
        expect(value(`${at}.score_unconditional_seed_sd`)).toBeNull();
      else close(condition.score_sd, `${at}.score_unconditional_seed_sd`);
      close(condition.score_if_parsed, `${at}.score_conditional_on_parse_mean`);
      close(condition.parse_rate, `${at}.parse_rate_mean`);
      close(condition.exact_optimum_rate, `${at}.exact_optimum_rate_mean`);
      for (const [family, rates] of Object.entries(condition.families)) {
        close(rates.score, `${at}.family.${family}.score_unconditional_mean`);
        close(rates.parse_rate, `${at}.family.${family}.parse_rate_mean`);
        close(rates.score_if_parsed, `${at}.family.${family}.score_conditional_on_parse_mean`);
        close(rates.exact_optimum_rate, `${at}.family.${family}.exact_optimum_rate_mean`);
      }
      for (const run of condition.runs) {
        const where = `${at}.run.${run.seed ?? 'none'}`;
        close(run.score, `${where}.score_unconditional`);
        close(run.exact_optimum_rate, `${where}.exact_optimum_rate`);
        for (const [family, rates] of Object.entries(run.families)) {
          close(rates.score, `${where}.family.${family}`);
        }
      }
    }
  });
});

describe('the crossed bootstrap', () => {
  const strata = {
    labels: [
      { family: 'a', panel: 'p' },
      { family: 'b', panel: 'p' },
    ],
    members: [Int32Array.of(0, 2), Int32Array.of(1)],
    weights: [1, 2],
    divisor: 4,
  };

  it('gives constant differences the constant in every draw', () => {
    const totals = crossedTotals({
      differences: new Int32Array(6).fill(700),
      seeds: 2,
      strata,
      draws: 50,
      random: { kind: 'philox', seed: 1n },
    });
    expect([...new Set(totals)]).toEqual([700 * 2 * 4]);
  });

  it('resamples seeds jointly over strata', () => {
    const totals = crossedTotals({
      differences: Int32Array.of(0, 0, 0, 100, 100, 100),
      seeds: 2,
      strata,
      draws: 200,
      random: { kind: 'philox', seed: 5n },
    });
    expect(new Set(totals)).toEqual(new Set([0, 400, 800]));
  });
});
