import { columnsOf } from '../../io/arrow.js';
import { type AnalysisReport, three } from '../report.js';
import type { FilterResult } from './comparison.js';

/** Comparisons as a table, a figure and a paragraph. */
export function filterReport(result: FilterResult): AnalysisReport {
  const { comparisons } = result;
  return {
    columns: columnsOf(comparisons, {
      panel: ['text', (row) => row.panel],
      family: ['text', (row) => row.family],
      characteristic: ['text', (row) => row.characteristic],
      standardized_difference: ['float64', (row) => row.standardized_difference],
      total_variation: ['float64', (row) => row.total_variation],
      exceedances: ['int32', (row) => row.exceedances],
      p: ['float64', (row) => row.p],
      holm_p: ['float64', (row) => row.holm_p],
      significant: ['bool', (row) => row.significant],
    }),
    words: `Selected tasks differ from the rest of their candidate pools by at most ${three(result.largest_standardized_difference)} standard deviations on six properties, and by at most ${three(result.largest_total_variation)} in category shares. Against random subsets of the same size ${result.resolved} of ${comparisons.length} differences are resolved after Holm. ${result.gate_model} is left out of the reference mean because its failures shaped the selection. No resolved difference is not proof of none: a pool of this size can hide moderate ones.`,
    figure: async (options) => (await import('./figure.js')).drawFilter(result, options),
  };
}
