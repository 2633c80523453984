import { fail } from '../util/error.js';
import { compareSpans, lastOf, spanOf, type TimeSpan, witnessSpans } from '../witness/span.js';
import type { Witness } from '../witness/witness.js';

/** Plan and seal with those who knew them. */
interface StageTimes {
  readonly plan: { readonly frozen_at?: string; readonly witnesses: readonly Witness[] };
  readonly seal: { readonly sealed_at?: string; readonly witnesses: readonly Witness[] };
}

const spans = (stated: string | undefined, witnesses: readonly Witness[]): TimeSpan[] => [
  ...(stated === undefined ? [] : [spanOf(stated)]),
  ...witnessSpans(witnesses),
];

/**
 * Holds the time since which a plan is known against that of the seal of its primary stage, as far as they state any (collection 10.3). Times that
 * do not tell which came first, such as those of two commits in one second, are in order. Errors: PLAN_LATE (exit 4) for a plan that is younger
 * than the seal.
 */
export function assertPlanFirst({ plan, seal }: StageTimes): void {
  const since = lastOf(spans(plan.frozen_at, plan.witnesses));
  const before = spans(seal.sealed_at, seal.witnesses).find((span) => since !== null && compareSpans(since, span) > 0);
  if (since === null || before === undefined) return;
  fail(
    'PLAN_LATE',
    null,
    `the plan is known since ${since.at}; the primary analysis under it was sealed before that, by ${before.at}`,
    'A plan that is younger than its outcomes was not frozen before them.',
    { exit: 4 },
  );
}
