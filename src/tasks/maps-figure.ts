import * as Plot from '@observablehq/plot';
import { axisHeight } from '../draw/axis.js';
import { drawFigure } from '../draw/frame.js';
import { type DrawOptions, lookOf } from '../draw/look.js';
import { shortenedDistinctly, signed } from '../draw/text.js';
import { fixed } from '../util/format.js';
import { joinedKey } from '../util/joined.js';
import type { MapComparison, TaskAgreement } from './maps-compare.js';

const FAMILY_NAMES: Readonly<Record<string, string>> = {
  substitution: 'Substitution',
  pairing: 'Pairing',
  constraint: 'Constraint',
  cultural_composition: 'Regional',
};

interface MapsDrawOptions extends DrawOptions {
  /** What the two sides are called. */
  readonly names: readonly [string, string];
}

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
    const key = joinedKey(family, String(low), String(sameOptima));
    const before = counts.get(key)?.count ?? 0;
    counts.set(key, { family, low: low * BIN, same: sameOptima, count: before + 1 });
  }
  return [...counts.values()].sort((a, b) => Number(b.same) - Number(a.same) || a.low - b.low);
}

/** Draws the rank correlation of every task by family, coloured by whether the optimum is the same (analyses 7). */
export function drawMapAgreement(comparison: MapComparison, options: MapsDrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const { names } = options;
  const { summary, byFamily } = comparison;
  const families = [...byFamily.keys()];
  /** Space for the names of families, and for the counts beside them. */
  const [label, counts] = [8.7 * size.text, 3 * size.text];
  const shown = shortenedDistinctly(
    families.map((family) => FAMILY_NAMES[family] ?? family),
    size.text,
    label,
  );
  const named = (family: string): string => shown[families.indexOf(family)]!;
  const binned = cells(comparison.tasks).map((cell) => ({ ...cell, family: named(cell.family) }));
  const lowest = Math.floor(10 * Math.min(0.5, ...binned.map(({ low }) => low))) / 10;
  const medians: Median[] = families.map((family) => ({
    family: named(family),
    median: byFamily.get(family)!.rank_median,
  }));
  const margins = { marginTop: size.text, marginBottom: axisHeight(look, true) };
  return drawFigure(look, {
    title: `How the maps of ${names[1]} agree with ${names[0]}`,
    subtitle: `Rank correlation of the scores of all portfolios, task by task; ${summary.tasks} tasks. Median ${fixed(summary.rank_median, 3)}; the optimum is the same in ${fixed(100 * summary.same_optimum_rate, 1)}%.`,
    legend: [
      { label: 'same optimum', colour: c.teal, mark: 'square' },
      { label: 'another optimum', colour: c.gold, mark: 'square' },
      { label: 'median of the family', colour: c.ink, mark: 'line' },
    ],
    caption: `Bars count tasks in steps of ${BIN}. A task whose map is constant has no correlation and is left out.`,
    parts: [
      {
        height:
          margins.marginTop + margins.marginBottom + Math.round(0.12 * size.width + 3.6 * size.text) * families.length,
        plot: {
          ...margins,
          marginLeft: Math.ceil(size.margin + label + counts),
          marginRight: size.margin + 4,
          x: { label: 'rank correlation', domain: [lowest, 1], ticks: Math.round(size.width / 90), grid: true },
          y: { label: null, ticks: 3, nice: true },
          fy: { label: null, domain: families.map(named), padding: 0.18, axis: null },
          marks: [
            Plot.rectY(binned, {
              fy: 'family',
              x1: 'low',
              x2: (cell: Cell) => cell.low + BIN,
              y: 'count',
              fill: (cell: Cell) => (cell.same ? c.teal : c.gold),
              insetLeft: 0.5,
              insetRight: 0.5,
            }),
            Plot.ruleX(medians, { fy: 'family', x: 'median', stroke: c.ink, strokeWidth: 2 * size.mark }),
            Plot.ruleY([0], { stroke: c.muted }),
            ...[
              { side: -1, text: ({ family }: Median) => family },
              { side: 1, text: ({ median }: Median) => signed(`median ${fixed(median, 3)}`) },
            ].map(({ side, text }) =>
              Plot.text(medians, {
                fy: 'family',
                text,
                frameAnchor: 'left',
                textAnchor: 'end',
                dx: -counts,
                dy: 0.68 * side * size.text,
                fill: c.ink,
              }),
            ),
          ],
        },
      },
    ],
  });
}
