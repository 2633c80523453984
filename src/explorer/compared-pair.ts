import type { ScoreMatrix } from '../core/matrix.js';
import { pairIndex } from '../engine/design.js';
import { clusterDesign } from '../inference/cluster-design.js';
import { isBounded, moreWords } from '../inference/decisions/decision-words.js';
import { type DecidedPair, moreTasksFor, plannedDesign } from '../inference/decisions/neighbours.js';
import { type Inference, PAIR_DECISIONS, type PairDecision, type PairResult } from '../inference/result.js';
import { OPPOSITE_DECISION } from '../inference/row-order.js';
import { plannedStrata } from '../inference/strata.js';
import { counted, fixed, general, placesFor, thousands } from '../util/format.js';
import { saidName } from './said-name.js';

/** Two models as their comparison stands, seen from the first. */
export interface ComparedPair {
  readonly decision: PairDecision;
  /** First minus second, points. */
  readonly difference: number;
  /** Of the difference; null where the intervals of pairs were not formed. */
  readonly interval: readonly [number, number] | null;
  readonly p: number;
  readonly adjusted: number;
  /** What else is known of the pair; null where the records of pairs were not formed. */
  readonly record: PairResult | null;
}

/** Places of a difference, as many as its interval calls for: the same wherever the pair is spoken of. */
export const differencePlaces = ({ difference, interval }: ComparedPair): number =>
  placesFor([difference, ...(interval ?? [])]);

/** Tells whether no scores on these tasks could tell two models apart; else those that could not be hold too few differences. */
export const isUntestableByDesign = ({ pairSummary }: Pick<Inference, 'pairSummary'>): boolean =>
  (pairSummary?.byDesign ?? 0) > 0;

const turned = (value: number): number => (value === 0 ? 0 : -value);

/** Looks a pair of models up, by their indices. Swapping them turns the difference, its interval and the decision. */
export function comparedPair({ models, pairs, pairTable: table }: Inference, a: number, b: number): ComparedPair {
  const pair = a < b ? pairIndex(a, b, models.length) : pairIndex(b, a, models.length);
  const record = pairs[pair] ?? null;
  const stated = PAIR_DECISIONS[table!.decision[pair]!]!;
  const interval = record?.interval ?? null;
  const difference = table!.difference[pair]!;
  return {
    decision: a < b ? stated : OPPOSITE_DECISION[stated],
    difference: a < b ? difference : turned(difference),
    interval: interval === null || a < b ? interval : [turned(interval[1]), turned(interval[0])],
    p: table!.p[pair]!,
    adjusted: table!.adjusted[pair]!,
    record,
  };
}

/** Says how a p came about. Version 1 and the published document state no kind: theirs are drawn. */
export const kindWords = ({ pKind }: Pick<PairResult, 'pKind'>, { flips }: Pick<Inference['plan'], 'flips'>): string =>
  pKind === 'sampled' || pKind === null ? `${thousands(flips)} draws` : 'exact';

/** Says in words what may be said of two models, and what would settle it. */
export function pairWords(inference: Inference, matrix: ScoreMatrix | null, a: number, b: number): string[] {
  const { models, plan, tasks, clusters, pairSummary } = inference;
  const [first, second] = [saidName(models[a]!.name), saidName(models[b]!.name)];
  const compared = comparedPair(inference, a, b);
  const { decision, difference, record, adjusted } = compared;
  const apart = fixed(Math.abs(difference), differencePlaces(compared));
  if (decision === 'higher' || decision === 'lower') {
    const [above, below] = decision === 'higher' ? [first, second] : [second, first];
    return [
      `${above} scores higher than ${below} on tasks like these: ${apart} points, adjusted p ${general(adjusted, 3)} (familywise error ${general(plan.alpha, 3)} over all pairs that were tested).`,
    ];
  }
  if (decision === 'identical')
    return [`${first} and ${second} have the same total in every cluster: these data hold no difference between them.`];
  if (decision === 'untested')
    return [
      `${first} and ${second} were not compared: only comparisons with ${saidName(plan.against ?? '')} were asked for.`,
    ];
  const needed = pairSummary?.clustersNeeded ?? null;
  const observed = isBounded(inference) ? 'difference of the middle scores,' : 'observed difference of';
  const order = difference >= 0 ? { higher: a, lower: b } : { higher: b, lower: a };
  const more = matrix && moreOf(matrix, { ...order, difference: Math.abs(difference), decision });
  const settle =
    more === null
      ? 'No number of further tasks is known that would settle it.'
      : `If the ${observed} ${apart}${isBounded(inference) ? ',' : ''} is the true one, ${moreWords(more, { tasks, clusters })} would tell them apart four times in five.`;
  if (decision === 'untestable') {
    const least = record?.verdict?.clustersNeeded ?? needed;
    return [untestableWords(least, record?.verdict?.differingClusters ?? null), settle];
  }
  return [`${first} and ${second} are not told apart, which does not make them equal.`, settle];

  /** Why the two cannot be told apart: by the design whatever the scores, or since they differ in few clusters, however much there. */
  function untestableWords(least: number | null, differing: number | null): string {
    const unit = clusters === tasks ? 'task' : 'cluster';
    if (isUntestableByDesign(inference))
      return `No scores on these tasks could tell ${first} and ${second} apart${least === null ? '' : `: it takes at least ${counted(least, unit)} in which two models differ`}.`;
    const two = `${first} and ${second} differ in too few ${unit}s to be told apart, however large the differences there`;
    if (differing === null || least === null) return `${two}.`;
    return differing < least
      ? `${two}: in ${thousands(differing)}, and it takes at least ${thousands(least)}.`
      : `${two}: in ${thousands(differing)}, which would do for one pair, but not beside all that are tested.`;
  }

  /** About how many more tasks would tell the pair apart. */
  function moreOf(scores: ScoreMatrix, pair: DecidedPair): number | null {
    // The scores at hand have the least values where some are missing: of neighbours it was found from both.
    if (isBounded(inference))
      return (
        inference.neighbours.find(({ higher, lower }) => higher === pair.higher && lower === pair.lower)?.moreTasks ??
        null
      );
    const design = clusterDesign(scores, plannedStrata(scores, plan));
    return moreTasksFor(plannedDesign({ design, tasks, needed, plan, models: models.length }), pair);
  }
}
