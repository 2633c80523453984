import { z } from 'zod';
import { sha256Text as digest } from '../util/schema.js';

const count = z.int().min(0);
const points = z.number().min(0).max(100);
const fraction = z.number().min(0).max(1);

const perTaskSchema = z.looseObject({
  task_id: z.string().min(1),
  family: z.string().min(1),
  anchor_ingredient: z.string(),
  status: z.enum(['valid', 'missing', 'invalid']),
  observed_selection: z
    .string()
    .regex(/^[A-H]{3}$/)
    .nullable(),
  optimal_selection: z.string().regex(/^[A-H]{3}$/),
  parseable: z.boolean(),
  score_bps: z.int().min(0).max(10_000),
  score: points,
  optimal: z.boolean(),
});

/** A laboratory report (collection 2.4). */
export const reportSchema = z.looseObject({
  schema_version: z.literal('flavourbench-lab-report-v1'),
  comparable: z.boolean(),
  flavourbench_score: points.nullable(),
  diagnostic_valid_score: points.nullable(),
  coverage: z.object({
    tasks: count,
    submitted: count,
    valid: count,
    missing: count,
    invalid: count,
    fraction_valid: fraction,
  }),
  families: z.array(
    z.object({
      family: z.string().min(1),
      tasks: count,
      valid: count,
      coverage: fraction,
      score: points.nullable(),
      diagnostic_valid_score: points.nullable(),
    }),
  ),
  exact_chance_score: points,
  task_set_semantic_sha256: digest,
  task_set_binding: z.enum(['none', 'declared']).optional(),
  response_set_semantic_sha256: digest,
  parser: z.string().optional(),
  parser_sha256: z.string().optional(),
  inline_reasoning_answers: count.optional(),
  asked: z
    .array(z.object({ protocol_sha256: z.string(), decoding: z.record(z.string(), z.unknown()) }))
    .optional()
    .describe('Each way in which records say that they were asked; absent where the answers say nothing.'),
  per_task: z.array(perTaskSchema),
  inference: z
    .looseObject({
      bootstrap_resamples: z.int().min(1),
      sign_flip_resamples: z.int().min(1),
      confidence_interval_95: z.tuple([z.number(), z.number()]),
    })
    .nullable(),
  artifact_sha256: digest,
});

export type ReportDocument = z.infer<typeof reportSchema>;

/** One answer row as `score` and the batch scorer read it (collection 2.2). Any one text key is enough. */
export const responseRowSchema = z.looseObject({
  schema_version: z.literal('flavourbench-lab-response-v1').optional(),
  task_id: z.string().min(1),
  status: z.string().nullish(),
  model_id: z.string().optional(),
  model: z.string().optional(),
  panel: z.string().optional(),
  selection: z.string().nullish(),
  response: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  completion: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  answer: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  answer_markdown: z.string().nullish(),
});

/** Gives the JSON Schema of a laboratory report. */
export function reportJsonSchema(): object {
  return z.toJSONSchema(reportSchema);
}

/** Gives the JSON Schema of an answer row. */
export function responseRowJsonSchema(): object {
  return z.toJSONSchema(responseRowSchema);
}
