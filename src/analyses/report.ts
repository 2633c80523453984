import type { DrawOptions } from '../draw/look.js';
import type { ArrowColumn } from '../io/arrow.js';
import { fixed } from '../util/format.js';

/** What a reader gets of an analysis beside its document. */
export interface AnalysisReport {
  readonly columns: readonly ArrowColumn[];
  /** One paragraph: what the analysis shows, and what it does not. */
  readonly words: string;
  figure(options: DrawOptions): Promise<string>;
}

export const percent = (share: number, places = 0): string => `${fixed(100 * share, places)}%`;
export const three = (x: number | null): string => (x === null ? 'undefined' : fixed(x, 3));
