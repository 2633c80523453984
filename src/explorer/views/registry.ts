import { h, type JSX } from 'preact';
import type { Address } from '../address.js';
import type { Result } from '../shown-scores.js';
import type { Opened } from '../sources/opened.js';
import { Analyses, hasAnalyses } from './analyses.js';
import { Collection } from './collection.js';
import { Leaderboard } from './leaderboard.js';
import { Method } from './method.js';
import { Model } from './model.js';
import { Own } from './own.js';
import { Pair } from './pair.js';
import { Pairs } from './pairs.js';
import { Ranks } from './ranks.js';
import { TaskView } from './task.js';
import { Verify } from './verify.js';

/** What every view is given. */
export interface ViewProps {
  readonly opened: Opened;
  /** Null where nothing is ranked: for a ledger, and for documents of analyses alone. */
  readonly result: Result | null;
  readonly address: Address;
  readonly go: (part: Partial<Address>) => void;
}

/** What a view of a ranking is given. */
export interface RankedProps extends ViewProps {
  readonly result: Result;
}

/** A view of a page. Its name stands in the address, its title in the row of views. */
export interface View {
  readonly name: string;
  readonly title: string;
  /** Tells whether there is anything to show. */
  shows(opened: Opened, result: Result | null): boolean;
  readonly Show: (props: ViewProps) => JSX.Element | null;
}

/** Makes a view of what is ranked. */
function ranked(name: string, title: string, Ranked: (props: RankedProps) => JSX.Element): View {
  return {
    name,
    title,
    shows: (_, result) => result !== null,
    Show: ({ result, ...props }) => (result === null ? null : h(Ranked, { ...props, result })),
  };
}

/** All views, in the order in which a page offers them. A page opens with the first that has something to show. */
export const VIEWS: readonly View[] = [
  ranked('leaderboard', 'Leaderboard', Leaderboard),
  ranked('pair', 'Two models', Pair),
  ranked('pairs', 'All pairs', Pairs),
  ranked('ranks', 'Ranks', Ranks),
  ranked('model', 'Model', Model),
  {
    ...ranked('task', 'Task', TaskView),
    shows: ({ matrix, release }, result) => result !== null && (matrix ?? release?.tasks ?? null) !== null,
  },
  { name: 'collection', title: 'Collection', shows: ({ ledger }) => ledger !== null, Show: Collection },
  { name: 'analyses', title: 'Analyses', shows: hasAnalyses, Show: Analyses },
  ranked('method', 'Method', Method),
  { name: 'own', title: 'Your own', shows: ({ scorable }) => scorable !== undefined, Show: Own },
  { name: 'verify', title: 'Verify', shows: ({ inventory }) => inventory !== null, Show: Verify },
];

/** Finds the view of an address, or the first that has something to show. */
export function viewAt({ view }: Address, opened: Opened, result: Result | null): View | undefined {
  const offered = VIEWS.filter(({ shows }) => shows(opened, result));
  return offered.find(({ name }) => name === view) ?? offered[0];
}
