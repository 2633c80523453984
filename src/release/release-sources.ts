import type { Asked } from '../collect/asked.js';
import type { RosterEntry } from '../core/model-roster.js';
import type { OpenPlan } from '../inference/plan.js';
import type { JsonObject } from '../io/json.js';
import type { SetParser } from '../responses/parser.js';
import type { CorePlan } from '../tasks/coreplan.js';
import type { Task } from '../tasks/task.js';
import type { TaskFiles } from '../tasks/taskset.js';
import type { Observation } from './observation.js';
import type { ReleasedPlan } from './plans/released-plan.js';
import type { ReleaseFile, ReleaseRules } from './release-files.js';
import type { ReleaseTitle } from './statement.js';

/** What a release is made of; everything else in it follows. */
export interface ReleaseSources {
  readonly title: ReleaseTitle;
  readonly plan: OpenPlan;
  /** A plan that was frozen before; null where there is none. */
  readonly analysisPlan: ReleasedPlan | null;
  /** Task files, in the order of `files.sets`. */
  readonly taskFiles: readonly ReleaseFile[];
  readonly files: TaskFiles;
  /** Ranked tasks in order. */
  readonly tasks: readonly Task[];
  readonly core: {
    readonly plan: CorePlan;
    readonly document: JsonObject;
    readonly bytes: Uint8Array;
  } | null;
  /** Ranked models in order. */
  readonly models: readonly string[];
  readonly roster: readonly RosterEntry[];
  readonly observations: Iterable<Observation>;
  /** Parser of the answers. */
  readonly parser: SetParser;
  /** The rules that the release is made by. */
  readonly rules: ReleaseRules;
  /** Version of the program that writes the release, or wrote it. */
  readonly version: string;
  readonly phase: string;
  /** How models were asked, by what the keys of their records bind; null for a release of version 0.1.0, which does not say. */
  readonly asked: ReadonlyMap<string, Asked> | null;
  readonly journals: readonly ReleaseFile[];
  readonly analyses: readonly ReleaseFile[];
}
