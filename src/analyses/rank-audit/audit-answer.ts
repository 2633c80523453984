import {
  comparesWithOne,
  fewestWords,
  isBounded,
  leaderWords,
  moreWords,
  stepsWords,
} from '../../inference/decisions/decision-words.js';
import type { Inference, ModelResult, Neighbours } from '../../inference/result.js';
import { counted, placesFor, pointsText, thousands } from '../../util/format.js';

/** What an audit says in short: parts of an answer that whoever prints it lays out. */
export interface AuditAnswer {
  /** Who leads, and whether that is certain. */
  readonly leader: string;
  /** Which neighbours are not told apart; null where there is no order to speak of. */
  readonly steps: {
    readonly head: string;
    /** Two neighbours, and about how many more tasks would tell them apart. */
    readonly rows: readonly { readonly two: string; readonly needs: string }[];
  } | null;
  /** What these tasks could not show at all, or would miss; null where nothing is known. */
  readonly cannot: string | null;
}

export interface AnswerOptions {
  readonly inference: Inference;
  /** The true difference that is found four times in five; null where it is not known. */
  readonly visible: number | null;
  readonly name: (model: ModelResult) => string;
  /** Neighbours that are listed at most. */
  readonly listed: number;
}

/** Models that a sentence names. */
const NAMED = 2;

/** Says in short what an audit found (decisions 6). */
export function auditAnswer(options: AnswerOptions): AuditAnswer {
  const { inference, name } = options;
  if (inference.models.length < 2)
    return { leader: 'One model: there is nothing to compare.', steps: null, cannot: null };
  return { leader: leaderWords(inference, name, NAMED), steps: stepsOf(options), cannot: cannotShow(options) };
}

function stepsOf({ inference, name, listed }: AnswerOptions): AuditAnswer['steps'] {
  const { neighbours, models, plan } = inference;
  const steps = models.length - 1;
  if (comparesWithOne(plan)) return null;
  if (neighbours.length === 0)
    return steps === 1
      ? null
      : { head: `${steps === 2 ? 'Both' : `All ${thousands(steps)}`} steps of this order are told apart.`, rows: [] };
  const places = placesFor(neighbours.map(({ difference }) => difference));
  const needs = ({ difference, moreTasks }: Neighbours): string => {
    if (difference === 0) return 'equal scores, no number is known';
    const apart = `${pointsText(difference, places)} apart`;
    return moreTasks === null ? `${apart}, more clusters come first` : `${apart}, ${moreWords(moreTasks, inference)}`;
  };
  const rows = neighbours.slice(0, listed).map((pair) => ({
    two: `${name(models[pair.higher]!)} and ${name(models[pair.lower]!)}`,
    needs: needs(pair),
  }));
  const first = neighbours.length > rows.length ? `, for the first ${rows.length === 1 ? 'one' : rows.length}` : '';
  const open = stepsWords(neighbours.length, steps);
  if (neighbours.slice(0, listed).every(({ moreTasks }) => moreTasks === null))
    return { head: `${open} open, which is not to say equal${first}:`, rows };
  const observed = isBounded(inference) ? 'difference of the middle scores' : 'observed difference';
  return {
    head: `${open} open, which is not to say equal. If the ${observed} is the true one, it would take${first}:`,
    rows,
  };
}

function cannotShow({ inference, visible }: AnswerOptions): string | null {
  const { pairSummary, clusters, tasks, plan, models } = inference;
  const unit = clusters === tasks ? 'task' : 'cluster';
  if (pairSummary !== null && pairSummary.decisions.untestable > 0) {
    const { total, byDesign, clustersNeeded: needed, decisions } = pairSummary;
    const { untestable } = decisions;
    const isDesign = byDesign === untestable;
    const which =
      isDesign || untestable === total
        ? total === 1
          ? 'these two models'
          : 'any two models'
        : `${thousands(untestable)} of ${counted(total, 'pair')}`;
    return isDesign
      ? `No scores on ${counted(clusters, unit)} could tell ${which} apart: it takes at least ${thousands(needed!)} in which two differ.`
      : `Too few ${unit}s hold any difference to tell ${which} apart, however large it is there: it takes ${fewestWords(needed!, { plan, total })}.`;
  }
  if (visible === null || comparesWithOne(plan) || models.length < 2) return null;
  return `These ${counted(tasks, 'task')} would miss a true difference below about ${pointsText(visible, placesFor([visible]))}${models.length > 2 ? ' between two typical neighbours' : ''} more than once in five.`;
}
