import { type RosterOptions, selectedIds } from '../../../analyses/roster/omission.js';
import { fail, shown } from '../../../util/error.js';
import type { SensitivityInputs } from './inputs.js';

/** The candidate pool under the selection rule of a core plan. */
export interface CorePool {
  readonly options: RosterOptions;
  /** Ids that the pool's validity selects. */
  readonly selected: ReadonlySet<string>;
  /** Said when the pool selects other tasks than the plan: it is of another roster. */
  readonly warnings: readonly string[];
}

/** Errors: INPUT_MISSING, STRATUM_UNEQUAL, TASK_UNKNOWN for a core task that is no candidate, STRATUM_EMPTY. */
export async function corePool(inputs: SensitivityInputs): Promise<CorePool> {
  const pool = await inputs.pool();
  const { seed, strata, ids } = inputs.core();
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
  const options = {
    pool,
    panels: [...new Set(strata.map(({ panel }) => panel))],
    families: [...new Set(strata.map(({ family }) => family))],
    seed,
    perStratum,
  };
  const selected = selectedIds(options);
  const same = ids.filter((id) => selected.has(id)).length;
  return {
    options,
    selected,
    warnings:
      same === ids.length
        ? []
        : [
            `These answers select ${same} of the ${ids.length} tasks of the core plan: selected tasks are meant as these answers select them.`,
          ],
  };
}
