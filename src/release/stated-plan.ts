import { type InferencePlan, planDocument } from '../inference/plan.js';
import type { Board, Fields } from './board.js';

/** The choices behind the numbers of a release. */
export interface StatedPlan {
  readonly generator: string;
  readonly seed: string;
  readonly strata: string;
  readonly scheme: string;
  readonly draws: number;
  readonly flips: number;
  readonly alpha: number;
}

/** The procedure of the published analysis; sizes, seed and alpha stand in its document. */
export const PUBLISHED_PROCEDURE = { rng: 'numpy', strata: 'family', scheme: 'joint' } as const;

export function builtPlan(plan: InferencePlan): StatedPlan {
  const { rng: generator, ...rest } = planDocument(plan);
  return { generator, ...rest };
}

/** The plan that release.json states. Errors: SCHEMA_INVALID. */
export function statedPlan(plan: Fields): StatedPlan {
  return {
    generator: plan.text('rng'),
    seed: plan.text('seed'),
    strata: plan.text('strata'),
    scheme: plan.text('scheme'),
    draws: plan.number('draws'),
    flips: plan.number('flips'),
    alpha: plan.number('alpha'),
  };
}

export function publishedPlan({ seed, draws, flips, alpha }: Board): StatedPlan {
  const { rng: generator, ...procedure } = PUBLISHED_PROCEDURE;
  return { generator, seed, ...procedure, draws, flips, alpha };
}
