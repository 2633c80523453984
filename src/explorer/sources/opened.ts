import type { AnyAnalysis } from '../../analyses/list.js';
import type { MissingRule } from '../../core/gaps.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import type { InferencePlan } from '../../inference/plan.js';
import type { Inference } from '../../inference/result.js';
import type { JsonObject } from '../../io/json.js';
import type { LedgerStatus } from '../../ledger/ledger-status.js';
import type { ReleaseView } from '../../release/view.js';
import type { FlavourError } from '../../util/error.js';
import type { AnswerBook } from './answer-book.js';
import type { HeldFile } from './held-file.js';

/** What given files are: scores in a table or in logs, a release, a ledger, results of a command, or the published document. */
export type SourceKind = 'table' | 'tasks' | 'release' | 'ledger' | 'result' | 'published';

/** A leaderboard that a document states, and by what plan. */
export interface Stated {
  readonly inference: Inference;
  readonly plan: InferencePlan;
}

/** A document of an analysis. */
export interface OpenedAnalysis {
  /** Base name of its file. */
  readonly name: string;
  readonly file: string;
  /** What writes such documents; null where no analysis of this program does. */
  readonly analysis: AnyAnalysis | null;
  readonly document: JsonObject;
}

/** Given files as one thing. Views ask for the parts that they show; a part that is not at hand is null or empty. */
export interface Opened {
  readonly kind: SourceKind;
  /** What the page calls it. */
  readonly name: string;
  /** What was read, in one line. */
  readonly reading: string;
  /** Sentences without a full stop. */
  readonly warnings: readonly string[];
  readonly files: readonly HeldFile[];
  /** Scores of all models on all tasks. */
  readonly matrix: ScoreMatrix | null;
  /** What becomes of missing cells, where a reader chose it to have any result. */
  readonly missing?: MissingRule;
  /** What a document says of them, where one does. */
  readonly stated: Stated | null;
  /** Release, or published document. */
  readonly release: ReleaseView | null;
  readonly analyses: readonly OpenedAnalysis[];
  /** Answers as they came; null where there are none. Read when they are first asked for. Errors: those of reading. */
  readonly answers: (() => Promise<AnswerBook>) | null;
  /** How far a collection is; of a ledger alone. */
  readonly ledger: LedgerStatus | null;
  /** What is known by digest, as a reader holds it against other places: what it is of, and the digest. */
  readonly digests: () => Promise<readonly (readonly [string, string])[]>;
  /** Why a release cannot be shown; it can be verified all the same. */
  readonly broken?: FlavourError;
  /** The files of a release under their names in it; null for anything else. */
  readonly inventory: ReadonlyMap<string, HeldFile> | null;
  /** Task files that answers can be scored against, and the core plan that says which tasks are ranked; absent where there are none. */
  readonly scorable?: { readonly tasks: readonly HeldFile[]; readonly core: HeldFile | null };
}
