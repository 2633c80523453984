import type { AnalysisReport } from '../../../analyses/report.js';
import type { SensitivityFlags, SensitivityInputs } from './inputs.js';

/** What an analysis found, before it becomes a document. */
export interface Finding {
  readonly plan: Readonly<Record<string, unknown>>;
  readonly results: object;
  readonly report: AnalysisReport;
  /** Seed of the draws; null where nothing is drawn. */
  readonly seed: bigint | null;
  readonly streams: Readonly<Record<string, number | string>>;
  /** Sentences that stand before the paragraph and in the document. */
  readonly warnings?: readonly string[];
}

/** A file of this folder: reads what it needs, computes, reports. Errors: INPUT_MISSING where an input is not given. */
export type Analysis = (inputs: SensitivityInputs, flags: SensitivityFlags) => Promise<Finding>;

const DEFAULT_SEED = 20260820n;

/** Published seeds under numpy, ours under philox. */
export function randomOf(flags: SensitivityFlags, published: bigint) {
  return {
    kind: flags.rng,
    seed: flags.seed ?? (flags.rng === 'numpy' ? published : DEFAULT_SEED),
  } as const;
}

/** The stream an analysis draws from; a replay has only its seed. */
export function streamOf(flags: SensitivityFlags, name: string, stream: number) {
  return flags.rng === 'numpy' ? {} : { [name]: stream };
}
