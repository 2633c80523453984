import { clopperPearson } from '../../inference/binomial.js';

/** How often something went wrong that should go wrong with rate alpha. */
export interface ErrorRate {
  readonly wrong: number;
  readonly of: number;
  readonly rate: number;
  /**
   * 95 % Clopper-Pearson interval of the rate over data sets. Where one data set gives many trials they are not independent:
   * the interval is then that of as few trials as data sets, never too narrow. Null where there is nothing to err.
   */
  readonly interval: readonly [number, number] | null;
}

/** Every rate; those of version 2 are absent in documents of version 1, those that do not apply are null. */
export interface ErrorRates {
  /** A model's true score outside its pointwise interval. */
  readonly pointwise: ErrorRate;
  /** A true difference of two models outside its interval. */
  readonly pairwise: ErrorRate;
  /** Some model's true score outside the simultaneous band. */
  readonly simultaneous: ErrorRate;
  /** Some model's true rank outside the simultaneous rank sets. */
  readonly rank_set_simultaneous?: ErrorRate | null;
  /** A model's true rank outside its marginal rank set. */
  readonly rank_set_marginal?: ErrorRate | null;
  /** Some rank set leaves a rank out though all models are equal. */
  readonly rank_set_equal?: ErrorRate | null;
  /** The test in force tells some pair apart though all models are equal. */
  readonly test?: ErrorRate;
  /** Holm does; null where it could reject nothing. */
  readonly holm: ErrorRate | null;
  /** Max-T does. */
  readonly max_t: ErrorRate;
  /** The centred test does, under the multiplicity in force; null with one stratum, or where it is the test in force. */
  readonly centred?: ErrorRate | null;
}

/** Gives a rate over independent data sets. */
export function rateOf(wrong: number, of: number): ErrorRate {
  return {
    wrong,
    of,
    rate: wrong / of,
    interval: clopperPearson({ count: wrong, trials: of, confidence: 0.95 }),
  };
}

/**
 * Gives a rate over intervals that share data sets. The share of a data set's intervals that miss lies between 0 and 1, so its
 * variance is at most that of one trial with the same rate.
 */
export function dependentRate(wrong: number, of: number, datasets: number): ErrorRate {
  if (of === 0) return { wrong, of, rate: 0, interval: null };
  const limits = (count: number) => clopperPearson({ count, trials: datasets, confidence: 0.95 });
  const effective = (wrong / of) * datasets;
  return {
    wrong,
    of,
    rate: wrong / of,
    interval: [limits(Math.floor(effective))[0], limits(Math.ceil(effective))[1]],
  };
}

/** An error rate with what errs. */
export interface NamedRate extends ErrorRate {
  readonly name: string;
}

const NAMES: readonly (readonly [keyof ErrorRates, string])[] = [
  ['pointwise', 'pointwise interval misses a score'],
  ['pairwise', 'pair interval misses a difference'],
  ['simultaneous', 'simultaneous band misses some score'],
  ['rank_set_simultaneous', 'simultaneous rank sets miss some rank'],
  ['rank_set_marginal', 'marginal rank set misses a rank'],
  ['rank_set_equal', 'rank sets separate equal models'],
  ['test', 'test in force tells equal models apart'],
  ['holm', 'Holm declares some pair different'],
  ['max_t', 'max-T declares some pair different'],
  ['centred', 'centred test declares some pair different'],
];

/** Names the error rates that a document has, in the order in which every form shows them. */
export function namedRates(rates: ErrorRates): NamedRate[] {
  return NAMES.flatMap(([key, name]) => {
    const rate = rates[key];
    return rate ? [{ name, ...rate }] : [];
  });
}
