// Everything here runs in a browser too: the caller opens the engine, documents and files are made elsewhere.
import type { ScoreMatrix } from '../core/matrix.js';
import type { Engine } from '../engine/engine.js';
import type { Analysis } from './analysis.js';
import { coverage as coverageAnalysis } from './coverage/coverage.js';
import { statedOptions } from './declared-options.js';
import { oneMatrix } from './one-matrix.js';
import { power as powerAnalysis } from './power/power.js';
import { rankAudit as rankAuditAnalysis } from './rank-audit/rank-audit.js';

export type { ScoreMatrix } from '../core/matrix.js';
export { matrixFromRows, type RowsOptions } from '../core/matrix-rows.js';

/** What every analysis of a matrix takes. */
interface MatrixAnalysisOptions {
  readonly matrix: ScoreMatrix;
  /** From `flavourbench/engine`; the caller closes it. */
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

/** What an analysis found. */
interface Analysed<P, R> {
  /** Every choice, stated. */
  readonly plan: P;
  readonly results: R;
  /** One paragraph: what the outcome shows, and what it does not. */
  readonly words: string;
  /** Sentences without a full stop that belong to every reading of the outcome. */
  readonly warnings: readonly string[];
}

type PlanOf<A> = A extends Analysis<infer P, infer _R, infer _O> ? P : never;
type ResultsOf<A> = A extends Analysis<infer _P, infer R, infer _O> ? R : never;
type OptionsOf<A> = A extends Analysis<infer _P, infer _R, infer O> ? O : never;
type CallOf<A> = MatrixAnalysisOptions & Partial<OptionsOf<A>>;

/** Runs an analysis with the defaults of its command where a call says nothing. */
async function analysed<P, R, O extends object>(
  analysis: Analysis<P, R, O>,
  { matrix, engine, signal, ...options }: MatrixAnalysisOptions & Partial<O>,
): Promise<Analysed<P, R>> {
  const inputs = oneMatrix(analysis.name, { matrix, engine });
  const defaults = statedOptions(analysis.options, { plan: {}, rng: null, seed: null });
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const outcome = await analysis.run(inputs, { ...defaults, ...Object.fromEntries(given) } as O, signal);
  const { plan, results, warnings } = outcome;
  return { plan, results, words: analysis.words(outcome), warnings };
}

/**
 * Finds which ranks a matrix supports: rank sets, letters, pairs that are told apart (decisions 1 to 3). Options are those of the command
 * `rank-audit`; what is left out has its default. Errors: USAGE, and those of `runInference`.
 */
export const rankAudit = (
  options: CallOf<typeof rankAuditAnalysis>,
): Promise<Analysed<PlanOf<typeof rankAuditAnalysis>, ResultsOf<typeof rankAuditAnalysis>>> =>
  analysed(rankAuditAnalysis, options);

/** Plans how many tasks resolve a difference, from pilot scores (statistics 14.2). Options are those of the command `power`. Errors: USAGE. */
export const power = (
  options: CallOf<typeof powerAnalysis>,
): Promise<Analysed<PlanOf<typeof powerAnalysis>, ResultsOf<typeof powerAnalysis>>> =>
  analysed(powerAnalysis, { simulation: true, ...options });

/** Simulates whether intervals cover and tests hold their level on data like these (statistics 15). Options are those of `coverage`. Errors: USAGE. */
export const coverage = (
  options: CallOf<typeof coverageAnalysis>,
): Promise<Analysed<PlanOf<typeof coverageAnalysis>, ResultsOf<typeof coverageAnalysis>>> =>
  analysed(coverageAnalysis, options);
