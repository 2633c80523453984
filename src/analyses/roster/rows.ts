import { byRank, type RankedModel } from '../analysis.js';
import type { RosterResults } from './omission.js';

/** What is left of the task set without one model. */
export interface KeptRow {
  readonly rank: number;
  readonly name: string;
  readonly id: string;
  readonly share: number;
  readonly leaderKept: boolean;
}

/** Share of the tasks kept when a model is left out, by rank, equal ranks by id. */
export function keptRows({ omissions }: RosterResults, models: readonly RankedModel[]): KeptRow[] {
  const of = new Map(omissions.map((row) => [row.omitted, row]));
  return byRank(models).flatMap(({ id, name, rank }) => {
    const row = of.get(id);
    return row === undefined ? [] : [{ rank, name, id, share: row.kept_share, leaderKept: row.leader_kept }];
  });
}
