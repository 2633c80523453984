import type { AnalysisPlan } from '../../inference/analysis-plan.js';
import type { Witness } from '../../witness/witness.js';

/** A frozen plan in a release, and who else knew it. */
export interface ReleasedPlan {
  readonly plan: AnalysisPlan;
  readonly bytes: Uint8Array;
  /** As a release states them: none is proved. */
  readonly witnesses: readonly Witness[];
  /** The time-stamp token among them. */
  readonly token: Uint8Array | null;
}
