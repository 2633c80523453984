import { z } from 'zod';
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
  { correlation, pairOrder, leader }: Agreement & { readonly leader: string },
  models: readonly RankedModel[],
): [correlation: string, pairOrder: string, leader: string] {
  const name = models.find(({ modelId }) => modelId === leader)?.short ?? leader;
  return [three(correlation), percent(pairOrder, 1), name];
}

/** Finds the id of the model that leads; empty where there is none. */
export function leaderIn(models: readonly RankedModel[]): string {
  return byRank(models)[0]?.modelId ?? '';
}
