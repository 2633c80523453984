import type { ReleaseView } from './release.js';

/** Stated wherever answers of simulated responders alone are shown. */
const ALL = 'SIMULATED: the responders are formulas, not models. Nothing here ranks a model.';

/** Names that a notice lists; the rest are counted. */
const LISTED = 12;

/** Ids of the ranked models that answered through a simulated route. */
export function simulatedModels({ board, routes }: ReleaseView): ReadonlySet<string> {
  const asked = new Set(routes.filter(({ transport }) => transport === 'simulated').map(({ model }) => model));
  return new Set(board.models.map(({ id }) => id).filter((id) => asked.has(id)));
}

/** What has to be said of simulated responders among `models` ranked models; null where there are none. */
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
