import { csvText } from '../util/csv.js';
import { BASE, CONTROL, TREATMENT } from './condition.js';
import type { StudyResult } from './study.js';

export const CONDITION_NAME: Readonly<Record<string, string>> = {
  [BASE]: 'base',
  [CONTROL]: 'control',
  [TREATMENT]: 'SFT',
};
export const CONDITION_ORDER = ['base', 'control', 'SFT'];
export const STAGE_NAME = { primary: 'held-out anchors', secondary: 'public maps' };

/** What an interval at an error rate covers, as a reader sees it. */
export const coverage = (alpha: number): string => `${Number((100 * (1 - alpha)).toPrecision(6))}%`;

export interface ScoreMark {
  readonly stage: string;
  readonly condition: string;
  readonly seed: string;
  readonly score: number;
}

/** One mark a trained or untrained model. */
export function scoreMarks(results: readonly StudyResult[]): ScoreMark[] {
  return results.flatMap((result) =>
    result.conditions.flatMap(({ condition, runs }) =>
      runs.map((run) => ({
        stage: STAGE_NAME[result.stage],
        condition: CONDITION_NAME[condition] as string,
        seed: String(run.seed ?? 'none'),
        score: run.score,
      })),
    ),
  );
}

/** What the figures draw. */
export function transferFigureData(results: readonly StudyResult[]): string {
  return csvText(
    ['evaluation', 'quantity', 'condition', 'seed', 'value', 'low', 'high'],
    [
      ...scoreMarks(results).map((m) => [m.stage, 'score', m.condition, m.seed, m.score, '', '']),
      ...results.map(({ stage, contrast }) => [
        STAGE_NAME[stage],
        'effect',
        'SFT minus control',
        '',
        contrast.estimate,
        contrast.interval[0],
        contrast.interval[1],
      ]),
    ],
  );
}
