import type { DrawOptions } from '../draw/look.js';

/** A model as a leaderboard has it. */
export interface RankedModel {
  readonly id: string;
  readonly name: string;
  readonly rank: number;
}

/** Models by rank, equal ranks by id. */
export function byRank(models: readonly RankedModel[]): RankedModel[] {
  return [...models].sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
}

/** How a figure is drawn in which models are named and stand in the order of a leaderboard. */
export interface ModelDrawOptions extends DrawOptions {
  /** In roster order. */
  readonly models: readonly RankedModel[];
}

/** How a figure is drawn that names an error rate. */
export interface LevelDrawOptions extends DrawOptions {
  /** Familywise. */
  readonly alpha: number;
}

/** What a figure draws, as the CSV beside it says it. */
export interface FigureData {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}
