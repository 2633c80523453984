import type { CoverageResults, ErrorRate } from './simulation.js';

/** An error rate with what errs. */
export interface NamedRate extends ErrorRate {
  readonly name: string;
}

/** The five error rates, in the order every form shows them. */
export function namedRates({ pointwise, pairwise, simultaneous, holm, max_t }: CoverageResults): NamedRate[] {
  return [
    { name: 'pointwise interval misses a score', ...pointwise },
    { name: 'pair interval misses a difference', ...pairwise },
    { name: 'simultaneous band misses some score', ...simultaneous },
    { name: 'Holm declares some pair different', ...holm },
    { name: 'max-T declares some pair different', ...max_t },
  ];
}
