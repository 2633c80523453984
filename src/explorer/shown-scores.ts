import type { ScoreMatrix } from '../core/matrix.js';
import { keptModels } from '../core/model-choice.js';
import { createBrowserEngine } from '../engine/browser.js';
import type { Engine } from '../engine/engine.js';
import { runInference } from '../inference/infer.js';
import type { InferencePlan } from '../inference/plan.js';
import type { Inference } from '../inference/result.js';
import { orderedMatrix } from '../inference/row-order.js';
import { plain } from '../util/text.js';
import { type Choices, OWN_CHOICES, statedChoices } from './reader-choices.js';
import type { Opened } from './sources/opened.js';

/** Scores that can be inferred from anew. */
export type ShownScores = Opened & { readonly matrix: ScoreMatrix };

/** What is shown of scores: what a document states, or what some choices gave. */
export interface Result {
  /** The matrix of the models that take part; null where the scores of tasks are not at hand. */
  readonly matrix: ScoreMatrix | null;
  readonly inference: Inference;
  /** Milliseconds that it took; null for what was not computed here but is stated. */
  readonly took: number | null;
}

/** The choices that a page opens with: those of a document that states some, else those of `rank-audit`. */
export function ownChoices({ stated }: Opened): Choices {
  return stated ? statedChoices(stated.plan) : OWN_CHOICES;
}

/** Tells whether there are scores to infer from. */
export function hasScores(opened: Opened): opened is ShownScores {
  return opened.matrix !== null;
}

/** Gives what a page opens with: the stated result, or one that is made of the scores; null where there is neither. Errors: those of `inferScores`. */
export async function ownResult(opened: Opened): Promise<Result | null> {
  const { stated, matrix } = opened;
  if (stated) return { matrix, inference: stated.inference, took: null };
  return hasScores(opened) ? inferScores(opened, OWN_CHOICES) : null;
}

let engine: Promise<Engine> | undefined;

/** Past so many models the intervals of all pairs cost more than all else; their columns stay. */
const MOST_PAIRED = 200;

/** What of a stated plan no choice of a reader changes. */
function ofEstimand({ strata, scheme, rng, against, family_weights }: InferencePlan): Partial<InferencePlan> {
  return { strata, scheme, rng, against, ...(family_weights ? { family_weights } : {}) };
}

/** Infers by some choices: as `rank-audit` does, or as the plan that a document states says but for them. Errors: those of `runInference`, MODEL_UNKNOWN. */
export async function inferScores(scores: ShownScores, choices: Choices): Promise<Result> {
  const started = performance.now();
  const { without, ...plan } = choices;
  const { stated } = scores;
  const kept = keptModels(scores.matrix.models, { without });
  const rows = kept.flatMap((keep, m) => (keep ? [m] : []));
  const matrix = orderedMatrix(scores.matrix, rows);
  const names = new Map(stated?.inference.models.map(({ modelId, name }) => [modelId, name]));
  engine ??= createBrowserEngine();
  const inference = await runInference({
    ...{ matrix, engine: await engine },
    // A mark in a name that turns its direction would turn the sentence around it.
    names: matrix.models.map((modelId) => ({ modelId, name: names.get(modelId) ?? plain(modelId), slotId: null })),
    plan: stated ? { ...ofEstimand(stated.plan), ...plan } : { strata: 'family', ...plan },
    withoutPairs: matrix.models.length > MOST_PAIRED,
    otherTest: true,
    defaults: stated ? 'leaderboard' : 'table',
  });
  return { matrix, inference, took: performance.now() - started };
}
