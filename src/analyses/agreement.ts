import { z } from 'zod';
import { nameList } from '../inference/decisions/decision-words.js';
import { byRank } from '../inference/model-ranks.js';
import { percent, type RankedModel, three } from './analysis.js';

/** How other scores of the same models agree with the primary ones. */
export interface Agreement {
  readonly label: string;
  /** Null where it is not defined. */
  readonly correlation: number | null;
  readonly pairOrder: number;
  readonly correlationRange?: readonly [number, number];
  readonly pairRange?: readonly [number, number];
}

/** The fields of a `RankAgreement` in a document. */
export const rankAgreementFields = {
  rank_spearman: z.number(),
  pair_order_agreement: z.number(),
  top_five_overlap: z.number(),
  leader: z.string(),
  original_leader: z.string(),
  leader_kept: z.boolean(),
  mean_absolute_shift: z.number(),
  maximum_absolute_shift: z.number(),
} as const;

/** Two ends of an interval in a document. */
export const intervalField = z.tuple([z.number(), z.number()]);

/** The generator of a replayed or counter-based stream, as a plan states it. */
export const rngField = z.enum(['philox', 'numpy']);

/** Writes rank correlation, pair order and leader of one row of a table that compares other scores with the primary ones. */
export function agreementCells(
  { correlation, pairOrder, leaders }: Agreement & Led,
  models: readonly RankedModel[],
): [correlation: string, pairOrder: string, leader: string] {
  const names = leaders.map((id) => models.find(({ modelId }) => modelId === id)?.short ?? id);
  return [three(correlation), percent(pairOrder, 1), ledBy(names)];
}

/** Who leads: several where the highest score is shared. */
export interface Led {
  readonly leaders: readonly string[];
}

/** Names who leads: `A`, or `A and B, tied`. */
export function ledBy(names: readonly string[]): string {
  return names.length > 1 ? `${nameList(names)}, tied` : (names[0] ?? '');
}

/** Finds the ids of the models of the first rank. */
export function leadersIn(models: readonly RankedModel[]): string[] {
  return byRank(models).flatMap(({ modelId, rank }) => (rank === 1 ? [modelId] : []));
}
