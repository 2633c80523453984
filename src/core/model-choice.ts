import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { nearestSpelling } from '../util/spelling.js';

/** Which rows of a matrix are taken; both together take those of the first that are not among the second. */
export interface ModelChoice {
  /** Models to keep; each entry is an id, or several separated by commas. All unless given. */
  readonly models?: readonly string[];
  /** Models to leave out, written the same way. */
  readonly without?: readonly string[];
}

/** Splits a list at its commas, unless it is the id of a model as it stands. */
function idsIn(written: string, known: ReadonlySet<string>): string[] {
  if (known.has(written)) return [written];
  return written
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

/** Finds the models that an option names. Errors: MODEL_UNKNOWN, with the nearest name. */
function named(option: string, written: readonly string[], known: ReadonlySet<string>): Set<string> {
  const ids = written.flatMap((list) => idsIn(list, known));
  for (const id of ids) {
    if (known.has(id)) continue;
    const nearest = nearestSpelling(id, [...known]);
    fail(
      'MODEL_UNKNOWN',
      null,
      `${option} names ${shown(id)}, which is none of the ${counted(known.size, 'model')}`,
      `The nearest name is ${shown(nearest)}. Names with a comma go into a file, one a line.`,
    );
  }
  return new Set(ids);
}

/**
 * Tells for each model whether a choice keeps it (decisions 4.2). Errors: MODEL_UNKNOWN for a name that is none of the models, USAGE where
 * no model is left.
 */
export function keptModels(models: readonly string[], { models: only, without }: ModelChoice): boolean[] {
  const known = new Set(models);
  const taken = only === undefined ? known : named('--models', only, known);
  const left = named('--without', without ?? [], known);
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
