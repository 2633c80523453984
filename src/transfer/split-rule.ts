/** How a pool of tasks is divided by anchor (compiler e.2). Counts are per panel-family stratum. */
export interface SplitRule {
  readonly name: string;
  /** Orders the anchors: SHA-256 of `salt|anchor`. */
  readonly salt: string;
  /** Tasks of a stratum that are held out first; 0 where the data set has no evaluation split. */
  readonly evaluation: number;
  /** Tasks that follow; the rest train. */
  readonly validation: number;
  /** Share of the supplemental anchors that validate. */
  readonly supplementalValidation: number;
  /** Orders the rows before their optima are rotated; absent: no format control is made. */
  readonly controlSalt?: string;
}

/** The split of the published laboratory data set: 342 train, 84 validation. */
export const LAB_V1: SplitRule = {
  name: 'lab-v1',
  salt: 'flavourbench-lab-anchor-split-v1',
  evaluation: 0,
  validation: 14,
  supplementalValidation: 0.2,
};

/** The split of the paper's transfer study: 270 train, 72 validation, 84 evaluation. */
export const LAB_V3: SplitRule = {
  name: 'lab-v3',
  salt: 'flavourbench-lab-anchor-split-v2',
  evaluation: 14,
  validation: 12,
  supplementalValidation: 0.2,
  controlSalt: 'flavourbench-sft-format-control-v1',
};

export const SPLIT_RULES: readonly SplitRule[] = [LAB_V1, LAB_V3];
