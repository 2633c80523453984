import type { Environment } from '../../../environment/environment.js';
import { openEnvironment } from '../../../environment/store.js';
import { RELEASED_DESIGN } from '../../../tasks/compile/compile-design.js';
import { designFrom } from '../../../tasks/compile/design-file.js';
import { compileTaskSet } from '../../../tasks/compile/released-source.js';
import { readMapFile } from '../../../tasks/maps-read.js';
import { rescoreMaps } from '../../../tasks/maps-rescore.js';
import { RELEASED_CORE_PLAN_SHA256 } from '../../../tasks/released-digests.js';
import { RANKED_FAMILIES } from '../../../tasks/task.js';
import { readCorePlan } from '../../../tasks/task-files.js';
import { LAB_V3, type Split, type SplitRule, splitPool, strataOf } from '../../../transfer/split.js';
import { type RowTask, readRowTasks, rowTasks, trainingPool, underMaps } from '../../../transfer/training-pool.js';
import { fail } from '../../../util/error.js';
import { dataHome } from '../../data-home.js';
import { mapKernels } from '../../options.js';

export interface DemoTaskFlags {
  readonly maps?: string;
  readonly tasks?: readonly string[];
  readonly core?: string;
  readonly perStratum: number;
}

export interface DemoTasks {
  readonly split: Split;
  readonly rule: SplitRule;
  /** Whose maps teach and examine. */
  readonly maps: string;
}

/** A panel of the pantry, made on the spot. */
async function pantryTasks(environment: Environment, perStratum: number): Promise<RowTask[]> {
  const design = designFrom(
    { families: [...RANKED_FAMILIES], tasks_per_stratum: perStratum },
    'transfer demo',
    RELEASED_DESIGN,
  );
  const kernels = await mapKernels('wasm');
  const request = { environment, kernels, design, seed: 'pantry-transfer', first: null };
  const { document } = compileTaskSet(request);
  const rows = document.tasks.map((row, i) => ({ row: { ...row }, path: `tasks[${i}]` }));
  return rowTasks({ document: undefined, rows }, 'pantry');
}

/** The tasks under the maps of another environment. Errors: INCOMPLETE when none is left. */
async function remapped(tasks: readonly RowTask[], files: readonly string[], name: string): Promise<RowTask[]> {
  const environment = await openEnvironment({ home: dataHome(), name });
  const wanted = new Set(tasks.map(({ task }) => task.id));
  const rows = files.flatMap((path) => readMapFile(path).rows).filter(({ id }) => wanted.has(id));
  const rescored = rescoreMaps({ environment, kernels: await mapKernels('wasm'), rows });
  return underMaps(tasks, new Map(rescored.rows.map(({ id, scores }) => [id, scores])));
}

/** Three tenths of the smallest stratum are the examination, one tenth validates; the paper's rule for the paper's tasks. */
function ruleFor(tasks: readonly RowTask[], core: string | undefined): SplitRule {
  if (core === RELEASED_CORE_PLAN_SHA256) return LAB_V3;
  const least = Math.min(...strataOf(tasks).map(({ length }) => length));
  return {
    ...LAB_V3,
    name: 'three-tenths',
    evaluation: Math.max(1, Math.round(0.3 * least)),
    validation: Math.round(0.1 * least),
  };
}

/** Makes the tasks of the demonstration, divided by anchor. Errors: USAGE, and those of reading, rescoring and splitting. */
export async function demoTasks(flags: DemoTaskFlags, pantry: () => Environment): Promise<DemoTasks> {
  const { tasks: files, maps, perStratum } = flags;
  if (files === undefined && (maps !== undefined || flags.core !== undefined)) {
    fail('USAGE', null, '--maps and --core go with --tasks');
  }
  const core = flags.core === undefined ? undefined : readCorePlan(flags.core);
  const all = files === undefined ? await pantryTasks(pantry(), perStratum) : readRowTasks(files).tasks;
  const pool = trainingPool(all, core);
  const primary = files === undefined || maps === undefined ? pool.primary : await remapped(pool.primary, files, maps);
  const rule = ruleFor(primary, core?.artifactSha256);
  return {
    split: splitPool({ ...pool, primary, supplemental: [] }, rule),
    rule,
    maps: maps ?? (files === undefined ? 'pantry' : 'the task files'),
  };
}
