import { orderKey } from '../io/digest.js';
import type { CorePlan } from '../tasks/coreplan.js';
import { fail, shown } from '../util/error.js';
import type { CandidatePool } from './candidates.js';

/** The rule by which a common core is selected from its candidate pool. */
export interface SelectionRule {
  readonly pool: CandidatePool;
  /** Panels and families in order: the strata, panel-major. */
  readonly panels: readonly string[];
  readonly families: readonly string[];
  /** Seed of the hash order. */
  readonly seed: string;
  readonly perStratum: number;
}

/** One panel and family of the pool, its tasks in hash order. */
interface CandidateStratum {
  readonly name: string;
  /** Positions in the pool. */
  readonly tasks: readonly number[];
}

/** Orders the tasks of each stratum by the hash keys of the core (compiler d.2). */
export function candidateStrata({ pool, panels, families, seed }: SelectionRule): CandidateStratum[] {
  return panels.flatMap((panel) =>
    families.map((family) => ({
      name: `${panel} ${family}`,
      tasks: pool.tasks
        .flatMap((task, t) =>
          task.panel === panel && task.family === family ? [{ t, key: orderKey(seed, panel, family, task.id) }] : [],
        )
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ t }) => t),
    })),
  );
}

/** Counts, for each task of a pool, the models that have no valid cell. */
export function invalidCounts({ models, tasks, valid }: CandidatePool): Int32Array {
  const T = tasks.length;
  const invalid = new Int32Array(T);
  for (let m = 0; m < models.length; m += 1) for (let t = 0; t < T; t += 1) invalid[t]! += 1 - valid[m * T + t]!;
  return invalid;
}

/** Which tasks are selected in each stratum, and how few were eligible in the stratum that has fewest. */
interface SelectedTasks {
  readonly selected: readonly (readonly number[])[];
  readonly least: number;
}

/**
 * Selects the first `perStratum` tasks of each stratum that are valid for all models but one (`omitted`; -1: none is left
 * out). Errors: STRATUM_EMPTY where too few are eligible.
 */
export function selectTasks(
  { pool, perStratum }: SelectionRule,
  strata: readonly CandidateStratum[],
  invalid: Int32Array,
  omitted: number,
): SelectedTasks {
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

/** A candidate pool under the rule of a core plan, and what that rule selects from it. */
interface CandidateSelection {
  readonly rule: SelectionRule;
  /** Ids that the pool's validity selects. */
  readonly selected: ReadonlySet<string>;
  /** Said where the pool selects other tasks than the plan: it is of another roster. */
  readonly warnings: readonly string[];
}

/**
 * Selects a core from a candidate pool as its plan did. Errors: STRATUM_UNEQUAL where the strata of the plan differ in
 * size; TASK_UNKNOWN for a core task that is no candidate; STRATUM_EMPTY.
 */
export function candidateSelection(pool: CandidatePool, { seed, strata, ids }: CorePlan): CandidateSelection {
  const perStratum = strata[0]?.ids.length ?? 0;
  const other = strata.find((stratum) => stratum.ids.length !== perStratum);
  if (other !== undefined) {
    fail(
      'STRATUM_UNEQUAL',
      null,
      `the core has ${perStratum} tasks in its first stratum and ${other.ids.length} in ${other.panel} ${other.family}`,
      'Tasks are selected anew in strata of one size.',
    );
  }
  const candidates = new Set(pool.tasks.map(({ id }) => id));
  const absent = ids.filter((id) => !candidates.has(id));
  if (absent.length > 0) {
    fail(
      'TASK_UNKNOWN',
      null,
      `${absent.length} core tasks are not among the candidates, first ${shown(absent[0])}`,
      'Give the whole candidate pools the core was selected from.',
    );
  }
  const rule = {
    pool,
    panels: [...new Set(strata.map(({ panel }) => panel))],
    families: [...new Set(strata.map(({ family }) => family))],
    seed,
    perStratum,
  };
  const tasks = selectTasks(rule, candidateStrata(rule), invalidCounts(pool), -1).selected.flat();
  const selected = new Set(tasks.map((t) => pool.tasks[t]!.id));
  const same = ids.filter((id) => selected.has(id)).length;
  return {
    rule,
    selected,
    warnings:
      same === ids.length
        ? []
        : [
            `These answers select ${same} of the ${ids.length} tasks of the core plan: selected tasks are meant as these answers select them.`,
          ],
  };
}
