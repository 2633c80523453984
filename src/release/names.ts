export { byRank } from '../inference/model-ranks.js';

import type { Leaderboard, ModelResult } from '../inference/result.js';
import { isCulinary, RANKED_FAMILIES } from '../tasks/task.js';
import type { ReleaseView } from './view.js';

const FAMILY: Readonly<Record<string, string>> = {
  substitution: 'Substitution',
  pairing: 'Pairing',
  constraint: 'Constraints',
  cultural_composition: 'Regional composition',
};

/** Names a family as a reader sees it. */
export function familyName(family: string): string {
  return FAMILY[family] ?? family.replaceAll('_', ' ');
}

/** Takes off the provider that stands before the first colon of a name. */
export function withoutProvider(name: string): string {
  const [provider, ...rest] = name.split(':');
  const own = rest.join(':').trim();
  return own === '' ? provider! : own;
}

/** Names a model in tables and figures: as the view has it printed, else as its release says, else by its id. */
export function modelName({ printedNames }: Pick<ReleaseView, 'printedNames'>, { modelId, name }: ModelResult): string {
  return printedNames?.get(modelId) ?? (name.trim() === '' ? modelId : name);
}

/**
 * Lists the families of a leaderboard: the ranked ones in their published order, then any others by name. Documents sort
 * their keys, so this order is the same for a release in memory and for one that is read.
 */
export function familiesOf({ tasksPerFamily }: Pick<Leaderboard, 'tasksPerFamily'>): string[] {
  const ranked: readonly string[] = RANKED_FAMILIES;
  const others = Object.keys(tasksPerFamily).filter((family) => !ranked.includes(family));
  return [...ranked.filter((family) => family in tasksPerFamily), ...others.sort()];
}

/** Tells whether a release is about food; of another world it is worded without it. */
export function isFood({ leaderboard }: Pick<ReleaseView, 'leaderboard'>): boolean {
  return isCulinary(familiesOf(leaderboard));
}

/** Stated wherever answers of simulated responders alone are shown. */
const ALL = 'SIMULATED: the responders are formulas, not models. Nothing here ranks a model.';

/** Names that a notice lists; the rest are counted. */
const LISTED = 12;

/** Collects the ids of the ranked models that answered through a simulated route. */
export function simulatedModels({ leaderboard, routes }: ReleaseView): ReadonlySet<string> {
  const asked = new Set(routes.filter(({ transport }) => transport === 'simulated').map(({ model }) => model));
  return new Set(leaderboard.models.map(({ modelId }) => modelId).filter((id) => asked.has(id)));
}

/** Words what has to be said of simulated responders among `models` ranked models; null where there are none. */
export function simulatedNotice(options: {
  readonly models: number;
  /** Names of the simulated ones, fit for where the notice goes. */
  readonly names: readonly string[];
}): string | null {
  const { models, names } = options;
  if (names.length === 0) return null;
  if (names.length === models) return ALL;
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  const list = `${names.slice(0, LISTED).join(', ')}${more}`;
  return names.length === 1
    ? `SIMULATED in part: 1 of ${models} ranked models is a formula, not a model: ${list}. Its place ranks nothing, and no pair with it compares two models.`
    : `SIMULATED in part: ${names.length} of ${models} ranked models are formulas, not models: ${list}. Their places rank nothing, and no pair with one of them compares two models.`;
}
