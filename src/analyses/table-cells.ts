import type { Agreement } from './agreement.js';
import { byRank, percent, type RankedModel, three } from './analysis.js';

/** Rank correlation, pair order and leader of one row of a table that compares other scores with the primary ones. */
export function agreementCells(
  { correlation, pairOrder, leader }: Agreement & { readonly leader: string },
  models: readonly RankedModel[],
): [correlation: string, pairOrder: string, leader: string] {
  const name = models.find(({ id }) => id === leader)?.short ?? leader;
  return [three(correlation), percent(pairOrder, 1), name];
}

/** Id of the model that leads; empty where there is none. */
export function leaderIn(models: readonly RankedModel[]): string {
  return byRank(models)[0]?.id ?? '';
}
