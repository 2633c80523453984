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

/** Marks that turn the direction of a text, and other controls. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]+/g;

/** A model name that fits an axis, cut in its middle: names differ at both ends. */
export function shortName(name: string): string {
  const letters = [...name.normalize('NFC').replace(UNSEEN, ' ').trim()];
  if (letters.length <= NAME) return letters.join('');
  const tail = NAME >> 1;
  return `${letters.slice(0, NAME - 1 - tail).join('')}…${letters.slice(-tail).join('')}`;
}

/** A band axis with a row a model: rows are told apart by the id, whatever is left of it in the label. */
export function modelAxis(models: readonly string[]) {
  return { label: null, type: 'band', domain: models, tickFormat: shortName } as const;
}

/** Left margin that holds the longest of the names. */
export function nameMargin(names: readonly string[]): number {
  return 24 + 7 * Math.max(...names.map((name) => shortName(name).length));
}

export const percent = (share: number, places = 0): string => `${(100 * share).toFixed(places)}%`;
export const three = (x: number | null): string => (x === null ? 'undefined' : x.toFixed(3));
