import type { BoundedMatrix } from '../../core/gaps.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import { keptModels } from '../../core/model-choice.js';
import { keptTasks } from '../../core/task-choice.js';
import { createBrowserEngine } from '../../engine/browser.js';
import type { Engine } from '../../engine/engine.js';
import { followEngine } from '../../engine/follow.js';
import { runInference } from '../../inference/infer.js';
import type { InferencePlan } from '../../inference/plan.js';
import { chosenTasks, orderedMatrix } from '../../inference/row-order.js';
import { type ScoreFile, scoresOf } from '../../scores/read-scores.js';
import { plain } from '../../util/text.js';
import type { Choices } from '../reader-choices.js';
import { keptEngine } from './kept-engine.js';
import type { AskedInference, AskedScores, HowAsked, Inferred } from './thread-asks.js';

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
let whole: { readonly key: number; readonly scores: Promise<ScoreMatrix | null> } | undefined;

/** Takes scores by some choices, the last ones once. Errors: those of `scoresOf`, `keptModels` and `keptTasks`. */
function chosenScores(asked: AskedScores, choices: Choices): Promise<ChosenScores> {
  const key = JSON.stringify([asked.key, readBy(choices)]);
  if (last?.key !== key) last = { key, scores: takeScores(asked, readBy(choices)) };
  return last.scores;
}

/** The matrix of files in which no cell is missing, read once: what is left out of it needs no other reading. Null where some are. */
function wholeMatrix(key: number, files: readonly ScoreFile[]): Promise<ScoreMatrix | null> {
  if (whole?.key !== key)
    whole = {
      key,
      scores: scoresOf(files).then(
        ({ matrix, warnings }) => (warnings.length === 0 ? matrix : null),
        () => null,
      ),
    };
  return whole.scores;
}

async function takeScores({ key, files, matrix: given }: AskedScores, read: Read): Promise<ChosenScores> {
  const matrix = files ? await wholeMatrix(key, files) : given;
  if (!matrix) return scoresOf(files!, read);
  const models = keptModels(matrix.models, read);
  const rows = models.flatMap((keep, m) => (keep ? [m] : []));
  const tasks = keptTasks(
    matrix.tasks.map((name, t) => ({ name, family: matrix.families[t]! })),
    read,
  );
  const columns = tasks.flatMap((keep, t) => (keep ? [t] : []));
  return { matrix: chosenTasks(orderedMatrix(matrix, rows), columns), warnings: [] };
}

let opening: Promise<Engine> | undefined;

/** Opens the engine of this thread, which keeps what it drew last. */
export function openedEngine(): Promise<Engine> {
  opening ??= createBrowserEngine({ keepSums: true }).then(keptEngine);
  return opening;
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
  { scores, choices, otherTest }: AskedInference,
  { signal, onProgress }: HowAsked,
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
  const opened = await openedEngine();
  const engine = onProgress ? followEngine(opened, onProgress) : opened;
  const inference = await runInference({
    ...{ matrix, bounds, plan, signal, engine },
    // A mark in a name that turns its direction would turn the sentence around it.
    names: matrix.models.map((id) => ({ modelId: id, name: scores.names.get(id) ?? plain(id), slotId: null })),
    withoutPairs: matrix.models.length > MOST_PAIRED,
    otherTest,
    defaults: scores.plan ? 'leaderboard' : 'table',
  });
  const absent = bounds
    ? Uint8Array.from(bounds.low.values, (low, at) => Number(low !== bounds.high.values[at]))
    : null;
  return { matrix, inference, bounded: bounds !== undefined, absent, warnings, took: performance.now() - started };
}
