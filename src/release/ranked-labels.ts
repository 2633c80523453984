import { rankedNames } from '../draw/axis.js';
import { byRank, modelName } from './names.js';
import type { ReleaseView } from './view.js';

/** Labels the models of a release by rank, as figures name their rows: `1  Name`, and `2=  Name` where a rank is shared. */
export function rankedLabels(view: ReleaseView): string[] {
  const models = byRank(view.leaderboard.models);
  return rankedNames(models.map((model) => ({ ...model, name: modelName(view, model) })));
}
