import type { Protocol } from '../collect/protocol.js';
import type { ScoreMatrix } from '../core/matrix.js';
import type { InferencePlan } from '../inference/plan.js';
import type { Leaderboard } from '../inference/result.js';
import type { JsonObject } from '../io/json.js';
import type { FamilyRule } from '../tasks/family-rule.js';
import type { Task } from '../tasks/task.js';
import type { CaseStudy } from './cases.js';
import type { ReleaseRoute } from './released-models.js';

/** What tables, figures and the page read: one shape for our release folder and for the published document. */
export interface ReleaseView {
  readonly kind: 'folder' | 'published';
  /** `artifact_sha256` of release.json, which pins all numbers, or of the published document. */
  readonly digest: string;
  /** `artifact_sha256` of MANIFEST.json as it states it, which pins every file; null where there is none. */
  readonly address: string | null;
  readonly benchmark: string;
  readonly track: string;
  readonly claim: string;
  /** How every model was asked; null where the answers do not state it, absent where the release says nothing. */
  readonly protocol?: Protocol | null;
  /** How the leaderboard stands to a plan that was frozen before it, in words; absent where the release says nothing. */
  readonly standing?: string;
  readonly leaderboard: Leaderboard;
  /** Names in print by model id, where they are not those that the release states. */
  readonly printedNames?: ReadonlyMap<string, string>;
  /** Choices behind the numbers; for the published document the procedure of its code, which it does not state. */
  readonly plan: InferencePlan;
  /** The core plan as its file has it; null where there is none. */
  readonly corePlan: JsonObject | null;
  /** The ranked tasks in core order; null where the task files are not at hand. */
  readonly tasks: readonly Task[] | null;
  /** How each family is scored, as the task files state it; absent where they are not at hand. */
  readonly rules?: ReadonlyMap<string, FamilyRule>;
  /** Null where the answers are not at hand. */
  readonly matrix: ScoreMatrix | null;
  /** Empty where nothing is known. */
  readonly routes: readonly ReleaseRoute[];
  /** Documents of `analyses/` by base name, for example `precision`. */
  readonly analyses: ReadonlyMap<string, JsonObject>;
  /** Null where there are none. */
  readonly cases: readonly CaseStudy[] | null;
}
