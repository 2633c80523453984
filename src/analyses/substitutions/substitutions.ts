import { columnsOf } from '../../io/arrow.js';
import { type AnalysisReport, percent, three } from '../report.js';
import type { SubstitutionCoverage, SubstitutionResult } from './check.js';
import type { SubstitutionEstimate } from './estimate.js';

/** The check as a table, a figure and a paragraph. */
export function substitutionsReport(
  coverage: SubstitutionCoverage,
  results: readonly SubstitutionResult[],
): AnalysisReport {
  const rows = results.flatMap(({ space, all, novel }) =>
    (
      [
        ['all pairs', all],
        ['novel pairs', novel],
      ] as readonly (readonly [string, SubstitutionEstimate | null])[]
    ).flatMap(([subset, estimate]) =>
      estimate === null ? [] : [{ space, subset, ...estimate, low: estimate.interval[0], high: estimate.interval[1] }],
    ),
  );
  return {
    columns: columnsOf(rows, {
      space: ['text', (row) => row.space],
      subset: ['text', (row) => row.subset],
      pairs: ['int32', (row) => row.pairs],
      sources: ['int32', (row) => row.sources],
      percentile: ['float64', (row) => row.percentile],
      low: ['float64', (row) => row.low],
      high: ['float64', (row) => row.high],
      p: ['float64', (row) => row.p],
    }),
    words: `Of ${coverage.test_events} observed replacements ${coverage.mapped_events} have both ends in the vocabulary, ${coverage.unique_pairs} distinct pairs over ${coverage.sources} sources. ${results.map(({ space, all, novel, vocabulary }) => `In ${space} people's targets stand at the ${three(all.percentile)} percentile of their food group (${three(all.interval[0])} to ${three(all.interval[1])}, Holm p ${all.holm_p.toPrecision(3)})${novel === null ? '' : `, ${three(novel.percentile)} for pairs not seen in training`}, and ${percent(vocabulary.hit_at_10, 1)} are among the ten nearest of the whole vocabulary, where chance gives ${percent(vocabulary.chance.hit_at_10, 2)}.`).join(' ')} ${shownBy(results)}; it is no test of taste, and names were matched exactly.`,
    figure: async (options) => (await import('./figure.js')).drawSubstitutions(results, options),
  };
}

/** What the tests over all pairs allow to be said. */
function shownBy(results: readonly SubstitutionResult[]): string {
  const agreeing = results.filter(({ all }) => all.significant && all.percentile > 0.5);
  const names = agreeing.map(({ space }) => space).join(', ');
  if (agreeing.length === 0) return 'It does not show that similarity agrees with what people did';
  const rest = agreeing.length === results.length ? '' : ', and does not show it for the others';
  return `It shows that similarity in ${names} agrees with what people did${rest}`;
}
