import { counted, general, placesFor, pointsText, thousands } from '../../util/format.js';
import { byRank } from '../model-ranks.js';
import type { Inference, ModelResult } from '../result.js';

/** Models or neighbours that a sentence names before it counts the others. */
const NAMED = 3;

/** Joins names: `A`, `A and B`, `A, B and 4 more`. */
export function nameList(names: readonly string[], most = NAMED): string {
  // One name takes no more room than to say that there is one more.
  const shown = names.length === most + 1 ? names : names.slice(0, most);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${thousands(more)} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Names a test procedure as sentences do. */
export function testWords({ plan }: Pick<Inference, 'plan'>): string {
  const test = plan.test === 'centred' ? 'centred sign flips' : 'paired sign flips';
  const control = plan.multiplicity === 'max-t' ? 'step-down max-T' : 'Holm';
  return `${test}, ${control}, familywise error ${general(plan.alpha, 3)}`;
}

/**
 * Says in plain words who is best at the familywise level, which neighbours cannot be told apart and what would do it, and what the
 * design cannot show at all (decisions 6). Sentences with a full stop, the most important first.
 */
export function decisionWords(inference: Inference, name: (model: ModelResult) => string): string[] {
  const { models, pairSummary } = inference;
  if (models.length < 2) return ['One model: there is nothing to compare.'];
  const lines = [
    leaderWords(inference, name),
    ...neighbourWords(inference, name),
    ...widerWords(inference, name),
    ...designWords(inference),
  ];
  if (inference.plan.against === 'best')
    lines.push(
      'The best model is chosen from these data, so comparisons with it stand under the control of all pairs.',
    );
  if (isBounded(inference))
    lines.push(
      'Some cells are missing. A pair is told apart only if it is whatever their values are; a score stands half-way between those with the least and the greatest values, and intervals reach from the one to the other.',
    );
  if (pairSummary?.identical) {
    const [two, count] = [
      pairSummary.identical.map((m) => name(models[m]!)).join(' and '),
      pairSummary.decisions.identical,
    ];
    lines.push(
      `${count === 1 ? two : `${counted(count, 'pair')}, among them ${two},`} have the same total in every cluster: these data hold no difference between them.`,
    );
  }
  return lines;
}

/** Tells whether cells are missing and scores stand half-way between those of the least and the greatest values. */
export function isBounded({ models }: Pick<Inference, 'models'>): boolean {
  return models.some(({ scoreBounds }) => scoreBounds !== null);
}

/** Tells whether only the comparisons with one named model were made. */
export function comparesWithOne({ against }: Pick<Inference['plan'], 'against'>): boolean {
  return against !== null && against !== 'best';
}

/** Names neighbours that are told apart although rank sets, which hold for all models at once, allow both the same rank. */
function widerWords({ models, top }: Inference, name: (model: ModelResult) => string): string[] {
  const order = byRank(models).map(({ index }) => index);
  const apart = order.slice(1).flatMap((lower, k) => {
    const higher = order[k]!;
    const [above, below] = [models[higher]!.rankSet, models[lower]!.rankSet];
    const known = models[higher]!.openWith;
    if (above === null || below === null || known === null || known.includes(lower)) return [];
    return above[1] >= below[0] ? [[higher, lower] as const] : [];
  });
  const [first] = apart;
  // Of a leader who is told apart from all the first sentence says so.
  if (first === undefined || (apart.length === 1 && first[0] === top)) return [];
  const two = `${name(models[first[0]]!)} and ${name(models[first[1]]!)}`;
  return [
    `${two}${apart.length > 1 ? ` (and ${counted(apart.length - 1, 'more pair')} of neighbours)` : ''} are told apart though both may hold one rank: ranks are allowed for all models at once, which asks for more.`,
  ];
}

/** Says who leads, and whether that is certain, with at most so many names in a list. */
export function leaderWords(
  { models, top, plan, resolvedPairs }: Inference,
  name: (model: ModelResult) => string,
  most = NAMED,
): string {
  if (top !== null) {
    const leader = models[top]!;
    const apart = `told apart from every other model (familywise error ${general(plan.alpha, 3)})`;
    const set = leader.rankSet;
    return set !== null && set[1] > 1
      ? `${name(leader)} is ${apart}; the rank sets, which hold for all models at once and ask for more, still allow it ranks 1 to ${set[1]}.`
      : `${name(leader)} is best: ${apart}.`;
  }
  const leaders = models.filter(({ rank }) => rank === 1);
  const highest = isBounded({ models }) ? 'the highest middle score' : 'the highest score';
  if (comparesWithOne(plan))
    return `${resolvedPairs} of ${counted(models.length - 1, 'model')} ${resolvedPairs === 1 ? 'is' : 'are'} told apart from ${name(models.find(({ modelId }) => modelId === plan.against)!)}; no other pair was tested.`;
  if (resolvedPairs === 0)
    return `No two models are told apart: nothing in this order is established. ${leaders.length === 1 ? `${name(leaders[0]!)} has ${highest}` : `${nameList(leaders.map(name), most)} share ${highest}`}.`;
  if (leaders.length > 1)
    return `No model is best beyond doubt: ${nameList(leaders.map(name), most)} share ${highest}.`;
  const leader = leaders[0]!;
  const open = byRank((leader.openWith ?? []).map((index) => models[index]!)).map(name);
  return `No model is best beyond doubt: ${name(leader)} has ${highest} and is not told apart from ${nameList(open, most)}.`;
}

/** Which neighbours are open, and about how many more tasks would settle it. */
function neighbourWords(
  { neighbours, models, tasks, clusters, plan }: Inference,
  name: (model: ModelResult) => string,
): string[] {
  if (neighbours.length === 0 || comparesWithOne(plan)) return [];
  const places = placesFor(neighbours.map(({ difference }) => difference));
  const said = neighbours.slice(0, NAMED).map(({ higher, lower, difference, moreTasks }) => {
    const two = `${name(models[higher]!)} and ${name(models[lower]!)}`;
    if (difference === 0) return `${two} (equal scores: no number of tasks is known to do it)`;
    if (moreTasks === null)
      return `${two} (${pointsText(difference, places)} apart; more clusters are needed before it can be said)`;
    return `${two} (${moreWords(moreTasks, { tasks, clusters })} if the observed ${pointsText(difference, places)} is the true difference)`;
  });
  const more = neighbours.length - said.length;
  const steps = models.length - 1;
  return [
    `${stepsWords(neighbours.length, steps)} open after ${counted(tasks, 'task')}: ${said.join('; ')}${more > 0 ? `; and ${thousands(more)} more` : ''}.`,
  ];
}

/** Rounds a number up to its first two digits: more of an estimate that hangs on one observed difference say nothing. */
function roughly(n: number): number {
  const unit = 10 ** Math.max(0, String(n).length - 2);
  return Math.ceil(n / unit) * unit;
}

/** Writes about how many more tasks: those of a cluster stand or fall together, so more in the clusters at hand would not do it. */
export function moreWords(more: number, { tasks, clusters }: Pick<Inference, 'tasks' | 'clusters'>): string {
  const where = clusters < tasks ? ` in ${counted(roughly(Math.ceil((more * clusters) / tasks)), 'more cluster')}` : '';
  return `about ${counted(roughly(more), 'more task')}${where}`;
}

/** Says how many of the steps of an order: `2 of the 5 steps of this order are`. */
export function stepsWords(open: number, steps: number): string {
  if (steps === 1) return 'The one step of this order is';
  const some =
    open === steps
      ? steps === 2
        ? 'Both'
        : `All ${thousands(steps)}`
      : `${thousands(open)} of the ${thousands(steps)}`;
  return `${some} steps of this order ${open === 1 ? 'is' : 'are'}`;
}

/** In how many clusters two models have to differ: under step-down max-T, which knows no number for many pairs at once, as many as one pair takes alone. */
export function fewestWords(
  needed: number,
  { plan, total }: { readonly plan: Inference['plan']; readonly total: number },
) {
  const more = plan.multiplicity === 'max-t' && total > 1 ? ', and more beside many other pairs' : '';
  return `at least ${thousands(needed)}${more}`;
}

/** What no scores on these tasks could have shown. */
function designWords({ pairSummary, clusters, plan }: Inference): string[] {
  if (pairSummary === null || pairSummary.decisions.untestable === 0) return [];
  const { total, byDesign, clustersNeeded: needed } = pairSummary;
  const { untestable } = pairSummary.decisions;
  const control = plan.multiplicity === 'max-t' ? 'max-T' : 'Holm';
  const all = untestable === total;
  const which = all ? 'no two models' : `${thousands(untestable)} of ${counted(total, 'pair')}`;
  if (byDesign === untestable)
    return [
      `With ${counted(clusters, 'cluster')} this design cannot tell any two models apart, whatever the scores: the least p is 2 / 2^${clusters} = ${general(2 / 2 ** clusters, 3)}. It takes at least ${counted(needed!, 'cluster')} in which two models differ (${control}).`,
    ];
  const these = total === 1 ? 'The two models' : all ? 'All pairs' : which;
  return [
    `${these} differ in too few clusters to be told apart, whatever the difference there: it takes ${fewestWords(needed!, { plan, total })} (${control}).`,
  ];
}
