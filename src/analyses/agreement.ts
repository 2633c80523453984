import { z } from 'zod';

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
