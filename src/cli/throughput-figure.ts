import * as Plot from '@observablehq/plot';
import { axisHeight } from '../draw/axis.js';
import { drawFigure } from '../draw/frame.js';
import { type DrawOptions, lookOf } from '../draw/look.js';
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

export interface ThroughputSweep {
  readonly byDraws: readonly Throughput[];
  readonly byModels: readonly Throughput[];
  /** What it was measured on. */
  readonly machine: string;
}

/** Draws throughput against draws (left) and against models (right); draws a second on a logarithmic axis. */
export function drawThroughput({ byDraws, byModels, machine }: ThroughputSweep, options: DrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const points: Point[] = [
    ...byDraws.map((row) => ({ slot: `${short(row.draws)} draws`, group: 'draws' as const, row })),
    ...byModels.map((row) => ({ slot: `${row.models} models`, group: 'models' as const, row })),
  ];
  const slots = (group: Point['group']) => [
    ...new Set(points.filter((point) => point.group === group).map(({ slot }) => slot)),
  ];
  const works = unique(points.map(({ row }) => row.work));
  const machines = unique(points.map(({ row }) => machineOf(row)));
  const colourOf = (row: Throughput): string => c[SERIES[machines.indexOf(machineOf(row)) % SERIES.length]!];
  const solid = (row: Throughput): boolean => row.work === works[0];
  const series = unique(points.map(({ row }) => seriesOf(row))).map(
    (name) => points.find(({ row }) => seriesOf(row) === name)!.row,
  );
  const speeds = points.map(({ row }) => Math.log10(row.draws_per_second));
  const [low, high] = [Math.floor(Math.min(...speeds)), Math.ceil(Math.max(...speeds))];
  const decades = Array.from({ length: high - low + 1 }, (_, k) => 10 ** (low + k));
  const models = byDraws[0]?.models ?? 0;
  const draws = byModels[0]?.draws ?? 0;
  const channels = {
    x: 'slot',
    y: ({ row }: Point) => row.draws_per_second,
    z: ({ row, group }: Point) => `${group} ${seriesOf(row)}`,
  };
  const colour = ({ row }: Point) => colourOf(row);
  const groups = (['draws', 'models'] as const).flatMap((name) => {
    const own = slots(name);
    return own.length === 0 ? [] : [{ name, middle: own[own.length >> 1] }];
  });
  return drawFigure(look, {
    title: 'Resampling throughput',
    subtitle: `Draws a second with all a leaderboard asks: more draws of ${models} models, then more models at ${short(draws)} draws.`,
    caption: machine,
    legend: series.map((row) => ({
      label: seriesOf(row),
      colour: colourOf(row),
      mark: solid(row) ? 'line' : 'dash',
    })),
    parts: [
      {
        height: Math.round(0.36 * size.width + 8 * size.text),
        plot: {
          marginLeft: size.margin + Math.round(4.3 * size.text),
          marginRight: size.margin + 4,
          marginTop: size.text,
          marginBottom: axisHeight(look, true),
          x: {
            type: 'point',
            label: null,
            domain: [...slots('draws'), '', ...slots('models')],
            tickFormat: (slot: string) => slot.split(' ')[0]!,
          },
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
                  strokeWidth: 2 * size.mark,
                  strokeDasharray: whole ? undefined : '4,3',
                },
              ),
            ),
            Plot.dot(points, { ...channels, fill: colour, r: 3.5 * size.mark }),
            Plot.text(groups, {
              x: 'middle',
              text: 'name',
              frameAnchor: 'bottom',
              dy: axisHeight(look, true) - 3,
              fill: c.ink,
            }),
          ],
        },
      },
    ],
  });
}
