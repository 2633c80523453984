import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { claims } from '../../src/analyses/contrast/claims.js';
import { crossedTotals } from '../../src/analyses/contrast/crossed.js';
import { drawContrast } from '../../src/analyses/contrast/figure.js';
import { type StudyResults, transferStudy } from '../../src/analyses/contrast/study.js';
import { familyTable, mainTable, seedTable } from '../../src/analyses/contrast/tables.js';
import { createEngine } from '../../src/engine/index.js';
import { canonicalJson } from '../../src/io/canonical.js';
import type { TextTable } from '../../src/io/text-table.js';
import { readTaskFiles } from '../../src/tasks/task-files.js';
import { completionGrid, readCompletions } from '../../src/transfer/completion.js';
import { TASK_SETS } from '../support/released-files.js';
import { noShared, shared } from '../support/shared.js';

const PROTOCOL = '9256abd79a522898da08406d780a7bf1c06fa50cd156ba1381df42d15bc9e7ec';

describe.skipIf(noShared)('the published transfer study (released data needed)', () => {
  let result: StudyResults;

  beforeAll(async () => {
    const { byId } = readTaskFiles(TASK_SETS());
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

  it('prints the rows of the published tables', () => {
    const rowsOf = (table: TextTable) => table.rows.map((row) => row.slice(1));
    expect(rowsOf(mainTable([result]))).toEqual([['29.99', '30.90', '44.20', '+13.30 [6.52, 20.29]', '1.70e-4']]);
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
    const { allowed, notAllowed } = claims(result, 'the model');
    expect(allowed).toContain('+13.30 points (95% interval 6.52 to 20.29, sign-flip p 0.000170)');
    expect(allowed).toContain('3 matched seeds of which 3 favour training');
    expect(claims(result, 'the model', 0.1).allowed).toContain('(90% interval');
    expect(mainTable([result], 0.01).columns[4]?.title).toBe('Δ [99% CI]');
    expect(notAllowed).toMatch(/conditional on the training seeds.*human taste.*descriptive/);
    const contrast = { ...result.contrast, estimate: -1 };
    const lost = { ...result, contrast, interpretation: 'negative_difference_detected' as const };
    expect(claims(lost, 'the model').allowed).toContain('a loss was detected');
  });

  it('draws a study in which nothing scores', () => {
    const none = JSON.parse(JSON.stringify(result), (key, found) =>
      /^score|^estimate$/.test(key) && typeof found === 'number' ? 0 : found,
    ) as StudyResults;
    const flat = { ...none, contrast: { ...none.contrast, interval: [0, 0] as const } };
    const svg = drawContrast([{ results: flat, plan: { threshold_points: 0, alpha: 0.1 } }], {
      theme: 'dark',
      size: 'screen',
    });
    expect(svg).toContain('90% crossed bootstrap');
    expect(svg).not.toMatch(/NaN|0\.000000|Infinity/);
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
