import { envelope, type InputFile, type RunFacts } from '../io/envelope.js';
import { RNG_ID } from '../util/version.js';
import type { About } from './about.js';
import type { AnalysisRun } from './analysis.js';
import type { AnyAnalysis } from './list.js';

/** An analysis that has run. */
export interface RanAnalysis {
  readonly analysis: AnyAnalysis;
  readonly outcome: AnalysisRun<object, object>;
  readonly files: readonly InputFile[];
  /** What it looked at; absent where others cannot hold it against that. */
  readonly about?: About;
  /** How it stands to a plan that was frozen before it; absent where it can have none. */
  readonly standing?: object;
  readonly facts: Omit<RunFacts, 'warnings'>;
}

/** Makes the document of an analysis, and its text. */
export function analysisDocument({ analysis, outcome, files, about, standing, facts }: RanAnalysis) {
  const { plan, results, rng, seed, streams, warnings } = outcome;
  return envelope({
    schema: analysis.schema.id,
    plan,
    inputs: files,
    rng: rng && RNG_ID[rng],
    seed,
    streams,
    results,
    about,
    standing,
    run: { ...facts, warnings },
  });
}
