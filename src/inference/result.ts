import { DECISIONS, type Decision } from './decisions/decisions.js';
import type { InferencePlan, PlanChoices, PlanSizes } from './plan.js';
import type { Replication } from './replication.js';

/** Two ends in points. */
export type Interval = readonly [number, number];

export type PKind = 'exact' | 'sampled' | 'enumerated';

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
  /** What p is; `enumerated`: by all sign vectors of the centred test. Null in version 1, where it is always sampled (decisions 2.2). */
  readonly pKind: PKind | null;
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
  /** The score with missing cells at the least and at the greatest value, `score` half-way; null where none are missing. */
  readonly scoreBounds: Interval | null;
  /** By family, panels pooled. */
  readonly familyScores: Readonly<Record<string, number>>;
  /** By stratum of the plan; empty where a document does not state them. */
  readonly stratumScores: Readonly<Record<string, number>>;
  readonly standardError: number;
  readonly pointwise: Interval;
  readonly simultaneous: Interval;
  /** The interval in force reaches the end of the scale because a drawn error was zero; null where it cannot (decisions 2.4). */
  readonly unbounded: boolean | null;
  /** 1 + the number of models strictly above; in version 1 equal scores take consecutive ranks (decisions 1.1). */
  readonly rank: number;
  /** Whether another model shares the rank; null in version 1. */
  readonly rankTied: boolean | null;
  /** How the rank varies over draws (decisions 1.2). */
  readonly rankInterval: readonly [number, number];
  /** Ranks that the data allow this model, right for all models at once; null where none was formed (decisions 1.3). */
  readonly rankSet: readonly [number, number] | null;
  /** The same for this model alone. */
  readonly rankSetMarginal: readonly [number, number] | null;
  /** Two models that share a letter are not told apart; null past 26 letters and in version 1 (decisions 1.6). */
  readonly letters: string | null;
  /** Indices of the models it is not told apart from, in row order; null in version 1. */
  readonly openWith: readonly number[] | null;
  readonly group: number;
  /** Null where no chance values are known. */
  readonly chance: ChanceResult | null;
  /** The bootstrap does not vary: every interval is a point. */
  readonly degenerate: boolean;
}

export type Direction = 'left_higher' | 'right_higher' | 'tie';

/**
 * `open`: not told apart, which is never the same as equal. `untestable`: no data of this design could tell them apart. `untested`:
 * none of the comparisons asked for.
 */
export type PairDecision = Decision | 'untested';

/** Every decision, by the code that stands for it in a column. */
export const PAIR_DECISIONS = [...DECISIONS, 'untested'] as const satisfies readonly PairDecision[];

/** All pairs of models as columns, in the order (0,1), (0,2), ...: what takes little room where models are many. */
export interface PairTable {
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Left minus right, points. */
  readonly difference: Float64Array;
  readonly p: Float64Array;
  readonly holm: Float64Array;
  /** By the multiplicity in force. */
  readonly adjusted: Float64Array;
  /** Index into `PAIR_DECISIONS`, of the left model. */
  readonly decision: Uint8Array;
}

/** How the pairs of models were decided. */
export interface PairSummary {
  readonly total: number;
  /** `told_apart`: higher or lower. */
  readonly decisions: Readonly<Record<'told_apart' | 'open' | 'identical' | 'untestable' | 'untested', number>>;
  /** Of the untestable ones those that too few clusters of the design make so. */
  readonly byDesign: number;
  /** Differing clusters that the untestable ones would take at least; null where there are none. */
  readonly clustersNeeded: number | null;
  /** Decisions that Monte Carlo error of their own p could turn. */
  readonly couldTurn: number;
  /** The first two models that have equal totals in every cluster; null where there are none. */
  readonly identical: readonly [number, number] | null;
}

/** What a design can show of a pair of models, and what it showed. */
export interface PairVerdict {
  /** `higher`: the left model is. */
  readonly decision: PairDecision;
  /** Clusters whose weighted total differs. */
  readonly differingClusters: number;
  /** The least p that the pair can have: 2 / 2^differingClusters. */
  readonly floor: number;
  /** Why it is untestable: the design has too few clusters, or the two differ in too few of them. */
  readonly untestable: 'by_design' | 'differ_in_few' | null;
  /** Differing clusters that it would take at least; null where the pair is testable. */
  readonly clustersNeeded: number | null;
  /** Monte Carlo error of this p alone could turn the decision. */
  readonly couldTurn: boolean;
}

export interface PairResult extends TestResult {
  readonly left: number;
  readonly right: number;
  readonly meanDifference: number;
  readonly interval: Interval;
  readonly dz: number | null;
  /** Single-step Westfall-Young p over all pairs of models; null where a document does not state it. */
  readonly maxTP: number | null;
  /** The step-down one; null where max-T was not in force (decisions 3.1). */
  readonly maxTStepP: number | null;
  /** What the design can show of the pair, and what it showed; null in version 1 (decisions 2.2, 2.3). */
  readonly verdict: PairVerdict | null;
  /** Equality within the margin; null where none was asked for (decisions 3.3). */
  readonly equalWithin: { readonly p: number; readonly holm: number; readonly equal: boolean } | null;
  readonly direction: Direction;
  /** The two models have equal totals in every cluster and stratum; null where a document does not state it. */
  readonly degenerate: boolean | null;
}

/**
 * What a leaderboard says, whoever states it: an inference in memory, its document read back, or the published document.
 * Scores and differences in points.
 */
export interface Leaderboard {
  /** Sizes, seed, error rate and choices of the inference behind it. */
  readonly plan: Pick<PlanSizes, 'draws' | 'flips' | 'alpha' | 'seed'> & PlanChoices;
  readonly tasks: number;
  readonly tasksPerFamily: Readonly<Record<string, number>>;
  readonly clusters: number;
  /** Clusters of equal weight that would weigh as these do; null in version 1 (decisions 2.1). */
  readonly effectiveClusters: number | null;
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

/** Two models next to one another in the order that are not told apart. */
export interface Neighbours {
  /** Indices of the models; equal scores in the order of lines. */
  readonly higher: number;
  readonly lower: number;
  /** Points, not negative. */
  readonly difference: number;
  /** About how many more tasks would tell them apart if the difference were the true one; null where no number would. */
  readonly moreTasks: number | null;
}

/** The leaderboard that an inference makes, and how it was made. */
export interface Inference extends Leaderboard {
  readonly plan: InferencePlan;
  /** Generator streams (philox) or replayed seeds (numpy) by use. */
  readonly streams: Readonly<Record<string, number | string>>;
  readonly strata: readonly {
    readonly label: string;
    readonly tasks: number;
    readonly clusters: number;
    /** Share in a score; absent where all weigh the same. */
    readonly weight?: number;
  }[];
  /** All pairs as columns; null in version 1. */
  readonly pairTable: PairTable | null;
  /** Null in version 1. */
  readonly pairSummary: PairSummary | null;
  /** Best first; empty in version 1. */
  readonly neighbours: readonly Neighbours[];
  /** Draws made anew because a stratum came out empty. */
  readonly redraws: number;
  /** Draws that left a stratum empty, over those that count; by weight where multisets are enumerated. */
  readonly emptied: number;
  /** How strata were weighed in the flips: exactly, or rounded where exact weights pass 2^62. */
  readonly weights: { readonly kind: 'exact' | 'rounded'; readonly relativeError: number };
  /** What the plan cannot show, and what the backend had to say about how it ran. */
  readonly warnings: readonly string[];
}
