import type { ScoreMatrix } from '../../../core/matrix.js';
import { readObject } from '../../../io/read-file.js';
import type { PlacedAnswer } from '../../../responses/answer-rows.js';
import type { Task } from '../../../tasks/task.js';
import type { TaskFiles } from '../../../tasks/taskset.js';
import { fail, shown } from '../../../util/error.js';

/** The records that stand for the cells of some tasks, as answers. */
export async function ledgerAnswers(
  dirs: readonly string[],
  files: TaskFiles,
  columns: readonly Task[],
): Promise<PlacedAnswer[]> {
  const { answersOf, chooseRecords, modelsOf, openSources, outlines } = await import('../../../core/ledger-records.js');
  const sources = openSources(dirs);
  const chosen = chooseRecords({
    sources,
    models: modelsOf(sources, 'primary'),
    tasks: [...outlines(files).values()].flat(),
    phase: 'primary',
    repeat: 0,
  });
  return [...answersOf(chosen, columns)];
}

/** Resolved pairs of an inference document, by model id. */
export function resolvedOf(path: string, matrix: ScoreMatrix): (readonly [number, number])[] {
  const document = readObject(path) as {
    readonly results?: { readonly pairwise_comparisons?: unknown } | null;
  };
  const pairs = document.results?.pairwise_comparisons;
  if (!Array.isArray(pairs) || pairs.some((pair) => typeof pair !== 'object' || pair === null)) {
    fail(
      'SCHEMA_INVALID',
      { file: path },
      'has no pairwise comparisons',
      'Give the inference.json that `flavourbench infer` wrote.',
    );
  }
  const row = new Map(matrix.models.map((model, m) => [model, m]));
  return pairs
    .filter(({ holm_significant }) => holm_significant === true)
    .map(({ left_model_id, right_model_id }) => {
      const left = row.get(left_model_id);
      const right = row.get(right_model_id);
      if (left !== undefined && right !== undefined) return [left, right] as const;
      return fail(
        'SCHEMA_INVALID',
        { file: path },
        `compares ${shown(left_model_id)} and ${shown(right_model_id)}, which are not both in the matrix`,
        'Both must come from the same answers.',
      );
    });
}
