import { BASE, CONTROL, TREATMENT } from '../../transfer/condition.js';
import type { FigureData } from '../analysis.js';
import type { StudyResults } from './study.js';

/** Conditions as figures call them. */
const CONDITION_NAME: Readonly<Record<string, string>> = {
  [BASE]: 'base',
  [CONTROL]: 'control',
  [TREATMENT]: 'SFT',
};
/** The same in the order in which they stand. */
export const CONDITION_ORDER = ['base', 'control', 'SFT'];
/** Evaluations as figures call them. */
export const STAGE_NAME = { primary: 'held-out anchors', secondary: 'public maps' };

interface ScoreMark {
  readonly stage: string;
  readonly condition: string;
  readonly seed: string;
  readonly score: number;
}

const stageName = ({ stage }: StudyResults): string => STAGE_NAME[stage];

/** Lists one mark a trained or untrained model. `stageOf` names an evaluation. */
export function scoreMarks(
  results: readonly StudyResults[],
  stageOf: (result: StudyResults) => string = stageName,
): ScoreMark[] {
  return results.flatMap((result) =>
    result.conditions.flatMap(({ condition, runs }) =>
      runs.map((run) => ({
        stage: stageOf(result),
        condition: CONDITION_NAME[condition]!,
        seed: String(run.seed ?? 'none'),
        score: run.score,
      })),
    ),
  );
}

interface MeanMark {
  readonly stage: string;
  readonly condition: string;
  /** Mean over training seeds. */
  readonly score: number;
  /** Whether its number stands above the highest mark rather than below the lowest: away from the lines to its partner. */
  readonly above: boolean;
  readonly end: number;
}

/** Share of the highest score below which a number has no room under its mark. */
const FLOOR = 0.14;

/** Lists one mark a condition. `stageOf` names an evaluation. */
export function meanMarks(results: readonly StudyResults[], stageOf: (result: StudyResults) => string): MeanMark[] {
  const highest = Math.max(0, ...scoreMarks(results).map(({ score }) => score));
  return results.flatMap((result) => {
    const mean = (name: string) => result.conditions.find(({ condition }) => condition === name)?.score ?? 0;
    return result.conditions.map(({ condition, score, runs }) => {
      const scores = [score, ...runs.map((run) => run.score)];
      const partner = condition === CONTROL ? TREATMENT : CONTROL;
      const low = Math.min(...scores);
      const above = condition === BASE || score >= mean(partner) || low < FLOOR * highest;
      return {
        stage: stageOf(result),
        condition: CONDITION_NAME[condition]!,
        score,
        above,
        end: above ? Math.max(...scores) : low,
      };
    });
  });
}

/** Lists what the figure draws: one row a model, and one an effect. */
export function contrastData(results: readonly StudyResults[]): FigureData {
  return {
    header: ['evaluation', 'quantity', 'condition', 'seed', 'value', 'low', 'high'],
    rows: [
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
  };
}
