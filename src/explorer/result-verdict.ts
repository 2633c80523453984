import { type AuditAnswer, auditAnswer } from '../analyses/rank-audit/audit-answer.js';
import { visibleIn } from '../analyses/rank-audit/visible.js';
import { comparesWithOne, leaderWords, stepsWords } from '../inference/decisions/decision-words.js';
import type { Inference } from '../inference/result.js';
import { counted, placesFor, pointsText, thousands } from '../util/format.js';
import { saidName } from './said-name.js';
import type { Result } from './shown-scores.js';

/** Neighbours that a verdict lists at most. */
const LISTED = 3;

/** Says in short what a result supports: who leads, which neighbours are open, what cannot be concluded (decisions 6). */
export function verdictOf({ matrix, inference, bounded }: Result): AuditAnswer {
  const name = ({ name: text }: { readonly name: string }) => saidName(text);
  if (matrix)
    return auditAnswer({ inference, visible: bounded ? null : visibleIn(matrix, inference), name, listed: LISTED });
  const { models } = inference;
  if (models.length < 2) return { leader: 'One model: there is nothing to compare.', steps: null, cannot: null };
  return {
    leader: leaderWords(inference, name),
    steps: stepsOf(inference),
    cannot: 'How many more tasks would tell them apart cannot be said: the scores of single tasks are not at hand.',
  };
}

/** Says how many pairs are told apart, where steps between neighbours do not say it all: models some steps away may be, though no neighbours are. */
export function apartWords({ models, plan, resolvedPairs }: Inference): string | null {
  if (models.length < 3 || comparesWithOne(plan) || resolvedPairs === 0) return null;
  const pairs = (models.length * (models.length - 1)) / 2;
  if (resolvedPairs === pairs) return `All ${thousands(pairs)} pairs of models are told apart.`;
  return `${thousands(resolvedPairs)} of ${counted(pairs, 'pair')} of models ${resolvedPairs === 1 ? 'is' : 'are'} told apart: All pairs shows which, and by how much.`;
}

function stepsOf({ models, neighbours, plan }: Inference): AuditAnswer['steps'] {
  if (comparesWithOne(plan)) return null;
  const steps = models.length - 1;
  if (neighbours.length === 0) return { head: 'Every step of this order is told apart.', rows: [] };
  const places = placesFor(neighbours.map(({ difference }) => difference));
  return {
    head: `${stepsWords(neighbours.length, steps)} open, which is not to say equal${neighbours.length > LISTED ? `; the first ${LISTED}` : ''}:`,
    rows: neighbours.slice(0, LISTED).map(({ higher, lower, difference }) => ({
      two: `${saidName(models[higher]!.name)} and ${saidName(models[lower]!.name)}`,
      needs: difference === 0 ? 'equal scores' : `${pointsText(difference, places)} apart`,
    })),
  };
}
