import type { BoundedMatrix } from '../../core/gaps.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import { keptModels } from '../../core/model-choice.js';
import { keptTasks } from '../../core/task-choice.js';
import { createBrowserEngine } from '../../engine/browser.js';
import type { Engine } from '../../engine/engine.js';
import { runInference } from '../../inference/infer.js';
import type { InferencePlan } from '../../inference/plan.js';
import { chosenTasks, orderedMatrix } from '../../inference/row-order.js';
import { scoresOf } from '../../scores/read-scores.js';
import { plain } from '../../util/text.js';
import type { Choices } from '../reader-choices.js';
import { keptEngine } from './kept-engine.js';
import type { AskedScores, HowAsked, Inferred } from './thread-asks.js';

/** Scores as some choices take them. */
interface ChosenScores {
  readonly matrix: ScoreMatrix;
  readonly bounds?: Pick<BoundedMatrix, 'low' | 'high'>;
  readonly warnings: readonly string[];
}

/** The choices that decide how files are read. */
type Read = Pick<Choices, 'without' | 'withoutTasks' | 'withoutFamilies' | 'missing'>;

const readBy = ({ without, withoutTasks, withoutFamilies, missing }: Choices): Read => ({
  without,
  withoutTasks,
  withoutFamilies,
  missing,
});

let last: { readonly key: string; readonly scores: Promise<ChosenScores> } | undefined;

/** Takes scores by some choices, the last ones once. Errors: those of `scoresOf`, `keptModels` and `keptTasks`. */
function chosenScores(asked: AskedScores, choices: Choices): Promise<ChosenScores> {
  const key = JSON.stringify([asked.key, readBy(choices)]);
  if (last?.key !== key) last = { key, scores: takeScores(asked, readBy(choices)) };
  return last.scores;
}

async function takeScores({ files, matrix }: AskedScores, read: Read): Promise<ChosenScores> {
  if (files) return scoresOf(files, read);
  const models = keptModels(matrix!.models, read);
  const rows = models.flatMap((keep, m) => (keep ? [m] : []));
  const tasks = keptTasks(
    matrix!.tasks.map((name, t) => ({ name, family: matrix!.families[t]! })),
    read,
  );
  const columns = tasks.flatMap((keep, t) => (keep ? [t] : []));
  return { matrix: chosenTasks(orderedMatrix(matrix!, rows), columns), warnings: [] };
}

let engine: Promise<Engine> | undefined;

/** Opens the engine of this thread, which keeps what it drew last. */
export function openedEngine(): Promise<Engine> {
  engine ??= createBrowserEngine({ keepSums: true }).then(keptEngine);
  return engine;
}

/** Past so many models the intervals of all pairs cost more than all else; their columns stay. */
const MOST_PAIRED = 200;

/** What of a stated plan no choice of a reader changes. */
function ofEstimand({ strata, scheme, rng, against, family_weights }: InferencePlan): Partial<InferencePlan> {
  return { strata, scheme, rng, against, ...(family_weights === undefined ? {} : { family_weights }) };
}

/**
 * Infers by some choices: as `rank-audit` does, or as the plan that a document states says but for them. Errors: those of `runInference`, of the
 * readers, MODEL_UNKNOWN, TASK_UNKNOWN, FAMILY_UNKNOWN; ABORTED.
 */
export async function inferScores(
  { scores, choices }: { readonly scores: AskedScores; readonly choices: Choices },
  { signal }: HowAsked,
): Promise<Inferred> {
  const started = performance.now();
  const { without: _, withoutTasks: __, withoutFamilies: ___, missing, familyWeights, ...asked } = choices;
  const { matrix, bounds, warnings } = await chosenScores(scores, choices);
  const plan: Partial<InferencePlan> = {
    ...(scores.plan ? ofEstimand(scores.plan) : { strata: 'family' }),
    ...asked,
    ...(missing === undefined ? {} : { missing }),
    ...(familyWeights === undefined ? {} : { family_weights: familyWeights }),
  };
  const inference = await runInference({
    ...{ matrix, bounds, plan, signal, engine: await openedEngine() },
    // A mark in a name that turns its direction would turn the sentence around it.
    names: matrix.models.map((id) => ({ modelId: id, name: scores.names.get(id) ?? plain(id), slotId: null })),
    withoutPairs: matrix.models.length > MOST_PAIRED,
    otherTest: true,
    defaults: scores.plan ? 'leaderboard' : 'table',
  });
  return { matrix, inference, bounded: bounds !== undefined, warnings, took: performance.now() - started };
}
