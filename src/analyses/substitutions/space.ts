import { dot, type Environment, needTags, unitRow } from '../../environment/environment.js';
import type { SubstitutionSpace } from './ranks.js';

/** An environment as the substitution check asks it: cosines, and the food groups of its tags. Errors: TAGS_MISSING. */
export function spaceOf(environment: Environment): SubstitutionSpace {
  return {
    name: environment.name,
    names: environment.names,
    groups: needTags(environment, 'the substitution check').map(({ foodGroup }) => foodGroup),
    similarity: (a, b) => dot(unitRow(environment, a), unitRow(environment, b)),
  };
}
