import { z } from 'zod';
import { meansMatrix } from '../analyses/weights/stated-means.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { inferenceDigest } from '../inference/inference-document.js';
import { readStatedPlan } from '../inference/plan.js';
import { assertDigests } from '../io/document.js';
import { readText } from '../io/file.js';
import { parseObject } from '../io/json.js';
import { readObject } from '../io/read-file.js';
import { fail, shown } from '../util/error.js';
import { checked, nonEmptyText, positiveCount } from '../util/schema.js';

const resultsSchema = z.object({
  results: z.looseObject({
    pairwise_comparisons: z.array(
      z.object({ left_model_id: z.string(), right_model_id: z.string(), holm_significant: z.boolean() }),
    ),
  }),
});

/** The pairs of rows of a matrix that a leaderboard resolves. */
interface ResolvedPairs {
  readonly pairs: readonly (readonly [number, number])[];
  /** Digest of the leaderboard (`inferenceDigest`). */
  readonly sha256: string;
}

/** Reads from an inference document which pairs of rows it calls resolved; pairs of models that were left out are passed over. Errors: SCHEMA_INVALID. */
export function resolvedPairs(path: string, matrix: ScoreMatrix, leftOut: readonly string[]): ResolvedPairs {
  const document = readObject(path);
  const hint = 'Give the inference.json that `flavourbench infer` wrote.';
  const { results } = checked(resultsSchema, document, { file: path }, hint);
  const row = new Map(matrix.models.map((model, m) => [model, m]));
  const left = new Set(leftOut);
  const pairs = results.pairwise_comparisons
    .filter(({ holm_significant, left_model_id, right_model_id }) => {
      return holm_significant && !left.has(left_model_id) && !left.has(right_model_id);
    })
    .map(({ left_model_id, right_model_id }) => {
      const [first, second] = [row.get(left_model_id), row.get(right_model_id)];
      if (first !== undefined && second !== undefined) return [first, second] as const;
      return fail(
        'SCHEMA_INVALID',
        { file: path },
        `compares ${shown(left_model_id)} and ${shown(right_model_id)}, which are not both in the matrix`,
        'Both must come from the same answers.',
      );
    });
  return { pairs, sha256: inferenceDigest(document.results as object) };
}

const scores = z.record(z.string(), z.number());

const meansSchema = z.object({
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
  const text = readText(path);
  const document = parseObject(text, file);
  // A released document has another canonical form: it is whole, and no document of `infer` all the same.
  assertDigests(document, file, 'The document was changed after it was written.', { text });
  const place = { ...file, path: 'results' };
  const { models, inference } = checked(meansSchema, document.results, place, HINT);
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
