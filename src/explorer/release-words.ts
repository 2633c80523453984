import { protocolWords } from '../collect/asked.js';
import { isFood } from '../release/names.js';
import type { ReleaseView } from '../release/view.js';

/** Says how the numbers of a release came about, as far as it states it. */
export function releaseWords(view: ReleaseView): string[] {
  const { leaderboard, protocol, standing } = view;
  const panels = leaderboard.replication === null ? '' : ' and panel';
  return [
    `Each task offers a set of ${isFood(view) ? 'ingredients' : 'items'}; an environment has scored every portfolio of it, 0 to 100, before any model was asked. An answer scores what the map says. The score of a model is the mean over strata of family${panels} with equal weights.`,
    ...(protocol === undefined ? [] : [protocolWords(protocol)]),
    ...(standing === undefined ? [] : [standing]),
  ];
}
