import * as Plot from '@observablehq/plot';
import { rowAxis } from '../../draw/axis.js';
import { renderFigure, themeColours } from '../../draw/figure.js';
import { measured } from '../../draw/text.js';
import { counted } from '../../util/format.js';
import type { LevelDrawOptions } from '../analysis.js';
import { percent as share } from '../report.js';
import { type NamedRate, namedRates } from './coverage.js';
import type { Coverage } from './simulation.js';

const percent = (rate: number) => share(rate, 1);

/** Five error rates against their nominal level. */
export function drawCoverage(result: Coverage, { theme, alpha }: LevelDrawOptions): string {
  const rows = namedRates(result).map((row, at) => ({ ...row, at }));
  const axis = rowAxis(rows.map(({ name }) => name));
  const most = Math.max(...rows.map((row) => row.interval?.[1] ?? row.rate), 2 * alpha);
  return renderFigure({
    theme,
    height: 44 + 34 * rows.length,
    title: 'Do intervals cover and tests hold their level?',
    subtitle: `Error rates over ${counted(result.datasets, 'data set')} in which all models are equal.`,
    caption:
      'Limits of single intervals count each data set once, as its intervals are not independent. A test that holds its level errs as often as nominal or less.',
    legend: [
      { label: 'error rate', colour: themeColours(theme).ink },
      { label: '95% limits of the simulation', colour: themeColours(theme).blue, mark: 'line' },
      { label: `nominal ${percent(alpha)}`, colour: themeColours(theme).gold, mark: 'dash' },
    ],
    plot: (colours) => ({
      marginLeft: axis.marginLeft,
      marginRight: 72,
      marginTop: 6,
      marginBottom: 38,
      x: { domain: [0, most], label: 'error rate', ticks: 5, tickFormat: percent, grid: true },
      y: axis.y,
      marks: [
        Plot.ruleX([alpha], { stroke: colours.gold, strokeDasharray: '5,4', strokeWidth: 1.8 }),
        Plot.ruleY(
          rows.filter(({ interval }) => interval !== null),
          {
            y: 'at',
            x1: (row: NamedRate) => row.interval?.[0],
            x2: (row: NamedRate) => row.interval?.[1],
            stroke: colours.blue,
            strokeWidth: 3,
          },
        ),
        Plot.dot(rows, { y: 'at', x: 'rate', r: 4, fill: colours.ink }),
        Plot.text(rows, {
          y: 'at',
          frameAnchor: 'right',
          textAnchor: 'end',
          dx: 14 + measured('99.9%', 12),
          text: (row: NamedRate) => percent(row.rate),
          fill: colours.ink,
        }),
      ],
    }),
  });
}
