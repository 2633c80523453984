import { plannedStanding, type Standing } from '../inference/standing.js';
import type { Witness } from '../witness/witness.js';
import type { StudyPlan } from './study-plan-schema.js';

/** Says how a study stands to its plan, which fixes every choice; older plans leave the generator open (collection 10.1). */
export function studyStanding(plan: StudyPlan, witnesses: readonly Witness[]): Standing {
  const open = plan.inference.rng === undefined ? ['rng'] : [];
  return plannedStanding({ plan, open, deviations: [], witnesses });
}
