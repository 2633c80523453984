import { z } from 'zod';
import { assertDigests } from '../io/document.js';
import { checked, sha256Text as digest } from '../util/schema.js';
import { BASE, CONTROL, STUDY_PLAN_SCHEMAS, TREATMENT } from './condition.js';

/** A study fixed before any outcome: its digest seeds the streams and stands in every later document. */
export const studyPlanSchema = z.strictObject({
  schema: z.enum(STUDY_PLAN_SCHEMAS),
  frozen_at: z.iso
    .datetime({ error: 'a time in UTC expected, such as 2026-08-20T00:00:00.000Z' })
    .optional()
    .describe('Absent in plans of version 1.'),
  status: z.literal('frozen_before_outcomes'),
  base_model: z.strictObject({ id: z.string().min(1), revision: z.string().min(1) }),
  conditions: z.tuple([z.literal(BASE), z.literal(CONTROL), z.literal(TREATMENT)]),
  seeds: z
    .array(
      z
        .int()
        .nonnegative()
        .lt(2 ** 32),
    )
    .min(1),
  estimand: z.string().min(1),
  data: z.record(z.string(), digest),
  evaluation: z.strictObject({
    primary_tasks: digest,
    primary_content_sha256: digest
      .optional()
      .describe(
        'What the tasks of the primary stage are by content, as its seal will list them; absent in older plans.',
      ),
    secondary_tasks: digest.nullable(),
  }),
  training: z.strictObject({
    schedule: z.string(),
    warmup_ratio: z.number(),
    weight_decay: z.number(),
    epochs: z.number().positive(),
    batch: z.int().positive(),
    accumulation: z.int().positive(),
    learning_rate: z.number().positive(),
    max_length: z.int().positive(),
    lora: z.strictObject({ rank: z.int().positive(), alpha: z.number(), dropout: z.number() }),
  }),
  decoding: z.strictObject({
    greedy: z.literal(true),
    thinking: z.literal(false),
    max_new_tokens: z.int().positive(),
  }),
  parser: z.string().optional().describe('Parser of the answers; v3 where none is named.'),
  parser_sha256: digest.optional().describe('Digest of its contract; absent in plans of version 0.1.0.'),
  unparseable: z.literal('scored_zero_and_kept'),
  inference: z.strictObject({
    rng: z.enum(['philox', 'numpy']).optional().describe('Generator; older plans leave it open.'),
    alpha: z.number().gt(0).lt(1),
    draws: z.int().positive(),
    flips: z.int().positive(),
    threshold_points: z.number().nonnegative(),
    confirmatory_contrasts: z.literal(1),
  }),
  gates: z.array(z.string().min(1)),
  artifact_sha256: digest,
});

export type StudyPlan = z.infer<typeof studyPlanSchema>;

/** Takes a document for a frozen plan and proves its digest. Errors: SCHEMA_INVALID, DIGEST_MISMATCH (exit 4). */
export function checkedStudyPlan(document: unknown, path: string): StudyPlan {
  const plan = checked(studyPlanSchema, document, { file: path }, 'Make it with `flavourbench transfer plan`.');
  assertDigests(plan, { file: path }, 'A frozen plan was edited; freeze a new one.');
  return plan;
}
