import { counted, general } from '../util/format.js';
import type { InferencePlan } from './plan.js';

/** Draws that should lie beyond each end of an interval before the end means anything. */
const BEYOND = 5;

export interface PlanWarningOptions {
  readonly plan: InferencePlan;
  readonly models: number;
  /** Pairs of models. */
  readonly pairs: number;
  /** Whether every model is compared with chance too. */
  readonly chance: boolean;
}

/** Warns of a bootstrap with too few draws for an interval to have ends. */
export function drawWarnings({ draws, alpha, bootstrap }: InferencePlan): string[] {
  if (bootstrap === 'enumerated' || (draws * alpha) / 2 >= BEYOND) return [];
  return [
    `${counted(draws, 'bootstrap draw')}: fewer than ${BEYOND} lie beyond each end of an interval, so intervals and rank intervals mean little; use at least ${Math.ceil((2 * BEYOND) / alpha)}`,
  ];
}

/** Lists what a plan of version 1 of this size cannot show, whatever the data: interval ends from a handful of draws, a Holm p below alpha. */
export function frozenWarnings({ plan, models, pairs, chance }: PlanWarningOptions): string[] {
  const { flips, alpha } = plan;
  const warnings = drawWarnings(plan);
  for (const [tests, what] of [
    [pairs, 'pair'],
    [chance ? models : 0, 'chance comparison'],
  ] as const)
    if (tests / (flips + 1) >= alpha)
      warnings.push(
        `${counted(flips, 'sign flip')}: the smallest Holm p of ${counted(tests, what)} is ${general(Math.min(1, tests / (flips + 1)), 3)}, not below ${alpha}, so none can be significant; use at least ${Math.ceil(tests / alpha)}`,
      );
  return warnings;
}
