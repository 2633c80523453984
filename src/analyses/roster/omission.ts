import { byRank } from '../../inference/model-ranks.js';
import {
  equalWeights,
  type LeadRule,
  type RankAgreement,
  rankAgreement,
  stratifiedTotal,
} from '../../inference/rank-agreement.js';
import { fail } from '../../util/error.js';
import type { RankedModel } from '../analysis.js';
import type { CandidatePool } from '../candidates.js';
import { candidateStrata, invalidCounts, type SelectionRule, selectTasks } from '../selection.js';

/** What leaving one model out does to the task set and to the order of the others. */
interface Omission extends RankAgreement {
  readonly omitted: string;
  readonly kept_tasks: number;
  readonly kept_share: number;
  /** Smallest number of eligible tasks in a stratum once the model is left out. */
  readonly least_available: number;
}

export interface RosterResults {
  /** Selected for the whole roster. */
  readonly tasks: number;
  readonly omissions: readonly Omission[];
  /** Smallest kept share, then smallest id. */
  readonly most_influential: string;
}

/** Scores of some models over selected tasks, strata weighing alike, points. */
function scoresOf(pool: CandidatePool, strata: readonly (readonly number[])[], models: readonly number[]) {
  const T = pool.tasks.length;
  const parts = strata.map((tasks) => ({ tasks: Int32Array.from(tasks) }));
  const { weights, divisor } = equalWeights(strata.map((tasks) => tasks.length));
  return Float64Array.from(
    models,
    (m) => stratifiedTotal((t) => pool.scores[m * T + t]!, parts, weights) / divisor / 100,
  );
}

/**
 * Leaves each model out in turn, reselects the core in the same hash order and compares the other models (analyses 3).
 * Errors: MODELS_TOO_FEW below three models; STRATUM_EMPTY naming stratum and counts.
 */
export function rosterOmission(rule: SelectionRule, lead?: LeadRule): RosterResults {
  const { pool } = rule;
  if (pool.models.length < 3) {
    fail(
      'MODELS_TOO_FEW',
      null,
      `the pool has ${pool.models.length} models`,
      'Leaving one out compares the others: at least three are needed.',
    );
  }
  const strata = candidateStrata(rule);
  const invalid = invalidCounts(pool);
  const full = selectTasks(rule, strata, invalid, -1);
  const core = new Set(full.selected.flat());
  const omissions = pool.models.map((omitted, o): Omission => {
    const others = pool.models.flatMap((_, m) => (m === o ? [] : [m]));
    const { selected, least } = selectTasks(rule, strata, invalid, o);
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
        lead,
      ),
    };
  });
  const [first] = [...omissions].sort((a, b) => a.kept_share - b.kept_share || (a.omitted < b.omitted ? -1 : 1));
  return { tasks: core.size, omissions, most_influential: first!.omitted };
}

/** What is left of the task set without one model. */
interface KeptRow {
  readonly rank: number;
  readonly rankTied: boolean | null;
  readonly name: string;
  readonly id: string;
  readonly share: number;
  readonly leaderKept: boolean;
}

/** Lists the share of the tasks that stay without each model, by rank, equal ranks by id. */
export function keptRows({ omissions }: RosterResults, models: readonly RankedModel[]): KeptRow[] {
  const of = new Map(omissions.map((row) => [row.omitted, row]));
  return byRank(models).flatMap(({ modelId: id, name, rank, rankTied }) => {
    const row = of.get(id);
    return row === undefined ? [] : [{ rank, rankTied, name, id, share: row.kept_share, leaderKept: row.leader_kept }];
  });
}
