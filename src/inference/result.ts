import type { InferencePlan } from './plan.js';
import type { Replication } from './replication.js';

/** Two ends in points. */
export type Interval = readonly [number, number];

/** One sign-flip test and what is known about its Monte Carlo error. */
export interface TestResult {
  readonly exceedances: number;
  readonly p: number;
  readonly holm: number;
  readonly significant: boolean;
  /** 99 % interval of the p that endless draws would give; null where a document does not state it. */
  readonly pInterval99: readonly [number, number] | null;
  /** Null where a document does not state it. */
  readonly holmCouldFlip: boolean | null;
  /** By full enumeration, where that takes no more work than the draws; else null. */
  readonly exactP: number | null;
}

export interface ChanceResult extends TestResult {
  /** Score of a uniformly random answer, points. */
  readonly score: number;
  readonly meanDifference: number;
  readonly interval: Interval;
  /** Significant and positive. */
  readonly aboveChance: boolean;
}

export interface ModelResult {
  readonly index: number;
  readonly modelId: string;
  /** The id where nobody named the model. */
  readonly name: string;
  readonly slotId: string | null;
  readonly score: number;
  /** By family, panels pooled. */
  readonly familyScores: Readonly<Record<string, number>>;
  /** By stratum of the plan; empty where a document does not state them. */
  readonly stratumScores: Readonly<Record<string, number>>;
  readonly standardError: number;
  readonly pointwise: Interval;
  readonly simultaneous: Interval;
  readonly rank: number;
  readonly rankInterval: readonly [number, number];
  readonly group: number;
  /** Null where no chance values are known. */
  readonly chance: ChanceResult | null;
  /** The bootstrap does not vary: every interval is a point. */
  readonly degenerate: boolean;
}

export type Direction = 'left_higher' | 'right_higher' | 'tie';

export interface PairResult extends TestResult {
  readonly left: number;
  readonly right: number;
  readonly meanDifference: number;
  readonly interval: Interval;
  readonly dz: number | null;
  /** Single-step Westfall-Young p over all pairs of models; null where a document does not state it. */
  readonly maxTP: number | null;
  readonly direction: Direction;
  /** The two models have equal totals in every cluster and stratum; null where a document does not state it. */
  readonly degenerate: boolean | null;
}

/**
 * What a leaderboard says, whoever states it: an inference in memory, its document read back, or the published document.
 * Scores and differences in points.
 */
export interface Leaderboard {
  /** Sizes, seed and error rate of the inference behind it. */
  readonly plan: Pick<InferencePlan, 'draws' | 'flips' | 'alpha' | 'seed'>;
  readonly tasks: number;
  readonly tasksPerFamily: Readonly<Record<string, number>>;
  readonly clusters: number;
  /** Roster order: the order of rows everywhere. */
  readonly models: readonly ModelResult[];
  /** Order (0,1), (0,2), ... */
  readonly pairs: readonly PairResult[];
  readonly replication: Replication | null;
  readonly bandCritical: number;
  readonly resolvedPairs: number;
  /** Index of the model that beats all others significantly; null when there is none. */
  readonly top: number | null;
}

/** The leaderboard that an inference makes, and how it was made. */
export interface Inference extends Leaderboard {
  readonly plan: InferencePlan;
  /** Generator streams (philox) or replayed seeds (numpy) by use. */
  readonly streams: Readonly<Record<string, number | string>>;
  readonly strata: readonly { readonly label: string; readonly tasks: number }[];
  /** Draws made anew because a stratum came out empty. */
  readonly redraws: number;
  /** How strata were weighed in the flips: exactly, or rounded where exact weights pass 2^62. */
  readonly weights: { readonly kind: 'exact' | 'rounded'; readonly relativeError: number };
  /** What the plan cannot show, and what the backend had to say about how it ran. */
  readonly warnings: readonly string[];
}
