import type { z } from 'zod';
import type { ScoreMatrix } from '../core/matrix.js';
import type { DrawOptions } from '../draw/look.js';
import { panelMajor, stratifiedScores } from '../inference/rank-agreement.js';
import type { ArrowColumn, TableColumn } from '../io/arrow.js';
import type { TextTable } from '../io/text-table.js';
import { fixed } from '../util/format.js';
import type { AnalysisOption } from './declared-options.js';
import type { AnalysisInputs, InputName } from './inputs.js';
import { type ModelOrder, pointRanksOf, tiedRanks } from './model-order.js';

/** A model as a leaderboard has it. */
export interface RankedModel {
  readonly modelId: string;
  /** As figures name it. */
  readonly name: string;
  /** As narrow tables name it: without its provider. */
  readonly short: string;
  readonly rank: number;
  /** Whether others share it; null where ranks follow the order of rows, as in documents of version 1. */
  readonly rankTied: boolean | null;
}

/** What an analysis found, whether it was made just now or read from its document. */
export interface Outcome<P, R> {
  readonly plan: P;
  readonly results: R;
  /** The models in roster order, named and ranked; empty for an analysis that is not about models. */
  readonly models: readonly RankedModel[];
}

/** An outcome that was made just now, with what its document says beside it. */
export interface AnalysisRun<P, R> extends Outcome<P, R> {
  /** Generator of the draws; null where nothing is drawn. */
  readonly rng: 'philox' | 'numpy' | null;
  /** Null where nothing is drawn, or where the streams have seeds of their own. */
  readonly seed: bigint | null;
  /** Stream number or replayed seed of each use. */
  readonly streams: Readonly<Record<string, number | string>>;
  /** Sentences without a full stop that belong to every reading of the outcome. */
  readonly warnings: readonly string[];
  /** Tables beside the document that no document holds, by what they are about; their columns name all rows there are. */
  readonly tables?: Readonly<Record<string, readonly TableColumn[]>>;
}

/** A document of an analysis: its schema id, and how plan and results are read from it. */
export interface AnalysisSchema<P, R> {
  readonly id: string;
  /** Ids of earlier versions, which the same plan and results read: what a later one added may be absent. */
  readonly earlier?: readonly string[];
  readonly plan: z.ZodType<P>;
  readonly results: z.ZodType<R>;
}

/** Tells whether a document of an analysis has one of its schema ids. */
export function isOfSchema(
  { id, earlier = [] }: Pick<AnalysisSchema<unknown, unknown>, 'id' | 'earlier'>,
  schema: unknown,
): boolean {
  return schema === id || earlier.some((other) => other === schema);
}

/** How a figure is drawn in which models are named and stand in the order of a leaderboard. */
export interface ModelDrawOptions extends DrawOptions {
  /** In roster order. */
  readonly models: readonly RankedModel[];
}

/** How a figure is drawn that names an error rate. */
export interface LevelDrawOptions extends DrawOptions {
  /** Familywise. */
  readonly alpha: number;
}

/** What a figure draws, as the CSV beside it says it. */
export interface FigureData {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The outcomes that a release holds. */
export interface ReleasedOutcomes {
  /** The models of its leaderboard, in roster order. */
  readonly models: readonly RankedModel[];
  /** Outcomes of one analysis, in the order of their files. Errors: SCHEMA_INVALID with file and path. */
  of<P, R>(analysis: { readonly schema: AnalysisSchema<P, R> }): readonly Outcome<P, R>[];
}

/** A figure of a release that analyses give; null data where the release lacks them. */
export interface ReleaseFigure {
  /** Its number in the paper. */
  readonly number: number;
  /** Base name of its files. */
  readonly name: string;
  readonly title: string;
  /** What it is made from, in words. */
  readonly needs: string;
  data(outcomes: ReleasedOutcomes): FigureData | null;
  /** Called only where there are data. Loads the chart library. */
  draw(outcomes: ReleasedOutcomes, options: DrawOptions): Promise<string>;
}

/** A table of a release that an analysis gives; null where the release lacks it. */
export interface ReleaseTable {
  readonly number: number;
  readonly name: string;
  readonly needs: string;
  make(outcomes: ReleasedOutcomes): TextTable | null;
}

/**
 * One analysis, from what it needs to what a reader gets. The command line, the figures and tables of a release and the
 * verifier know no other list of them than `list.ts`. P is its plan, R its results, O the options of its run.
 */
export interface Analysis<P, R, O> {
  /** Name of its command, of its files and of its document. */
  readonly name: string;
  /** One sentence for the help. */
  readonly summary: string;
  readonly needs: {
    readonly inputs: readonly InputName[];
    /** The same for the help, with the options that give them. */
    readonly words: string;
  };
  /** What it can be asked beside its inputs; the command line makes its options from these. */
  readonly options: readonly AnalysisOption[];
  readonly schema: AnalysisSchema<P, R>;
  /** What a plan of it that is frozen before fixes where the call leaves it open; absent where it has none of its own. */
  readonly planned?: {
    /** The published seed. */
    readonly seed: bigint;
    /** By key in the plan of its document. */
    readonly defaults: Readonly<Record<string, (rng: 'philox' | 'numpy') => string | number>>;
  };
  /** Errors: INPUT_MISSING where an input is not given; those of the computation. */
  run(inputs: AnalysisInputs, options: O, signal?: AbortSignal): Promise<AnalysisRun<P, R>>;
  /** The table beside the document. */
  columns(outcome: Outcome<P, R>): readonly ArrowColumn[];
  /** One paragraph: what the outcome shows, and what it does not. */
  words(outcome: Outcome<P, R>): string;
  /** The figure as SVG. Loads the chart library. */
  draw(outcome: Outcome<P, R>, options: DrawOptions): Promise<string>;
  readonly figures?: readonly ReleaseFigure[];
  readonly tables?: readonly ReleaseTable[];
}

/** Writes a share as a percentage: 0.256 is `26%`, with one place `25.6%`. */
export const percent = (share: number, places = 0): string => `${fixed(100 * share, places)}%`;

/** Writes a correlation or a percentile with three places; `undefined` where there is none. */
export const three = (value: number | null): string => (value === null ? 'undefined' : fixed(value, 3));

/**
 * Ranks the models of a matrix, under their ids, by score over strata of panel and family: equal scores share a rank (decisions 1.1), or, where
 * an analysis takes models as rows, follow their order (analyses 0.2).
 */
export function rankedByScore(matrix: ScoreMatrix, order: ModelOrder): RankedModel[] {
  const ranks = pointRanksOf(stratifiedScores(matrix, panelMajor(matrix)), order);
  const tied = tiedRanks(ranks);
  return matrix.models.map((id, m) => ({
    ...{ modelId: id, name: id, short: id, rank: ranks[m]! },
    rankTied: order === 'rows' ? null : tied.has(ranks[m]!),
  }));
}
