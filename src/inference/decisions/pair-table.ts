import { pairCount } from '../../engine/design.js';
import { PAIR_DECISIONS, type PairDecision, type PairSummary, type PairTable } from '../result.js';
import { type ExactTotals, meanDifferences } from '../totals.js';
import type { DecidedPairs } from './decided-pairs.js';

const CODE = Object.fromEntries(PAIR_DECISIONS.map((decision, code) => [decision, code])) as Record<
  PairDecision,
  number
>;

/** Puts all decided pairs into columns, in `pairIndex` order of the models. */
export function pairTable(decided: DecidedPairs, exact: ExactTotals, models: number): PairTable {
  const { place, tests, said } = decided;
  const count = pairCount(models);
  const differenceOf = meanDifferences(exact);
  const table = {
    left: new Int32Array(count),
    right: new Int32Array(count),
    difference: new Float64Array(count),
    p: new Float64Array(count),
    holm: new Float64Array(count),
    adjusted: new Float64Array(count),
    decision: new Uint8Array(count),
  };
  for (let i = 0, pair = 0; i < models; i += 1)
    for (let j = i + 1; j < models; j += 1, pair += 1) {
      const k = place[pair]!;
      table.left[pair] = i;
      table.right[pair] = j;
      table.difference[pair] = differenceOf(i, j);
      table.p[pair] = k < 0 ? 1 : tests.p[k]!;
      table.holm[pair] = k < 0 ? 1 : tests.holm[k]!;
      table.adjusted[pair] = k < 0 ? 1 : tests.adjusted[k]!;
      table.decision[pair] = CODE[k < 0 ? 'untested' : said.decision[k]!];
    }
  return table;
}

/** Counts the decisions of all pairs. */
export function pairSummary(decided: DecidedPairs, { left, right, decision }: PairTable): PairSummary {
  const counts = { told_apart: 0, open: 0, identical: 0, untestable: 0, untested: 0 };
  let first = -1;
  decision.forEach((code, pair) => {
    const name = PAIR_DECISIONS[code]!;
    counts[name === 'higher' || name === 'lower' ? 'told_apart' : name] += 1;
    if (first < 0 && code === CODE.identical) first = pair;
  });
  const { said, tests } = decided;
  return {
    total: decision.length,
    decisions: counts,
    byDesign: said.untestable.reduce((n, reason) => n + (reason === 'by_design' ? 1 : 0), 0),
    clustersNeeded: counts.untestable > 0 ? said.clustersNeeded : null,
    couldTurn: tests.couldTurn.reduce((n, turns) => n + turns, 0),
    identical: first < 0 ? null : [left[first]!, right[first]!],
  };
}
