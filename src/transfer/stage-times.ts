import { fail } from '../util/error.js';
import { latestTime, type Witness } from '../witness/witness.js';

/** Plan and seal with those who knew them. */
interface StageTimes {
  readonly plan: { readonly frozen_at?: string; readonly witnesses: readonly Witness[] };
  readonly seal: { readonly sealed_at?: string; readonly witnesses: readonly Witness[] };
}

/**
 * Holds the time since which a plan is known against that of the seal of its primary stage, as far as they state any (collection 10.3). Errors:
 * PLAN_LATE (exit 4) for a plan that is younger than the seal.
 */
export function assertPlanFirst({ plan, seal }: StageTimes): void {
  const since = latestTime([plan.frozen_at, ...plan.witnesses.map(({ at }) => at)].flatMap((at) => at ?? []));
  const times = [seal.sealed_at, ...seal.witnesses.map(({ at }) => at)].filter((at) => at !== undefined && at !== null);
  const before = times.find((at) => since !== null && Date.parse(since) > Date.parse(at));
  if (before === undefined) return;
  fail(
    'PLAN_LATE',
    null,
    `the plan is known since ${since}; the primary analysis under it was sealed before that, by ${before}`,
    'A plan that is younger than its outcomes was not frozen before them.',
    { exit: 4 },
  );
}
