import * as Plot from '@observablehq/plot';
import { renderFigure, type Theme } from '../util/figure.js';
import type { Coverage } from './coverage.js';
import { type NamedRate, namedRates } from './coverage-report.js';
import { percent as share } from './report.js';

export interface CoverageFigureOptions {
  readonly result: Coverage;
  readonly alpha: number;
  readonly theme: Theme;
}

const percent = (rate: number) => share(rate, 1);

/** Five error rates against their nominal level. */
export function coverageFigure({ result, alpha, theme }: CoverageFigureOptions): string {
  const rows = namedRates(result);
  const most = Math.max(...rows.map((row) => row.interval?.[1] ?? row.rate), 2 * alpha);
  return renderFigure({
    theme,
    width: 760,
    height: 230,
    title: 'Do intervals cover and tests hold their level?',
    subtitle: `Error rates over ${result.datasets} data sets in which all models are equal. The line is the nominal ${percent(alpha)}.`,
    caption:
      'Bars are 95% limits of the simulation. Rates of single intervals have none: intervals of one data set are not independent. A test that holds its level errs as often as nominal or less.',
    plot: (colours) => ({
      marginLeft: 250,
      marginRight: 60,
      marginTop: 8,
      marginBottom: 44,
      x: { domain: [0, most], label: null, ticks: [] },
      y: {
        domain: rows.map(({ name }) => name),
        label: null,
        type: 'point',
        padding: 0.6,
        ticks: [],
      },
      marks: [
        Plot.gridX({ ticks: 6, stroke: colours.grid, strokeOpacity: 1 }),
        Plot.axisX({
          ticks: 6,
          tickSize: 0,
          tickFormat: percent,
          label: 'error rate',
          labelAnchor: 'center',
          labelArrow: 'none',
        }),
        Plot.axisY({ tickSize: 0 }),
        Plot.ruleX([alpha], { stroke: colours.gold, strokeWidth: 2 }),
        Plot.ruleY(
          rows.filter(({ interval }) => interval !== null),
          {
            y: 'name',
            x1: (row: NamedRate) => row.interval?.[0],
            x2: (row: NamedRate) => row.interval?.[1],
            stroke: colours.blue,
            strokeWidth: 5,
            strokeOpacity: 0.45,
            strokeLinecap: 'round',
          },
        ),
        Plot.dot(rows, { y: 'name', x: 'rate', r: 4, fill: colours.ink }),
        Plot.text(rows, {
          y: 'name',
          x: () => most,
          text: (row: NamedRate) => percent(row.rate),
          textAnchor: 'start',
          dx: 10,
        }),
      ],
    }),
  });
}
