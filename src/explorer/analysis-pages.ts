import { type FigureEntry, LEADERBOARD_FIGURES } from '../release/figure-list.js';
import type { Opened, OpenedAnalysis } from './sources/opened.js';

/** What can be looked at among the analyses. */
export type AnalysisPage = { readonly name: string; readonly title: string } & (
  | { readonly kind: 'analysis'; readonly item: OpenedAnalysis }
  | { readonly kind: 'figure'; readonly entry: FigureEntry }
  | { readonly kind: 'tables' }
);

const made = new WeakMap<Opened, readonly AnalysisPage[]>();

/** Lists the analyses of what was opened, and of a release the figures that its leaderboard gives and its tables. */
export function analysisPages(opened: Opened): readonly AnalysisPage[] {
  const known = made.get(opened) ?? pagesOf(opened);
  made.set(opened, known);
  return known;
}

function pagesOf({ analyses, release }: Opened): AnalysisPage[] {
  const own = analyses.flatMap((item): AnalysisPage[] =>
    item.analysis === null ? [] : [{ kind: 'analysis', name: item.name, title: titleOf(item, analyses), item }],
  );
  if (release === null) return own;
  const figures = LEADERBOARD_FIGURES.filter((entry) => entry.data(release) !== null).map(
    (entry): AnalysisPage => ({ kind: 'figure', name: `figure-${entry.name}`, title: entry.title, entry }),
  );
  return [...own, ...figures, { kind: 'tables', name: 'tables', title: 'Tables' }];
}

/** The name of an analysis; of two documents of one kind that of the file. */
function titleOf({ name, analysis }: OpenedAnalysis, all: readonly OpenedAnalysis[]): string {
  const title = analysis!.name.replaceAll('-', ' ');
  const same = all.filter((other) => other.analysis === analysis).length;
  return same > 1 && name !== analysis!.name ? `${title} (${name})` : title;
}
