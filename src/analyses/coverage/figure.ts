import * as Plot from '@observablehq/plot';
import { rightValues, rowPlot } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { lookOf } from '../../draw/look.js';
import { counted } from '../../util/format.js';
import { type LevelDrawOptions, percent as share } from '../analysis.js';
import { type NamedRate, namedRates } from './rates.js';
import type { CoverageResults } from './simulation.js';

const percent = (rate: number) => share(rate, 1);

/** Draws the error rates against their nominal level. */
export function drawCoverage(results: CoverageResults, options: LevelDrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const { alpha } = options;
  const rows = namedRates(results).map((row, at) => ({ ...row, at }));
  const most = Math.max(...rows.map((row) => row.interval?.[1] ?? row.rate), 2 * alpha);
  const written = ({ rate }: { rate: number }) => percent(rate);
  const values = rightValues(look, rows.map(written));
  const plot = rowPlot(look, {
    names: rows.map(({ name }) => name),
    rowHeight: Math.round(1.8 * size.row),
    right: values.room,
  });
  return drawFigure(look, {
    title: 'Do intervals cover and tests hold their level?',
    subtitle: `Error rates over ${counted(results.datasets, 'data set')}${results.test === undefined ? ' in which all models are equal' : '; tests where all models are equal'}.`,
    caption:
      'Limits of single intervals count each data set once, as its intervals are not independent. A test that holds its level errs as often as nominal or less.',
    legend: [
      { label: 'error rate', colour: c.ink },
      { label: '95% limits of the simulation', colour: c.blue, mark: 'line' },
      { label: `nominal ${percent(alpha)}`, colour: c.gold, mark: 'dash' },
    ],
    parts: [
      {
        height: plot.height,
        plot: {
          ...plot.margins,
          x: { domain: [0, most], label: 'error rate', ticks: 4, tickFormat: percent, grid: true },
          y: plot.y,
          marks: [
            Plot.ruleX([alpha], { stroke: c.gold, strokeDasharray: '5,4', strokeWidth: 2 * size.mark }),
            Plot.ruleY(
              rows.filter(({ interval }) => interval !== null),
              {
                y: 'at',
                x1: (row: NamedRate) => row.interval?.[0],
                x2: (row: NamedRate) => row.interval?.[1],
                stroke: c.blue,
                strokeWidth: 3 * size.mark,
              },
            ),
            Plot.dot(rows, { y: 'at', x: 'rate', r: 4 * size.mark, fill: c.ink }),
            values.mark(rows, written),
          ],
        },
      },
    ],
  });
}
