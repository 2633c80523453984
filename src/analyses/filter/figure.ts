import * as Plot from '@observablehq/plot';
import { rowPlot } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { type DrawOptions, lookOf } from '../../draw/look.js';
import type { FilterResults } from './comparison.js';

/** Draws how selected tasks differ from those left out, by property (analyses 4). */
export function drawFilter(results: FilterResults, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const rows = results.comparisons.flatMap(({ standardized_difference: difference, characteristic, ...row }) =>
    difference === null ? [] : [{ ...row, difference, label: characteristic.replaceAll('_', ' ') }],
  );
  const labels = [...new Set(rows.map(({ label }) => label))];
  const panels = [...new Set(rows.map(({ panel }) => panel))];
  const reach = Math.max(0.5, Math.ceil(results.largest_standardized_difference * 10) / 10);
  const series = panels.map((panel, i) => ({
    panel,
    dy: (i - (panels.length - 1) / 2) * 9 * size.mark,
    ...(i % 2 === 0
      ? ({ colour: c.blue, symbol: 'circle', mark: 'dot' } as const)
      : ({ colour: c.teal, symbol: 'square', mark: 'square' } as const)),
  }));
  const plot = rowPlot(look, { names: labels, rowHeight: 3 * size.text, right: size.margin + 6 });
  return drawFigure(look, {
    title: 'Do selected tasks differ from those left out?',
    subtitle: 'Standardised differences by property; one mark a panel and family.',
    caption: 'Positive: selected tasks are higher. Filled: resolved after Holm; hollow: not resolved.',
    legend: series.map(({ panel, colour, mark }) => ({ label: panel.replaceAll('_', ' '), colour, mark })),
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x: { label: 'difference, standard deviations', domain: [-reach, reach], ticks: 5, grid: true },
          y: plot.y,
          color: { type: 'identity' },
          marks: [
            Plot.ruleX([0], { stroke: c.muted }),
            ...series.map(({ panel, dy, colour, symbol }) =>
              Plot.dot(
                rows.filter((row) => row.panel === panel),
                {
                  x: 'difference',
                  y: ({ label }: { label: string }) => labels.indexOf(label),
                  dy,
                  r: 4 * size.mark,
                  symbol,
                  stroke: colour,
                  strokeWidth: 1.8 * size.mark,
                  fill: (row: { significant: boolean }) => (row.significant ? colour : c.background),
                },
              ),
            ),
          ],
        },
      },
    ],
  });
}
