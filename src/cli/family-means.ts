import { z } from 'zod';
import { meansMatrix } from '../analyses/weights/stated-means.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { inferenceDigest } from '../inference/inference-document.js';
import { readStatedPlan } from '../inference/plan.js';
import { assertDigests } from '../io/document.js';
import { readObject } from '../io/read-file.js';
import { fail } from '../util/error.js';
import { checked, nonEmptyText, positiveCount } from '../util/schema.js';

const scores = z.record(z.string(), z.number());

const resultsSchema = z.object({
  models: z.array(z.object({ model_id: nonEmptyText, family_scores: scores, stratum_scores: scores })).min(1),
  inference: z.object({ strata: z.array(z.object({ label: z.string(), tasks: positiveCount })).min(1) }),
});

const HINT = 'Give the inference.json that `flavourbench infer` wrote.';

/**
 * Reads from an inference document the mean of every model in every stratum. Errors: SCHEMA_INVALID for another document, and for one whose strata
 * pool the panels; DIGEST_MISMATCH for one that was changed.
 */
export function statedMeans(path: string): { readonly matrix: ScoreMatrix; readonly sha256: string } {
  const file = { file: path };
  const document = readObject(path);
  assertDigests(document, file, 'The document was changed after it was written.');
  const place = { ...file, path: 'results' };
  const { models, inference } = checked(resultsSchema, document.results, place, HINT);
  if (readStatedPlan(document.plan, path).strata === 'family')
    fail(
      'SCHEMA_INVALID',
      { ...file, path: 'plan.strata' },
      'its strata pool the panels, and the weightings take the mean of panels',
      'Give the matrix or the answers, or infer without --strata family.',
    );
  const matrix = meansMatrix(
    {
      families: Object.keys(models[0]!.family_scores),
      strata: inference.strata,
      models: models.map(({ model_id: id, stratum_scores: means }) => ({ id, means })),
    },
    place,
  );
  return { matrix, sha256: inferenceDigest(document.results as object) };
}
