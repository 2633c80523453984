import type { Witness } from '../witness/witness.js';
import { witnessWords } from '../witness/witness.js';

/** A place where a result is not as its plan has it. */
export interface Deviation {
  readonly field: string;
  readonly planned: string;
  readonly used: string;
}

/** How a result stands to a plan (collection 10.1): made by one that was frozen before, or exploratory. */
export type Standing =
  | {
      readonly kind: 'planned';
      readonly plan_sha256: string;
      /** Null for a plan that states no time, as study plans of version 1. */
      readonly frozen_at: string | null;
      /** Parts that the plan does not fix. */
      readonly open: readonly string[];
      readonly deviations: readonly Deviation[];
      /** Who else knew the plan, and when; absent where nobody did. */
      readonly witnesses?: readonly Witness[];
    }
  | { readonly kind: 'exploratory' };

/** What every frozen plan states of itself. */
export interface FrozenPlan {
  readonly artifact_sha256: string;
  readonly frozen_at?: string;
}

/** Says that a result was planned, and where it is not as planned. */
export function plannedStanding(options: {
  readonly plan: FrozenPlan;
  readonly open: readonly string[];
  readonly deviations: readonly Deviation[];
  readonly witnesses: readonly Witness[];
}): Standing {
  const { plan, open, deviations, witnesses } = options;
  return {
    kind: 'planned',
    plan_sha256: plan.artifact_sha256,
    frozen_at: plan.frozen_at ?? null,
    open,
    deviations,
    ...(witnesses.length === 0 ? {} : { witnesses }),
  };
}

/** Names further parts that a plan leaves open and a call chose. */
export function alsoOpen(standing: Standing, parts: readonly string[]): Standing {
  return standing.kind === 'planned' ? { ...standing, open: [...standing.open, ...parts] } : standing;
}

/** Gathers deviations: values are compared as texts. */
export function deviations(): {
  readonly found: Deviation[];
  hold(field: string, planned: string, used: string): void;
} {
  const found: Deviation[] = [];
  return {
    found,
    hold(field, planned, used) {
      if (planned !== used) found.push({ field, planned, used });
    },
  };
}

/** Says in words how a result stands to a plan; `command` freezes one. */
export function standingWords(standing: Standing, command = 'infer plan'): string {
  if (standing.kind === 'exploratory') return `Exploratory: no plan was frozen before this analysis (see ${command}).`;
  const { plan_sha256, frozen_at, open, deviations: found, witnesses = [] } = standing;
  const left = open.length === 0 ? '' : ` It leaves open: ${open.join(', ')}.`;
  const named = found.map(({ field, planned, used }) => `${field} ${used} instead of ${planned}`);
  const kept = named.length === 0 ? 'it was kept' : `it was not kept: ${named.join('; ')}`;
  const known = witnesses.length === 0 ? '' : ` It is ${witnessWords(witnesses)}.`;
  return `Planned: by plan ${plan_sha256}${frozen_at === null ? '' : ` of ${frozen_at}`}; ${kept}.${left}${known}`;
}
