import { equalWeights, type RankAgreement, rankAgreement, stratifiedTotal } from '../../inference/rank-agreement.js';
import { coreOrderKey } from '../../tasks/coreplan.js';
import { fail } from '../../util/error.js';

/** Candidate cells of a roster: validity of all, scores of the valid. */
export interface CandidatePool {
  readonly models: readonly string[];
  readonly tasks: readonly {
    readonly id: string;
    readonly panel: string;
    readonly family: string;
    readonly category: string;
  }[];
  /** models x tasks: completed and parseable. */
  readonly valid: Uint8Array;
  /** models x tasks, basis points; read only where valid. */
  readonly scores: Float64Array;
}

export interface RosterOptions {
  readonly pool: CandidatePool;
  /** Panels and families in order: the strata, panel-major. */
  readonly panels: readonly string[];
  readonly families: readonly string[];
  readonly seed: string;
  readonly perStratum: number;
}

export interface Omission extends RankAgreement {
  readonly omitted: string;
  readonly kept_tasks: number;
  readonly kept_share: number;
  /** Smallest number of eligible tasks in a stratum once the model is left out. */
  readonly least_available: number;
}

export interface RosterResult {
  readonly tasks: number;
  readonly omissions: readonly Omission[];
  /** Smallest kept share, then smallest id. */
  readonly most_influential: string;
}

interface OrderedStratum {
  readonly name: string;
  readonly tasks: readonly number[];
}

/** Columns of each stratum in the order of the core's hash keys (compiler d.2). */
function orderedStrata({ pool, panels, families, seed }: RosterOptions): OrderedStratum[] {
  return panels.flatMap((panel) =>
    families.map((family) => ({
      name: `${panel} ${family}`,
      tasks: pool.tasks
        .flatMap((task, t) =>
          task.panel === panel && task.family === family
            ? [{ t, key: coreOrderKey(seed, panel, family, task.id) }]
            : [],
        )
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ t }) => t),
    })),
  );
}

/** Tasks valid for all models but one (none left out: -1), first `perStratum` of each stratum. */
function selectTasks(
  options: RosterOptions,
  strata: readonly OrderedStratum[],
  invalid: Int32Array,
  omitted: number,
): { selected: number[][]; least: number } {
  const { pool, perStratum } = options;
  const T = pool.tasks.length;
  let least = Number.POSITIVE_INFINITY;
  const selected = strata.map(({ name, tasks }) => {
    const eligible = tasks.filter((t) => {
      const own = omitted < 0 ? 0 : 1 - pool.valid[omitted * T + t]!;
      return invalid[t]! - own === 0;
    });
    least = Math.min(least, eligible.length);
    if (eligible.length < perStratum) {
      fail(
        'STRATUM_EMPTY',
        null,
        `${name}: ${eligible.length} eligible tasks${omitted < 0 ? '' : ` without ${pool.models[omitted]}`}; ${perStratum} are needed`,
        'Give the whole validity matrix of the candidate pools.',
      );
    }
    return eligible.slice(0, perStratum);
  });
  return { selected, least };
}

function scoresOf(pool: CandidatePool, strata: readonly number[][], models: readonly number[]) {
  const T = pool.tasks.length;
  const parts = strata.map((tasks) => ({ tasks: Int32Array.from(tasks) }));
  const { weights, divisor } = equalWeights(strata.map((tasks) => tasks.length));
  return Float64Array.from(
    models,
    (m) => stratifiedTotal((t) => pool.scores[m * T + t]!, parts, weights) / divisor / 100,
  );
}

/** Per task: how many models have no valid cell. */
function invalidCounts({ models, tasks, valid }: CandidatePool): Int32Array {
  const T = tasks.length;
  const invalid = new Int32Array(T);
  for (let m = 0; m < models.length; m += 1) for (let t = 0; t < T; t += 1) invalid[t]! += 1 - valid[m * T + t]!;
  return invalid;
}

/** Ids of the tasks that the whole roster's validity selects. Errors: STRATUM_EMPTY. */
export function selectedIds(options: RosterOptions): ReadonlySet<string> {
  const { pool } = options;
  const { selected } = selectTasks(options, orderedStrata(options), invalidCounts(pool), -1);
  return new Set(selected.flat().map((t) => pool.tasks[t]!.id));
}

/**
 * Leaves each model out in turn, reselects the core in the same hash order and compares the other models (analyses 3).
 * Errors: MODELS_TOO_FEW below three; STRATUM_EMPTY naming stratum and counts.
 */
export function rosterOmission(options: RosterOptions): RosterResult {
  const { pool } = options;
  if (pool.models.length < 3) {
    fail(
      'MODELS_TOO_FEW',
      null,
      `the pool has ${pool.models.length} models`,
      'Leaving one out compares the others: at least three are needed.',
    );
  }
  const strata = orderedStrata(options);
  const invalid = invalidCounts(pool);
  const full = selectTasks(options, strata, invalid, -1);
  const core = new Set(full.selected.flat());
  const omissions = pool.models.map((omitted, o): Omission => {
    const others = pool.models.flatMap((_, m) => (m === o ? [] : [m]));
    const { selected, least } = selectTasks(options, strata, invalid, o);
    const kept = selected.flat().filter((t) => core.has(t)).length;
    return {
      omitted,
      kept_tasks: kept,
      kept_share: kept / core.size,
      least_available: least,
      ...rankAgreement(
        others.map((m) => pool.models[m]!),
        scoresOf(pool, selected, others),
        scoresOf(pool, full.selected, others),
      ),
    };
  });
  const [first] = [...omissions].sort((a, b) => a.kept_share - b.kept_share || (a.omitted < b.omitted ? -1 : 1));
  return { tasks: core.size, omissions, most_influential: first!.omitted };
}
