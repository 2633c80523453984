import type { ArrowColumn } from '../util/arrow.js';
import type { Theme } from '../util/figure.js';

/** What a reader gets of an analysis beside its document. */
export interface AnalysisReport {
  readonly columns: readonly ArrowColumn[];
  /** One paragraph: what the analysis shows, and what it does not. */
  readonly words: string;
  figure(theme: Theme): string;
}

const NAME = 34;

/** A model name that fits an axis. */
export function shortName(name: string): string {
  return name.length <= NAME ? name : `${name.slice(0, NAME - 1)}…`;
}

/** Left margin that holds the longest of the names. */
export function nameMargin(names: readonly string[]): number {
  return 24 + 7 * Math.max(...names.map((name) => shortName(name).length));
}

export const percent = (share: number, places = 0): string => `${(100 * share).toFixed(places)}%`;
export const three = (x: number | null): string => (x === null ? 'undefined' : x.toFixed(3));
