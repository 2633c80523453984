import * as Plot from '@observablehq/plot';
import { renderFigure, type ThemeColours, themeColours } from '../draw/figure.js';
import type { Throughput } from './throughput.js';

const SERIES = ['blue', 'gold', 'teal', 'red', 'grey'] as const;

const unique = (values: readonly string[]): string[] => [...new Set(values)];

const machineOf = ({ backend, threads }: Throughput): string => `${backend}${threads > 1 ? ` ${threads} threads` : ''}`;

const seriesOf = (row: Throughput): string => `${row.work}, ${machineOf(row)}`;

interface Point {
  readonly slot: string;
  readonly group: 'draws' | 'models';
  readonly row: Throughput;
}

const short = (n: number): string => (n >= 1000 ? `${n / 1000}k` : String(n));

/** Throughput against draws (left) and against models (right); draws a second on a logarithmic axis. */
export function benchFigure(byDraws: readonly Throughput[], byModels: readonly Throughput[], machine: string): string {
  const points: Point[] = [
    ...byDraws.map((row) => ({ slot: `${short(row.draws)} draws`, group: 'draws' as const, row })),
    ...byModels.map((row) => ({ slot: `${row.models} models`, group: 'models' as const, row })),
  ];
  const slots = (group: Point['group']) => [
    ...new Set(points.filter((point) => point.group === group).map(({ slot }) => slot)),
  ];
  const works = unique(points.map(({ row }) => row.work));
  const machines = unique(points.map(({ row }) => machineOf(row)));
  const colourOf = (colours: ThemeColours, row: Throughput): string =>
    colours[SERIES[machines.indexOf(machineOf(row)) % SERIES.length]!];
  const solid = (row: Throughput): boolean => row.work === works[0];
  const series = unique(points.map(({ row }) => seriesOf(row))).map(
    (name) => points.find(({ row }) => seriesOf(row) === name)!.row,
  );
  const speeds = points.map(({ row }) => Math.log10(row.draws_per_second));
  const [low, high] = [Math.floor(Math.min(...speeds)), Math.ceil(Math.max(...speeds))];
  const decades = Array.from({ length: high - low + 1 }, (_, k) => 10 ** (low + k));
  const models = byDraws[0]?.models ?? 0;
  const draws = byModels[0]?.draws ?? 0;
  return renderFigure({
    theme: 'light',
    height: 360,
    title: 'Resampling throughput',
    subtitle: `Draws a second with all a leaderboard asks: more draws of ${models} models, then more models at ${short(draws)} draws.`,
    caption: machine,
    legend: series.map((row) => ({
      label: seriesOf(row),
      colour: colourOf(themeColours('light'), row),
      mark: solid(row) ? 'line' : 'dash',
    })),
    plot: (colours) => {
      const channels = {
        x: 'slot',
        y: ({ row }: Point) => row.draws_per_second,
        z: ({ row, group }: Point) => `${group} ${seriesOf(row)}`,
      };
      const colour = ({ row }: Point) => colourOf(colours, row);
      return {
        marginLeft: 72,
        marginRight: 24,
        marginTop: 10,
        marginBottom: 30,
        x: { type: 'point', label: null, domain: [...slots('draws'), '', ...slots('models')] },
        y: {
          type: 'log',
          domain: [decades[0]!, decades.at(-1)!],
          label: 'draws a second',
          tickFormat: '~s',
          ticks: decades,
          grid: true,
        },
        marks: [
          ...[true, false].map((whole) =>
            Plot.lineY(
              points.filter(({ row }) => solid(row) === whole),
              {
                ...channels,
                stroke: colour,
                strokeWidth: 2,
                ...(whole ? {} : { strokeDasharray: '4,3' }),
              },
            ),
          ),
          Plot.dot(points, { ...channels, fill: colour, r: 3.5 }),
        ],
      };
    },
  });
}
