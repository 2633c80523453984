import { type ClusterDesign, pairCount } from '../design.js';
import { distinctRows } from '../distinct-rows.js';
import type { ExactFlipRequest, FlipCounts } from '../engine.js';
import { type CountFlips, flipsByScore } from './flips-by-score.js';

const leavesOut = (family: { readonly excluded?: Uint8Array } | undefined): boolean =>
  family?.excluded?.includes(1) === true;

/** Counts flips of the rows that stand for all where most are alike (`distinctRows`), else of all of them; no count depends on it. */
export async function flipsOfDistinct(
  design: ClusterDesign,
  draws: number,
  request: ExactFlipRequest,
  count: CountFlips,
): Promise<FlipCounts> {
  const { stepDown, rankSets } = request;
  const alike = leavesOut(stepDown) || leavesOut(rankSets) ? null : distinctRows(design);
  if (alike === null) return flipsByScore(design, draws, request, count);
  const none = new Uint8Array(pairCount(alike.design.ranked));
  const counts = await flipsByScore(
    alike.design,
    draws,
    {
      ...request,
      ...(stepDown ? { stepDown: { alpha: stepDown.alpha } } : {}),
      ...(rankSets ? { rankSets: { alpha: rankSets.alpha, excluded: none } } : {}),
    },
    count,
  );
  const { pairs, rows, maxT, maxTStep } = counts;
  return {
    ...counts,
    pairs: alike.pairs(pairs),
    rows: alike.rows(rows),
    maxT: maxT && alike.pairs(maxT),
    maxTStep: maxTStep && {
      exceedances: alike.pairs(maxTStep.exceedances),
      attainable: alike.pairs(maxTStep.attainable),
    },
    rankSets: counts.rankSets && alike.sets(counts.rankSets),
  };
}
