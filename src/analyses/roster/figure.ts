import * as Plot from '@observablehq/plot';
import { rankedNames, rightValues, rowPlot } from '../../draw/axis.js';
import { drawFigure, type FigurePart } from '../../draw/frame.js';
import { type DrawOptions, type Look, lookOf } from '../../draw/look.js';
import { percent, type RankedModel } from '../analysis.js';
import { keptRows, type RosterResults } from './omission.js';

/** What is left of the task set without one model. */
interface Kept {
  readonly label: string;
  readonly share: number;
  readonly leaderKept: boolean;
}

interface Row extends Kept {
  readonly at: number;
}

/** Where the axis may begin: near all of it where little is lost, so that small losses show. */
const STARTS = [0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25];

function keptPart(look: Look, kept: readonly Kept[], heading?: string): FigurePart {
  const { size, colours: c } = look;
  const rows = kept.map((row, at) => ({ ...row, at }));
  const share = (row: Row) => percent(row.share, 1);
  const least = Math.min(...rows.map((row) => row.share));
  const start = STARTS.find((value) => value <= least) ?? 0;
  const values = rightValues(look, rows.map(share));
  const plot = rowPlot(look, { names: rows.map(({ label }) => label), right: values.room, titled: false });
  return {
    heading,
    legend: [
      { label: 'the same lead among the others', colour: c.blue },
      { label: 'the lead changes', colour: c.blue, mark: 'ring' },
    ],
    height: plot.height,
    plot: {
      ...plot.margins,
      x: { label: null, domain: [start, 1], tickFormat: '%', ticks: 3, grid: true },
      y: plot.y,
      color: { type: 'identity' },
      marks: [
        Plot.ruleY(rows, { y: 'at', x1: 1, x2: 'share', stroke: c.blue, strokeWidth: 1.8 * size.mark }),
        Plot.dot(rows, {
          x: 'share',
          y: 'at',
          r: 4 * size.mark,
          stroke: c.blue,
          strokeWidth: 1.8 * size.mark,
          fill: (row: Row) => (row.leaderKept ? c.blue : c.background),
        }),
        values.mark(rows, share),
      ],
    },
  };
}

/** Draws the share of the tasks kept without each model, by rank; no part where none was left out. */
export function rosterPart(look: Look, result: RosterResults, models: readonly RankedModel[]): FigurePart[] {
  const rows = keptRows(result, models);
  const names = rankedNames(rows);
  return rows.length === 0
    ? []
    : [
        keptPart(
          look,
          rows.map((row, i) => ({ ...row, label: names[i]! })),
          `Share of the ${result.tasks} tasks kept without a model`,
        ),
      ];
}

/** Draws the roster analysis, the model that costs most tasks first (analyses 3). */
export function drawRoster({ omissions, tasks }: RosterResults, options: DrawOptions): string {
  const look = lookOf(options);
  const rows = omissions
    .toSorted((a, b) => a.kept_tasks - b.kept_tasks)
    .map((row) => ({ label: row.omitted, share: row.kept_share, leaderKept: row.leader_kept }));
  return drawFigure(look, {
    title: 'What one model decides about the task set',
    subtitle: `Share of the ${tasks} selected tasks that stay when a model is left out.`,
    parts: [keptPart(look, rows)],
  });
}
