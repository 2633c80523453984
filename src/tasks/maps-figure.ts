import * as Plot from '@observablehq/plot';
import { renderFigure, type Theme, themeColours } from '../draw/figure.js';
import { fittedApart, signed } from '../draw/text.js';
import { fixed } from '../util/format.js';
import type { MapComparison, TaskAgreement } from './maps-compare.js';

const FAMILY_NAMES: Readonly<Record<string, string>> = {
  substitution: 'Substitution',
  pairing: 'Pairing',
  constraint: 'Constraint',
  cultural_composition: 'Regional',
};

export interface AgreementFigureRequest {
  readonly comparison: MapComparison;
  /** What the two sides are called. */
  readonly names: readonly [string, string];
  readonly theme: Theme;
}

/** Space for the names of families. */
const LABEL = 104;

interface Median {
  readonly family: string;
  readonly median: number;
}

/** Width of a bin of rank correlation. */
const BIN = 0.05;

interface Cell {
  readonly family: string;
  readonly low: number;
  readonly same: boolean;
  readonly count: number;
}

/** Tasks by family, bin of rank correlation, and whether the optimum agrees. */
function cells(tasks: readonly TaskAgreement[]): Cell[] {
  const counts = new Map<string, Cell>();
  for (const { family, rank, sameOptima } of tasks) {
    if (rank === null) continue;
    const low = Math.min(Math.floor((rank + 1e-9) / BIN), Math.round(1 / BIN) - 1);
    const key = `${family} ${low} ${sameOptima}`;
    const before = counts.get(key)?.count ?? 0;
    counts.set(key, { family, low: low * BIN, same: sameOptima, count: before + 1 });
  }
  return [...counts.values()].sort((a, b) => Number(b.same) - Number(a.same) || a.low - b.low);
}

/** Rank correlation of every task by family, coloured by whether the optimum is the same (analyses 7). */
export function agreementFigure(request: AgreementFigureRequest): string {
  const { comparison, names, theme } = request;
  const { summary, byFamily } = comparison;
  const families = [...byFamily.keys()];
  const shown = fittedApart(
    families.map((family) => FAMILY_NAMES[family] ?? family),
    12,
    LABEL,
  );
  const named = (family: string): string => shown[families.indexOf(family)]!;
  const binned = cells(comparison.tasks).map((cell) => ({ ...cell, family: named(cell.family) }));
  const lowest = Math.floor(10 * Math.min(0.5, ...binned.map(({ low }) => low))) / 10;
  const medians: Median[] = families.map((family) => ({
    family: named(family),
    median: byFamily.get(family)!.rank_median,
  }));
  return renderFigure({
    theme,
    height: 60 + 130 * families.length,
    title: `How the maps of ${names[1]} agree with ${names[0]}`,
    subtitle: `Rank correlation of the scores of all portfolios, task by task; ${summary.tasks} tasks. Median ${fixed(summary.rank_median, 3)}; the optimum is the same in ${fixed(100 * summary.same_optimum_rate, 1)}%.`,
    legend: [
      { label: 'same optimum', colour: colourOf(theme).same, mark: 'square' },
      { label: 'another optimum', colour: colourOf(theme).other, mark: 'square' },
      { label: 'median of the family', colour: colourOf(theme).median, mark: 'line' },
    ],
    caption: `Bars count tasks in steps of ${BIN}. A task whose map is constant has no correlation and is left out.`,
    plot: (colours) => ({
      marginLeft: 20 + LABEL + 36,
      marginRight: 24,
      marginTop: 10,
      marginBottom: 38,
      x: { label: 'rank correlation', domain: [lowest, 1], ticks: 8, grid: true },
      y: { label: null, ticks: 3, nice: true },
      fy: { label: null, domain: families.map(named), padding: 0.18, axis: null },
      marks: [
        Plot.rectY(binned, {
          fy: 'family',
          x1: 'low',
          x2: (cell: Cell) => cell.low + BIN,
          y: 'count',
          fill: (cell: Cell) => (cell.same ? colours.teal : colours.gold),
          insetLeft: 0.5,
          insetRight: 0.5,
        }),
        Plot.ruleX(medians, { fy: 'family', x: 'median', stroke: colours.ink, strokeWidth: 2 }),
        Plot.ruleY([0], { stroke: colours.muted }),
        ...[
          { dy: -8, text: ({ family }: Median) => family },
          { dy: 8, text: ({ median }: Median) => signed(`median ${fixed(median, 3)}`) },
        ].map(({ dy, text }) =>
          Plot.text(medians, {
            fy: 'family',
            text,
            frameAnchor: 'left',
            textAnchor: 'end',
            dx: -36,
            dy,
            fill: colours.ink,
          }),
        ),
      ],
    }),
  });
}

function colourOf(theme: Theme): { same: string; other: string; median: string } {
  const { teal, gold, ink } = themeColours(theme);
  return { same: teal, other: gold, median: ink };
}
