import { type ArrowColumn, columnsOf } from '../../io/arrow.js';
import { counted } from '../../util/format.js';
import { percent as share } from '../report.js';
import type { Coverage, ErrorRate } from './simulation.js';

export interface NamedRate extends ErrorRate {
  readonly name: string;
}

/** The five error rates, in the order every form shows them. */
export function namedRates(result: Coverage): NamedRate[] {
  return [
    { name: 'pointwise interval misses a score', ...result.pointwise },
    { name: 'pair interval misses a difference', ...result.pairwise },
    { name: 'simultaneous band misses some score', ...result.simultaneous },
    { name: 'Holm declares some pair different', ...result.holm },
    { name: 'max-T declares some pair different', ...result.max_t },
  ];
}

/** The five error rates as columns. */
export function coverageColumns(result: Coverage): ArrowColumn[] {
  return columnsOf(namedRates(result), {
    what: ['text', (row) => row.name],
    wrong: ['int32', (row) => row.wrong],
    of: ['int32', (row) => row.of],
    rate: ['float64', (row) => row.rate],
    low: ['float64', (row) => row.interval?.[0] ?? null],
    high: ['float64', (row) => row.interval?.[1] ?? null],
  });
}

const percent = (rate: number) => share(rate, 1);

/** One paragraph: what the check shows and what it does not. */
export function coverageWords(result: Coverage, alpha: number): string {
  const limits = ({ interval }: ErrorRate) =>
    interval ? ` (95% limits ${percent(interval[0])} to ${percent(interval[1])})` : '';
  const high = namedRates(result).filter(({ interval }) => (interval?.[0] ?? 0) > alpha);
  return [
    `Over ${counted(result.datasets, 'data set')} drawn from a world like this one in which all models are equal, pointwise intervals missed the true score in ${percent(result.pointwise.rate)} of cases${limits(result.pointwise)} and pair intervals the true difference in ${percent(result.pairwise.rate)}${limits(result.pairwise)}; nominal ${percent(alpha)}.`,
    `The simultaneous band missed some model in ${percent(result.simultaneous.rate)} of data sets${limits(result.simultaneous)}; nominal ${percent(alpha)}.`,
    `Holm declared some pair different in ${percent(result.holm.rate)}${limits(result.holm)}, max-T in ${percent(result.max_t.rate)}${limits(result.max_t)}; nominal at most ${percent(alpha)}.`,
    high.length === 0
      ? 'No interval, band or test errs more often than nominal beyond simulation error.'
      : `More often than nominal beyond simulation error: ${high.map(({ name }) => name).join('; ')}. What is named here promises more than it holds on data like these.`,
    'The worlds are made of these tasks: the check shows how the procedure behaves on data of this shape, not that the tasks represent what they are taken from.',
  ].join(' ');
}
