import * as Plot from '@observablehq/plot';
import { renderFigure, type ThemeColours, themeColours } from '../util/figure.js';
import type { Throughput } from './bench-work.js';

const SERIES = ['blue', 'gold', 'teal', 'red', 'grey'] as const;

const seriesOf = ({ work, backend, threads }: Throughput): string =>
  `${work}, ${backend}${threads > 1 ? ` ${threads} threads` : ''}`;

interface Point {
  readonly slot: string;
  readonly group: 'draws' | 'models';
  readonly row: Throughput;
}

const short = (n: number): string => (n >= 1000 ? `${n / 1000}k` : String(n));

/** Throughput against draws (left) and against models (right); draws a second on a logarithmic axis. */
export function benchFigure(
  byDraws: readonly Throughput[],
  byModels: readonly Throughput[],
  machine: string,
): string {
  const points: Point[] = [
    ...byDraws.map((row) => ({ slot: `${short(row.draws)} draws`, group: 'draws' as const, row })),
    ...byModels.map((row) => ({ slot: `${row.models} models`, group: 'models' as const, row })),
  ];
  const slots = (group: Point['group']) => [
    ...new Set(points.filter((point) => point.group === group).map(({ slot }) => slot)),
  ];
  const names = [...new Set(points.map(({ row }) => seriesOf(row)))];
  const colourOf = (colours: ThemeColours, name: string): string =>
    colours[SERIES[names.indexOf(name) % SERIES.length]!];
  const models = byDraws[0]?.models ?? 0;
  const draws = byModels[0]?.draws ?? 0;
  return renderFigure({
    theme: 'light',
    width: 760,
    height: 360,
    title: 'Resampling throughput',
    subtitle: `Draws a second with all a leaderboard asks: more draws of ${models} models, then more models at ${short(draws)} draws.`,
    caption: machine,
    legend: names.map((label) => ({
      label,
      colour: colourOf(themeColours('light'), label),
      mark: 'line' as const,
    })),
    plot: (colours) => {
      const channels = {
        x: 'slot',
        y: ({ row }: Point) => row.draws_per_second,
        z: ({ row, group }: Point) => `${group} ${seriesOf(row)}`,
      };
      const colour = ({ row }: Point) => colourOf(colours, seriesOf(row));
      return {
        marginLeft: 64,
        marginRight: 24,
        marginTop: 20,
        marginBottom: 36,
        x: { type: 'point', label: null, domain: [...slots('draws'), '', ...slots('models')] },
        y: { type: 'log', label: 'draws a second', tickFormat: '~s', ticks: 6, grid: true },
        marks: [
          Plot.lineY(points, { ...channels, stroke: colour, strokeWidth: 2 }),
          Plot.dot(points, { ...channels, fill: colour, r: 3.5 }),
        ],
      };
    },
  });
}
