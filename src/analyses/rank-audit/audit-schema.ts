import { z } from 'zod';

const range = z.tuple([z.number(), z.number()]);

/** What version 1 had not: absent there, never in version 2. */
const added = {
  score_bounds: range.nullish(),
  rank_tied: z.boolean().nullish(),
  rank_set_simultaneous: range.nullish(),
  rank_set_marginal: range.nullish(),
  letters: z.string().nullish(),
  not_told_apart: z.array(z.string()).nullish(),
};

const auditedModel = z.object({
  model: z.string(),
  score: z.number(),
  low: z.number(),
  high: z.number(),
  rank: z.number(),
  rank_low: z.number(),
  rank_high: z.number(),
  group: z.number(),
  separable_from: z.number(),
  separable_from_next: z.boolean().nullable(),
  ...added,
});

/** How the audit of an order is read from a document of either version. */
export const auditSchema = z.object({
  models: z.array(auditedModel),
  tie_groups: z.array(z.array(z.string())),
  pairs: z.number(),
  separable_pairs: z.number(),
  separable_steps: z.number(),
  separable: z.array(
    z.object({
      higher: z.string(),
      lower: z.string(),
      difference: z.number(),
      holm_p: z.number(),
      adjusted_p: z.number().optional(),
    }),
  ),
  tasks: z.number(),
  clusters: z.number(),
  strata: z.number(),
  design: z
    .object({
      effective_clusters: z.number().nullable(),
      strata: z.array(z.object({ label: z.string(), tasks: z.number(), clusters: z.number() })),
      decisions: z.object({
        told_apart: z.number(),
        open: z.number(),
        identical: z.number(),
        untestable: z.number(),
        untested: z.number(),
      }),
      clusters_needed: z.number().nullable(),
    })
    .nullish(),
  sentences: z.array(z.string()).nullish(),
});
