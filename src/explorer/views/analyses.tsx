import { type AnalysisPage, analysisPages } from '../analysis-pages.js';
import type { Opened } from '../sources/opened.js';
import { AnalysisDetail } from './analysis-detail.js';
import { FigureDetail } from './figure-detail.js';
import type { ViewProps } from './registry.js';
import { ReleaseTables } from './release-tables-view.js';

/** Tells whether there is an analysis, a figure or a table to show. */
export const hasAnalyses = (opened: Opened): boolean => analysisPages(opened).length > 0;

/** Every analysis by its own drawing, with its words and its table; of a release its figures and tables too. */
export function Analyses({ opened, address, go }: ViewProps) {
  const pages = analysisPages(opened);
  const chosen = pages.find(({ name }) => name === address.analysis) ?? pages[0];
  if (chosen === undefined) return <p>There is no analysis here.</p>;
  return (
    <>
      <p class="choosers">
        <label>
          Look at{' '}
          <select value={chosen.name} onChange={({ currentTarget }) => go({ analysis: currentTarget.value })}>
            {groupsOf(pages).map(([group, listed]) => (
              <optgroup key={group} label={group}>
                {listed.map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
      </p>
      {chosen.kind === 'analysis' ? (
        <AnalysisDetail key={chosen.name} {...{ opened, item: chosen.item }} />
      ) : chosen.kind === 'figure' ? (
        <FigureDetail key={chosen.name} {...{ opened, entry: chosen.entry }} />
      ) : (
        <ReleaseTables {...{ opened }} />
      )}
    </>
  );
}

const GROUPS = { analysis: 'Analyses', figure: 'Figures of the leaderboard', tables: 'Tables' } as const;

function groupsOf(pages: readonly AnalysisPage[]): (readonly [string, readonly AnalysisPage[]])[] {
  return (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).flatMap((kind) => {
    const listed = pages.filter((page) => page.kind === kind);
    return listed.length === 0 ? [] : [[GROUPS[kind], listed] as const];
  });
}
