import type { ClusterDesign } from './design.js';

/** The backends, the oracle first. `auto` chooses among the others. */
export const BACKENDS = ['reference', 'wasm', 'pool', 'webgpu'] as const;

export type BackendName = (typeof BACKENDS)[number];

/** Hears how far a long work is: `done` of `total` units of a stage, which a reader is shown in these words. */
export type OnProgress = (stage: string, done: number, total: number) => void;

/** The default counter-based generator, or a replay of the published analysis' NumPy streams. */
export type RandomSource =
  | { readonly kind: 'philox'; readonly seed: bigint; readonly stream: number }
  | { readonly kind: 'numpy'; readonly seed: bigint; readonly batch: number };

/** Tells whether two sources are one stream of the counter-based generator. */
export function sameStream(a: RandomSource, b: RandomSource): boolean {
  return a.kind === 'philox' && b.kind === 'philox' && a.seed === b.seed && a.stream === b.stream;
}

/** How equal values of a draw are ranked. */
export type RankKind = 'ordinal' | 'shared';

/** Values of bootstrap draws. */
export interface BootstrapValues {
  /** draws x rows, draw-major, in points. */
  readonly values: Float64Array;
  /** Draws made anew because a stratum came out empty. */
  readonly redraws: number;
}

/** Cluster bootstrap draws, and what is wanted of their values. */
export interface BootstrapRequest {
  readonly draws: number;
  /** Number of the first draw, 0 unless given: a range of the draws of a counted stream. */
  readonly first?: number;
  /** The values of these draws, made before: they are summed up and not made again. */
  readonly given?: BootstrapValues;
  readonly random: RandomSource;
  /** `joint`: clusters drawn over the whole set, ratio of sums per stratum. `stratified`: within each stratum. */
  readonly scheme: 'joint' | 'stratified';
  /** Probabilities of the linear quantiles, ascending, in [0, 1]. */
  readonly probabilities: readonly number[];
  /** Quantile of the maximum standardised deviation over ranked rows; absent: no band. */
  readonly bandProbability?: number;
  /**
   * Ranks of the ranked rows in every draw. `ordinal`: equal values follow the order of rows (statistics 5.5). `shared`: a row's
   * best rank is 1 + the rows strictly above it, its worst the rows at or above it, itself included (decisions 1.2).
   */
  readonly ranks?: RankKind;
  /** Quantiles of all row differences too; these cost most where rows are many. */
  readonly pairs?: boolean;
  /** Sets of ranks by step-down over the same draws (decisions 1.3). */
  readonly rankSets?: RankSetRequest;
  /**
   * Every multiset of clusters once, with its exact weight, in place of draws (decisions 5.1); `random` is not read, and there may be
   * no more multisets than `draws`.
   */
  readonly enumerate?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** What rank sets are formed with. */
export interface RankSetRequest {
  /** Familywise level of each family of hypotheses. */
  readonly alpha: number;
  /** pairs of ranked rows (`pairIndex` order): 1 leaves every maximum and is never rejected, as where the difference is constant. */
  readonly excluded: Uint8Array;
}

/**
 * Which row is significantly above which, at familywise level alpha: ranked x ranked, [j x ranked + k] = 1 where rejected
 * (decisions 1.3).
 */
export interface RankSets {
  /** j is above k, in the family of all ordered pairs. */
  readonly simultaneous: Uint8Array;
  /** j is above k, in the family of the pairs that name j. */
  readonly marginalAbove: Uint8Array;
  /** k is above j, in the same family. */
  readonly marginalBelow: Uint8Array;
}

/** Weights of enumerated multisets: the number of equally likely ordered draws that each stands for (decisions 5.1). */
export interface EnumeratedWeights {
  /** Sum over the multisets that count; each row of weighted rank counts adds up to it. */
  readonly total: number;
  /** Sum over the multisets left out because a stratum came out empty. */
  readonly leftOut: number;
}

/** What a backend has to say about how it ran; never about the numbers. */
export interface RunNotes {
  /** Events that a reader should know: a worker that died, a device that was lost. */
  readonly warnings?: readonly string[];
}

/** Everything the bootstrap says, formed in f64 from exact integers; the same digits on every backend. */
export interface BootstrapSummary extends RunNotes {
  /** Draws, or multisets that leave no stratum empty. */
  readonly draws: number;
  /** Draws made anew because a stratum came out empty, or multisets left out for it. */
  readonly redraws: number;
  /** Where multisets were enumerated: their weights. */
  readonly enumerated?: EnumeratedWeights;
  /** rows: the point value, mean over strata of stratum means, in points (statistics 5.1). */
  readonly points: Float64Array;
  /** rows: standard deviation over draws, divisor draws - 1; 0 for one draw (statistics 5.3). Enumerated: the population value. */
  readonly standardErrors: Float64Array;
  /** rows x probabilities. */
  readonly quantiles: Float64Array;
  /** Critical value of the simultaneous band (statistics 5.4); null when not asked for. */
  readonly bandCritical: number | null;
  /** ranked x ranked: draws in which row r took rank k + 1 (statistics 5.5); null unless ordinal ranks are asked for. */
  readonly rankCounts: Uint32Array | null;
  /** ranked x ranked: draws in which the best rank of row r was k + 1, or their weight; null unless shared ranks are asked for (decisions 1.2). */
  readonly bestRankCounts: Uint32Array | Float64Array | null;
  /** The same of worst ranks. */
  readonly worstRankCounts: Uint32Array | Float64Array | null;
  /** pairs of all rows (`pairIndex` order) x probabilities; null when not asked for. */
  readonly pairQuantiles: Float64Array | null;
  /** Null when not asked for. */
  readonly rankSets: RankSets | null;
}

/** Bootstrap draws whose values are studentised (decisions 2.4). */
export interface StudentisedRequest
  extends Pick<BootstrapRequest, 'draws' | 'random' | 'scheme' | 'enumerate' | 'signal' | 'onProgress'> {
  /** Quantiles at this probability and at one less it, in (0, 0.5). */
  readonly tail: number;
}

/** Scores, their errors, and quantiles of t = (value - score) / error over draws, each draw with an error of its own. */
export interface StudentisedSummary extends RunNotes {
  /** rows: in points. */
  readonly scores: Float64Array;
  /** rows: leverage-scaled errors of the scores, in points. */
  readonly errors: Float64Array;
  /** rows x 2: lower and upper quantile; infinite where too many draws have no error. */
  readonly quantiles: Float64Array;
}

/** What a step-down max-T is formed with. */
export interface StepDownRequest {
  /** Familywise level. */
  readonly alpha: number;
  /** Pairs of ranked rows (`pairIndex` order) that are none of the comparisons: 1 leaves every maximum. */
  readonly excluded?: Uint8Array;
}

/** What is flipped: cluster totals, or residuals of the fit that the null restricts (decisions 3.2). One stratum: the same. */
export type FlipTest = 'sign-flip' | 'centred';

/** All sign flips there are. */
export interface ExactFlipRequest {
  /** `sign-flip` unless given. */
  readonly test?: FlipTest;
  /** Count single-step max-T exceedances over the pairs of ranked rows. */
  readonly maxT?: boolean;
  /** Step-down max-T over the same pairs, at a familywise level (decisions 3.1). */
  readonly stepDown?: StepDownRequest;
  /** Sets of ranks by step-down over the same flips (decisions 1.4). */
  readonly rankSets?: RankSetRequest;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** Counts of a range of flips, which add up over ranges. */
export type CountedFlips = Pick<FlipCounts, 'pairs' | 'rows' | 'maxT'>;

/** Sign flips at random. */
export interface FlipRequest extends ExactFlipRequest {
  readonly draws: number;
  /** Number of the first flip, 0 unless given: a range of the flips of a counted stream. */
  readonly first?: number;
  /** The counts of these flips, made before; what goes by steps is still formed. `maxT` is there where it, or step-down, is asked for. */
  readonly given?: CountedFlips;
  readonly random: RandomSource;
}

/** Step-down max-T over the pairs of ranked rows, in `pairIndex` order (decisions 3.1). */
export interface MaxTStep {
  /** Draws that reach the pair in its round, never fewer than for a pair rejected earlier; all draws for a pair that never differs. */
  readonly exceedances: Float64Array;
  /** 1: the same flips would reject the pair if every pair stood at its largest attainable statistic. */
  readonly attainable: Uint8Array;
}

/** Exceedance counts of the sign-flip tests: draws whose absolute flipped sum reaches the observed one. */
export interface FlipCounts extends RunNotes {
  readonly draws: number;
  /** How strata were weighed: exactly, or rounded where exact weights pass 2^62. */
  readonly weights: { readonly kind: 'exact' | 'rounded'; readonly relativeError: number };
  /** pairs of all rows (`pairIndex` order). */
  readonly pairs: Float64Array;
  /** rows against zero. */
  readonly rows: Float64Array;
  /** pairs of ranked rows: draws whose maximum studentised pair statistic reaches that of the pair; null when not asked for. */
  readonly maxT: Float64Array | null;
  /** Null when not asked for. */
  readonly maxTStep: MaxTStep | null;
  /** Null when not asked for. */
  readonly rankSets: RankSets | null;
}

/**
 * A backend. Weights come from the generator, totals are exact integers, so results do not depend on the backend, the
 * number of threads or the way draws are split. Close it when done.
 */
export interface Engine {
  readonly backend: BackendName;
  readonly threads: number;
  /** Why this backend and thread count; set by `auto`. */
  readonly reason?: string;
  bootstrap(design: ClusterDesign, request: BootstrapRequest): Promise<BootstrapSummary>;
  /** The values themselves: for analyses that need more than a summary. */
  bootstrapValues(design: ClusterDesign, request: BootstrapRequest): Promise<BootstrapValues>;
  /** Scores, errors and quantiles of the studentised values of the draws that a bootstrap makes (decisions 2.4). */
  studentised(design: ClusterDesign, request: StudentisedRequest): Promise<StudentisedSummary>;
  flips(design: ClusterDesign, request: FlipRequest): Promise<FlipCounts>;
  /** The same counts over all 2^C sign vectors, the identity among them; C at most 30. `draws` is 2^C. */
  exactFlips(design: ClusterDesign, request: ExactFlipRequest): Promise<FlipCounts>;
  close(): Promise<void>;
}
