import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { namedIn } from './named-choice.js';

/** Which rows of a matrix are taken; both together take those of the first that are not among the second. */
export interface ModelChoice {
  /** Models to keep; each entry is an id, or several separated by commas. All unless given. */
  readonly models?: readonly string[];
  /** Models to leave out, written the same way. */
  readonly without?: readonly string[];
}

/**
 * Tells for each model whether a choice keeps it (decisions 4.2). Errors: MODEL_UNKNOWN for a name that is none of the models, USAGE where
 * no model is left.
 */
export function keptModels(models: readonly string[], { models: only, without }: ModelChoice): boolean[] {
  const known = new Set(models);
  const taken = only === undefined ? known : namedIn(only, { option: '--models', noun: 'model', known });
  const left = namedIn(without ?? [], { option: '--without', noun: 'model', known });
  const kept = models.map((model) => taken.has(model) && !left.has(model));
  if (models.length > 0 && !kept.includes(true))
    fail(
      'USAGE',
      null,
      'no model is left',
      'Keep at least one model with --models, or leave fewer out with --without.',
    );
  return kept;
}

/** Says which models a choice left out, without a full stop; nothing where it kept all. */
export function choiceWords(leftOut: readonly string[], kept: number): string[] {
  if (leftOut.length === 0) return [];
  const names = leftOut.slice(0, 10).map((model) => shown(model));
  const more = leftOut.length > names.length ? `, ... (${leftOut.length} in all)` : '';
  return [
    `by choice of the call ${counted(kept, 'model')} of ${kept + leftOut.length} are compared; left out: ${names.join(', ')}${more}`,
  ];
}
