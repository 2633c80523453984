import * as Plot from '@observablehq/plot';
import { rowAxis } from '../../draw/axis.js';
import { renderFigure, themeColours } from '../../draw/figure.js';
import type { DrawOptions } from '../analysis.js';
import type { FilterResult } from './comparison.js';

/** Standardised differences of selected tasks by property; one mark a panel and family. */
export function drawFilter(result: FilterResult, { theme }: DrawOptions): string {
  const { comparisons } = result;
  const rows = comparisons.flatMap((row) =>
    row.standardized_difference === null
      ? []
      : [
          {
            ...row,
            difference: row.standardized_difference,
            label: row.characteristic.replaceAll('_', ' '),
          },
        ],
  );
  const labels = [...new Set(rows.map(({ label }) => label))];
  const panels = [...new Set(rows.map(({ panel }) => panel))];
  const reach = Math.max(0.5, Math.ceil(result.largest_standardized_difference * 10) / 10);
  const axis = rowAxis(labels);
  const looks = panels.map((panel, i) => ({
    panel,
    dy: (i - (panels.length - 1) / 2) * 9,
    ...(i % 2 === 0
      ? ({ colour: 'blue', symbol: 'circle', mark: 'dot' } as const)
      : ({ colour: 'teal', symbol: 'square', mark: 'square' } as const)),
  }));
  return renderFigure({
    theme,
    height: 44 + 36 * labels.length,
    title: 'Do selected tasks differ from those left out?',
    subtitle: 'Standardised differences by property; one mark a panel and family.',
    caption: 'Positive: selected tasks are higher. Filled: resolved after Holm; hollow: not resolved.',
    legend: looks.map(({ panel, colour, mark }) => ({
      label: panel.replaceAll('_', ' '),
      colour: themeColours(theme)[colour],
      mark,
    })),
    plot: (c) => ({
      marginLeft: axis.marginLeft,
      marginRight: 24,
      marginTop: 6,
      marginBottom: 38,
      x: {
        label: 'difference, standard deviations',
        domain: [-reach, reach],
        ticks: 6,
        grid: true,
      },
      y: axis.y,
      color: { type: 'identity' },
      marks: [
        Plot.ruleX([0], { stroke: c.muted }),
        ...looks.map(({ panel, dy, colour, symbol }) =>
          Plot.dot(
            rows.filter((row) => row.panel === panel),
            {
              x: 'difference',
              y: ({ label }: { label: string }) => labels.indexOf(label),
              dy,
              r: 4,
              symbol,
              stroke: c[colour],
              strokeWidth: 1.5,
              fill: (d: { significant: boolean }) => (d.significant ? c[colour] : c.background),
            },
          ),
        ),
      ],
    }),
  });
}
