import type { InferencePlan } from '../inference/plan.js';

/** What each choice of a plan means to somebody who reads the page. */
export const PLAN_MEANINGS: Readonly<Record<keyof InferencePlan, string>> = {
  draws: 'bootstrap draws: standard errors, intervals, how ranks vary',
  flips: 'sign-flip draws, where not every sign vector is counted',
  seed: 'of the generator; the same seed gives the same digits anywhere',
  rng: 'the generator: philox counts its draws; numpy repeats that of the published analysis',
  strata: 'parts whose means weigh the same in a score',
  scheme: 'clusters are drawn over all tasks (joint) or inside each stratum',
  alpha: 'familywise error rate; intervals cover the rest',
  order: 'in which pairs are formed and sums run: by model, or as rows came',
  ranks: 'equal scores share a rank, or follow the order of rows (ordinal)',
  bootstrap: 'draws at random, or every draw that there is with its weight (enumerated)',
  test: 'how two models are compared',
  exact: 'whether an exact p, where there is one, decides or is only reported',
  multiplicity: 'how the error of all comparisons together is kept',
  multiplicity_reason: 'why so',
  against: 'the model that all others are compared with',
  interval: 'how the intervals of scores are formed',
  interval_reason: 'why so',
  rank_sets: 'from which draws the allowed ranks are formed',
  margin: 'points within which two models count as equal',
  missing: 'what happens where cells are missing',
  family_weights: 'what families weigh in a score',
};
