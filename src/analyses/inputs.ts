import type { ScoreMatrix } from '../core/matrix.js';
import type { LogMatrix } from '../core/matrix-logs.js';
import type { Engine, OnProgress } from '../engine/engine.js';
import type { OnForecast } from '../engine/forecast-engine.js';
import type { Shares } from '../shares/ranged-work.js';
import type { CorePlan } from '../tasks/coreplan.js';
import type { MapRow } from '../tasks/maps-read.js';
import type { Task } from '../tasks/task.js';
import type { CompletionGrid } from '../transfer/completion.js';
import type { AnswerGrid, CandidatePool } from './candidates.js';
import type { Substitution } from './substitutions/check.js';
import type { SubstitutionSpace } from './substitutions/ranks.js';

/** Maps of the ranked tasks under another environment. */
export interface OtherMaps {
  readonly name: string;
  readonly maps: readonly MapRow[];
}

/** A space of the substitution check, with the identity of its environment. */
interface IdentifiedSpace {
  readonly space: SubstitutionSpace;
  readonly sha256: string;
}

/** A matrix of any origin: a table, or evaluation logs of one kind. */
export interface AuditSource extends LogMatrix {
  /** What the files are, in words. */
  readonly kind: string;
}

/** A matrix from which the scores of families follow; `stated` where no cell was looked at. */
export interface FamilyMeans {
  readonly matrix: ScoreMatrix;
  readonly stated: boolean;
}

/**
 * Everything that analyses may ask for. Each input is opened when it is first asked for, and once. Errors of all:
 * INPUT_MISSING where a call does not give it, and those of its reader.
 */
export interface AnalysisInputs {
  /** Models x tasks, complete. */
  matrix(): Promise<ScoreMatrix>;
  /** What scores of families follow from: the matrix, or one column a stratum as a leaderboard states it. */
  familyMeans(): Promise<FamilyMeans>;
  /** What about the scores of the matrix looks wrong, as sentences without a full stop. */
  matrixWarnings(): Promise<readonly string[]>;
  /** Pairs of rows of the matrix that its leaderboard resolves at an error rate. */
  resolved(alpha: number): Promise<readonly (readonly [number, number])[]>;
  /** Selections on the columns of the matrix: none is missing. */
  answers(): Promise<AnswerGrid>;
  candidates(): Promise<CandidatePool>;
  core(): Promise<CorePlan>;
  /** The tasks of all task sets by id. */
  tasks(): Promise<ReadonlyMap<string, Task>>;
  otherMaps(): Promise<readonly OtherMaps[]>;
  environments(): Promise<readonly IdentifiedSpace[]>;
  /** Observed replacements, held out and of the training part. */
  substitutions(): Promise<Readonly<Record<'test' | 'train', readonly Substitution[]>>>;
  audited(): Promise<AuditSource>;
  /** Generations of the transfer study, scored. */
  completions(): Promise<CompletionGrid>;
  /** An engine of the caller's, who closes it. */
  engine(): Promise<Engine>;
  /** Digest of the results that `resolved` or `familyMeans` read; null where they were computed. */
  readonly inferenceSha256?: () => string | null;
  /** Who does which ranges of draws and data sets that an analysis makes without the engine; all are done here unless given. */
  readonly shares?: Shares | undefined;
  /** Hears of an analysis in many rounds how far it is; of one that is a few calls of the engine, the engine tells. */
  readonly onProgress?: OnProgress;
  /** Hears, before a simulation starts, what it will take; of a call of the engine, the engine tells. */
  readonly onForecast?: OnForecast;
}

/** Inputs by name, as an analysis says which it needs. */
export type InputName = Exclude<
  keyof AnalysisInputs,
  'matrixWarnings' | 'engine' | 'inferenceSha256' | 'onProgress' | 'onForecast' | 'shares'
>;
