import type { ScoreMatrix } from '../core/matrix.js';
import type { ModelResult, PAIR_DECISIONS } from '../inference/result.js';
import { comparedPair } from './compared-pair.js';
import { newKey, ownChoices, type ShownScores } from './shown-scores.js';
import { ask } from './work/ask-thread.js';

/** Where a model of a reader's stands among those of a release. */
export interface Placing {
  readonly model: ModelResult;
  /** Models that take part, itself included. */
  readonly models: number;
  /** Names of the models that it is told apart from. */
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** Names of those that it is not told apart from. */
  readonly open: readonly string[];
}

/** A matrix with one row more. */
export function withRow(matrix: ScoreMatrix, model: string, points: ReadonlyMap<string, number>): ScoreMatrix {
  const unit = matrix.scale / 100;
  const row = matrix.tasks.map((task) => points.get(task)! * unit);
  const values = new Float64Array(matrix.values.length + row.length);
  values.set(matrix.values);
  values.set(row, matrix.values.length);
  return { ...matrix, models: [...matrix.models, model], values };
}

/**
 * Places scores of a reader's own among the models of a release: all inference is run with one row more, by the plan of the release. Null where the release is
 * about other tasks.
 */
export async function placeOwn(
  opened: ShownScores,
  name: string,
  points: ReadonlyMap<string, number>,
): Promise<Placing | null> {
  const { matrix, stated } = opened;
  if (matrix.tasks.length !== points.size || matrix.tasks.some((task) => !points.has(task))) return null;
  const taken = new Set(matrix.models);
  let id = name;
  while (taken.has(id)) id = `${id} (own)`;
  const { inference } = await ask('infer', {
    scores: {
      key: newKey(),
      files: null,
      matrix: withRow(matrix, id, points),
      plan: stated?.plan ?? null,
      names: new Map(stated?.inference.models.map((model) => [model.modelId, model.name])),
    },
    choices: ownChoices(opened),
    otherTest: false,
  });
  const own = inference.models.findIndex(({ modelId }) => modelId === id);
  const by = (decision: (typeof PAIR_DECISIONS)[number]) =>
    inference.models
      .filter(({ index }) => index !== own && comparedPair(inference, own, index).decision === decision)
      .map((model) => model.name);
  const apart = [...by('higher'), ...by('lower')];
  return {
    model: inference.models[own]!,
    models: inference.models.length,
    above: by('higher'),
    below: by('lower'),
    open: inference.models
      .filter(({ index, name: other }) => index !== own && !apart.includes(other))
      .map((one) => one.name),
  };
}
