import type { ScoreMatrix } from '../core/matrix.js';
import { keptModels } from '../core/model-choice.js';
import { createBrowserEngine } from '../engine/browser.js';
import type { Engine } from '../engine/engine.js';
import { runInference } from '../inference/infer.js';
import type { Inference } from '../inference/result.js';
import { orderedMatrix } from '../inference/row-order.js';
import { type ScoreFile, scoresOf } from '../scores/read-scores.js';
import { plain } from '../util/text.js';
import type { Choices } from './reader-choices.js';

/** What a page shows: scores, what was read to have them, and what they support. */
export interface ShownScores {
  /** File names, as the page's heading has them. */
  readonly name: string;
  readonly files: readonly ScoreFile[];
  readonly matrix: ScoreMatrix;
  /** What was read, in one line. */
  readonly reading: string;
  readonly warnings: readonly string[];
}

/** What some choices gave of the scores. */
export interface Result {
  /** The matrix of the models that take part. */
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  /** Milliseconds that it took. */
  readonly took: number;
}

/** Reads scores from whatever the files are. Errors: those of `scoresOf`. */
export async function openScores(files: readonly ScoreFile[]): Promise<ShownScores> {
  const { matrix, reading, warnings } = await scoresOf(files);
  const [first] = files;
  const name = files.length === 1 ? first!.name : `${first!.name} and ${files.length - 1} more`;
  return { name: plain(name), files, matrix, reading: reading.text, warnings };
}

let engine: Promise<Engine> | undefined;

/** Past so many models the intervals of all pairs cost more than all else; their columns stay. */
const MOST_PAIRED = 200;

/** Infers by some choices, as `rank-audit` does. Errors: those of `runInference`, MODEL_UNKNOWN. */
export async function inferScores(scores: ShownScores, choices: Choices): Promise<Result> {
  const started = performance.now();
  const { without, ...plan } = choices;
  const kept = keptModels(scores.matrix.models, { without });
  const rows = kept.flatMap((keep, m) => (keep ? [m] : []));
  const matrix = orderedMatrix(scores.matrix, rows);
  engine ??= createBrowserEngine();
  const inference = await runInference({
    ...{ matrix, engine: await engine },
    // A mark in a name that turns its direction would turn the sentence around it.
    names: matrix.models.map((modelId) => ({ modelId, name: plain(modelId), slotId: null })),
    plan: { strata: 'family', ...plan },
    withoutPairs: matrix.models.length > MOST_PAIRED,
    otherTest: true,
    defaults: 'table',
  });
  return { matrix, inference, took: performance.now() - started };
}
