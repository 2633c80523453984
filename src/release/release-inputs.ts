import type { AnswerGrid, CandidatePool } from '../analyses/candidates.js';
import { candidatesFromAnswers } from '../analyses/candidates.js';
import type { AnalysisInputs } from '../analyses/inputs.js';
import type { ScoreMatrix } from '../core/matrix.js';
import type { Engine, OnProgress } from '../engine/engine.js';
import { runInference } from '../inference/infer.js';
import { inferenceDigest } from '../inference/inference-document.js';
import { inferencePlan } from '../inference/plan.js';
import type { Inference } from '../inference/result.js';
import type { InputFile } from '../io/envelope.js';
import type { JsonObject } from '../io/json.js';
import { PORTFOLIOS, rankedTasks, type Task } from '../tasks/task.js';
import { fail } from '../util/error.js';
import type { CandidateCells } from './candidate-cells.js';
import type { ReleaseSources } from './release-sources.js';

/** The leaderboard of a release, made from its sources. */
export interface Ranked {
  readonly candidates: CandidateCells;
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  /** `results` of inference.json. */
  readonly results: JsonObject;
}

const ACTIONS = new Map(PORTFOLIOS.map((selection, action) => [selection, action]));

/** What every ranked model chose on some tasks, as the release reads its answers. */
export function answersOn({ models, cells }: CandidateCells, tasks: readonly Task[]): AnswerGrid {
  const actions = models.flatMap((model) =>
    tasks.map(({ id }) => ACTIONS.get(cells.get(model)?.get(id)?.scoring.selection ?? '') ?? -1),
  );
  return { models, tasks, actions: Int32Array.from(actions) };
}

/** The cells that the core of a release is selected from. */
export function releasePool({ files }: Pick<ReleaseSources, 'files'>, candidates: CandidateCells): CandidatePool {
  return candidatesFromAnswers(answersOn(candidates, rankedTasks(files.tasks)));
}

/** The roles in which a release gives its files to an analysis. */
export type InputRole = 'scores' | 'responses' | 'tasks' | 'core' | 'inference';

const HINT = 'A verification names what a release does not hold.';

/**
 * Gives analyses the inputs that a release holds, from what was made of its sources. Errors of the others: INPUT_MISSING. `used` lists the files
 * that were asked for, in the order of `files`.
 */
export function releaseInputs(options: {
  readonly sources: ReleaseSources;
  readonly ranked: Ranked;
  readonly engine: Engine;
  /** Files by their role. */
  readonly files: readonly (InputFile & { readonly role: InputRole })[];
  /** Pairs are those that inference.json resolves; else they are tested anew, as an analysis does that was not given one. */
  readonly withInference: boolean;
  readonly onProgress?: OnProgress;
}): { readonly inputs: AnalysisInputs; used(): InputFile[] } {
  const { sources, ranked, engine, files, withInference, onProgress } = options;
  const { candidates, matrix, inference, results } = ranked;
  const roles = new Set<InputRole>();
  const from = async <T>(role: InputRole, make: () => T | Promise<T>): Promise<T> => {
    roles.add(role);
    return make();
  };
  const missing = (what: string) => async (): Promise<never> => fail('INPUT_MISSING', null, what, HINT, { exit: 3 });
  const core = () => (sources.core === null ? missing('a core plan')() : from('core', () => sources.core!.plan));
  const inputs: AnalysisInputs = {
    matrix: () => from('scores', () => matrix),
    familyMeans: () => from('scores', () => ({ matrix, stated: false })),
    matrixWarnings: async () => [],
    resolved: (alpha) =>
      withInference
        ? from('inference', () => resolvedIn(inference))
        : from('scores', async () => {
            const plan = inferencePlan({ alpha, rank_sets: 'none' });
            return resolvedIn(await runInference({ matrix, plan, engine }));
          }),
    answers: () => from('responses', () => answersOn(candidates, sources.tasks)),
    candidates: () =>
      from('responses', async () => {
        const pool = releasePool(sources, candidates);
        const inCore = new Set((await core()).ids);
        if (!pool.tasks.some(({ id }, t) => !inCore.has(id) && pool.valid[t] === 1))
          await missing('answers to the candidates outside the core')();
        return pool;
      }),
    core,
    tasks: () => from('tasks', () => sources.files.byId),
    otherMaps: missing('maps of other checkpoints'),
    environments: missing('environments'),
    substitutions: missing('observed substitutions'),
    audited: missing('a matrix or logs to audit'),
    completions: missing('generations'),
    engine: async () => engine,
    inferenceSha256: () => (withInference ? inferenceDigest(results) : null),
    onProgress,
  };
  return { inputs, used: () => files.filter(({ role }) => roles.has(role)) };
}

function resolvedIn({ pairs }: Pick<Inference, 'pairs'>): (readonly [number, number])[] {
  return pairs.flatMap(({ left, right, significant }) => (significant ? [[left, right] as const] : []));
}
