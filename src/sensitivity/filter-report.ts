import * as Plot from '@observablehq/plot';
import { columnsOf } from '../util/arrow.js';
import { renderFigure } from '../util/figure.js';
import type { FilterResult } from './filter.js';
import { type AnalysisReport, three } from './report.js';

/** Comparisons as a table, a figure and a paragraph. */
export function filterReport(result: FilterResult): AnalysisReport {
  const { comparisons } = result;
  const rows = comparisons.flatMap((row) =>
    row.standardized_difference === null
      ? []
      : [
          {
            ...row,
            difference: row.standardized_difference,
            label: row.characteristic.replaceAll('_', ' '),
            stratum: `${row.panel.replace('_', ' ')} ${row.family}`,
          },
        ],
  );
  const panels = [...new Set(rows.map(({ panel }) => panel))];
  const reach = Math.max(0.5, Math.ceil(result.largest_standardized_difference * 10) / 10);
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
    figure: (theme) =>
      renderFigure({
        theme,
        width: 720,
        height: 300,
        title: 'Do selected tasks differ from those left out?',
        subtitle: 'Standardised differences by property; one dot a panel and family.',
        caption: `Positive: selected tasks are higher. Upper dots: ${panels[0]?.replace('_', ' ')}; filled red: resolved after Holm.`,
        plot: (c) => ({
          marginLeft: 200,
          marginRight: 30,
          marginBottom: 44,
          x: {
            label: 'standard deviations',
            labelAnchor: 'center',
            labelArrow: 'none',
            domain: [-reach, reach],
            grid: true,
          },
          y: { label: null, type: 'band', domain: [...new Set(rows.map(({ label }) => label))] },
          marks: [
            Plot.ruleX([0], { stroke: c.muted }),
            ...panels.map((panel, i) =>
              Plot.dot(
                rows.filter((row) => row.panel === panel),
                {
                  x: 'difference',
                  y: 'label',
                  dy: (i - (panels.length - 1) / 2) * 8,
                  r: 4,
                  stroke: c.blue,
                  strokeWidth: 1.5,
                  fill: (d: { significant: boolean }) => (d.significant ? c.red : c.background),
                },
              ),
            ),
          ],
        }),
      }),
  };
}
