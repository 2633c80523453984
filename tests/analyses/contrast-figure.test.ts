import { describe, expect, it } from 'vitest';
import { drawContrast } from '../../src/analyses/contrast/figure.js';
import type { StudyResults } from '../../src/analyses/contrast/study.js';
import { BASE, CONTROL, TREATMENT } from '../../src/transfer/condition.js';
import { labelBoxes, labelFaults } from '../support/label-boxes.js';

type Effect = readonly [estimate: number, low: number, high: number];

function study(stage: 'primary' | 'secondary', scores: readonly number[], [estimate, low, high]: Effect): StudyResults {
  return {
    stage,
    tasks: 84,
    conditions: [BASE, CONTROL, TREATMENT].map((condition, i) => ({
      condition,
      score: scores[i],
      runs: (i === 0 ? [null] : [1, 2, 3]).map((seed) => ({ seed, score: scores[i] })),
    })),
    contrast: { estimate, interval: [low, high] },
  } as unknown as StudyResults;
}

const CASES: readonly (readonly [string, readonly StudyResults[], string])[] = [
  [
    'a gain in both',
    [study('primary', [30, 31, 44], [13, 6, 20]), study('secondary', [28, 32, 43], [11, 9, 14])],
    '13.00 [6.00, 20.00]',
  ],
  ['a loss', [study('primary', [30, 31, 20], [-11, -15, -7])], '−11.00 [−15.00, −7.00]'],
  [
    'a loss beside nothing',
    [study('primary', [99, 98, 1], [-97, -99, -95]), study('secondary', [0, 0, 0], [0, 0, 0])],
    '0.00 [0.00, 0.00]',
  ],
  ['a gain without width', [study('primary', [0, 0, 100], [100, 100, 100])], '100.00 [100.00, 100.00]'],
];

describe.each([
  ['light', 'screen'],
  ['dark', 'column'],
] as const)('the figure of a transfer study, %s, %s', (theme, size) => {
  it.each(CASES)('stays readable for %s', (_, results, text) => {
    const svg = drawContrast(
      results.map((result) => ({ results: result, plan: { threshold_points: 3, alpha: 0.05 } })),
      { theme, size },
    );
    expect(labelFaults(svg)).toEqual([]);
    expect(labelBoxes(svg).map((box) => box.text)).toContain(text);
  });
});
