import { addTallies, type ModelTally, modelTallies } from '../tally.js';
import { addNearMisses, type NearCount } from './near-misses.js';
import { addChanges, type ChangeCount } from './parser-changes.js';
import type { PartCounts } from './part-sink.js';

/** Adds up what parts came to, given in their order. */
export function addCounts(parts: readonly PartCounts[]): PartCounts {
  const sum = (of: (part: PartCounts) => number) => parts.reduce((total, part) => total + of(part), 0);
  const bad: Record<string, number> = {};
  for (const part of parts) for (const [code, n] of Object.entries(part.bad)) bad[code] = (bad[code] ?? 0) + n;
  return {
    rows: sum(({ rows }) => rows),
    aside: sum(({ aside }) => aside),
    unknownTasks: sum(({ unknownTasks }) => unknownTasks),
    bad,
    tally: addTallies(parts.map(({ tally }) => tally)),
    changes: addChanges(parts.map(({ changes }) => changes)),
    nearMisses: addNearMisses(parts.map(({ nearMisses }) => nearMisses)),
  };
}

/** What a whole batch came to. */
export interface BatchTotals {
  readonly rows: number;
  readonly aside: number;
  readonly unknownTasks: number;
  /** Bad rows by their code. */
  readonly bad: Readonly<Record<string, number>>;
  /** In the order in which they first appear. */
  readonly models: readonly ModelTally[];
  readonly changes: readonly ChangeCount[];
  readonly nearMisses: readonly NearCount[];
}

/** Counts nothing: what sums begin with. */
export const NO_COUNTS: PartCounts = {
  rows: 0,
  aside: 0,
  unknownTasks: 0,
  bad: {},
  tally: { families: [], models: [], counts: [] },
  changes: [],
  nearMisses: [],
};

/** Forms the results of a batch from its counts. */
export function batchTotals({ tally, ...counts }: PartCounts): BatchTotals {
  return { ...counts, models: modelTallies(tally) };
}
