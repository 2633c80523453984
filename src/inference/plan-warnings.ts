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

/** What a plan of this size cannot show, whatever the data: interval ends from a handful of draws, a Holm p below alpha. */
export function planWarnings({ plan, models, pairs, chance }: PlanWarningOptions): string[] {
  const { draws, flips, alpha } = plan;
  const warnings: string[] = [];
  if ((draws * alpha) / 2 < BEYOND)
    warnings.push(
      `${counted(draws, 'bootstrap draw')}: fewer than ${BEYOND} lie beyond each end of an interval, so intervals and rank intervals mean little; use at least ${Math.ceil((2 * BEYOND) / alpha)}`,
    );
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
