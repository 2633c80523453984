import { PAIR_DECISIONS, type PairDecision, type PairSummary, type PairTable } from '../result.js';
import { type ExactTotals, meanDifferences } from '../totals.js';
import type { DecidedPairs } from './decided-pairs.js';
import type { RowPairs } from './exact-p.js';

const CODE = Object.fromEntries(PAIR_DECISIONS.map((decision, code) => [decision, code])) as Record<
  PairDecision,
  number
>;

/** Puts all decided pairs of models into columns, in `pairIndex` order. */
export function pairTable(decided: DecidedPairs, exact: ExactTotals, { left, right }: RowPairs): PairTable {
  const { length: count } = left;
  const differenceOf = meanDifferences(exact);
  const difference = new Float64Array(count);
  for (let pair = 0; pair < count; pair += 1) difference[pair] = differenceOf(left[pair]!, right[pair]!);
  return { left, right, difference, ...comparedColumns(decided, count) };
}

/** What was decided, by pair; the columns of the tests themselves where all pairs were compared. */
function comparedColumns({ place, tests, said }: DecidedPairs, count: number) {
  const { p, holm, adjusted } = tests;
  const { decision } = said;
  if (p.length === count) return { p, holm, adjusted, decision };
  const spread = <T extends Float64Array | Uint8Array>(from: T, to: T): T => {
    for (let pair = 0; pair < count; pair += 1) if (place[pair]! >= 0) to[pair] = from[place[pair]!]!;
    return to;
  };
  const ones = () => new Float64Array(count).fill(1);
  return {
    p: spread(p, ones()),
    holm: spread(holm, ones()),
    adjusted: spread(adjusted, ones()),
    decision: spread(decision, new Uint8Array(count).fill(CODE.untested)),
  };
}

/** Counts the decisions of all pairs. */
export function pairSummary(decided: DecidedPairs, { left, right, decision }: PairTable): PairSummary {
  const tally = new Int32Array(PAIR_DECISIONS.length);
  for (let pair = 0; pair < decision.length; pair += 1) tally[decision[pair]!]! += 1;
  const counts = {
    told_apart: tally[CODE.higher]! + tally[CODE.lower]!,
    open: tally[CODE.open]!,
    identical: tally[CODE.identical]!,
    untestable: tally[CODE.untestable]!,
    untested: tally[CODE.untested]!,
  };
  const { said, tests } = decided;
  const first = decision.indexOf(CODE.identical);
  return {
    total: decision.length,
    decisions: counts,
    byDesign: said.untestable === 'by_design' ? counts.untestable : 0,
    clustersNeeded: counts.untestable > 0 ? said.clustersNeeded : null,
    couldTurn: tests.couldTurn.reduce((n, turns) => n + turns, 0),
    identical: first < 0 ? null : [left[first]!, right[first]!],
  };
}
