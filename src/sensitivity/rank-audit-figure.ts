import * as Plot from '@observablehq/plot';
import { renderFigure, type Theme } from '../util/figure.js';
import type { RankAudit } from './rank-audit.js';
import { nameMargin, shortName } from './report.js';

export interface RankAuditFigureOptions {
  readonly audit: RankAudit;
  readonly theme: Theme;
  readonly alpha: number;
}

/** Rank intervals of all models, tie groups told apart by bands. */
export function rankAuditFigure({ audit, theme, alpha }: RankAuditFigureOptions): string {
  const rows = audit.models.map((row) => ({ ...row, y: row.rank, name: shortName(row.model) }));
  const bands = audit.tie_groups.map((_, g) => {
    const ranks = rows.filter(({ group }) => group === g + 1).map(({ rank }) => rank);
    return { y1: Math.min(...ranks) - 0.5, y2: Math.max(...ranks) + 0.5, odd: g % 2 === 0 };
  });
  const names = new Map(rows.map(({ rank, name }) => [rank, name]));
  const percent = Number((100 * (1 - alpha)).toPrecision(6));
  return renderFigure({
    theme,
    width: 760,
    height: 50 + 20 * rows.length,
    title: 'Which ranks the data support',
    subtitle: `Bars: ranks inside the ${percent}% bootstrap interval. Dots: the point order. ${audit.separable_steps} of ${Math.max(0, rows.length - 1)} steps and ${audit.separable_pairs} of ${audit.pairs} pairs are separable.`,
    caption: `${audit.tasks} tasks in ${audit.clusters} clusters. Bands are tie groups: no two models inside one can be told apart (Holm, familywise ${alpha}); models of different groups may still be unresolved.`,
    plot: (colours) => ({
      marginLeft: nameMargin(rows.map(({ name }) => name)),
      marginRight: 24,
      marginTop: 6,
      marginBottom: 40,
      x: { label: null, domain: [0.5, rows.length + 0.5], ticks: [] },
      y: { label: null, domain: [rows.length + 0.5, 0.5], ticks: [] },
      marks: [
        Plot.rect(
          bands.filter(({ odd }) => odd),
          { x1: 0.5, x2: rows.length + 0.5, y1: 'y1', y2: 'y2', fill: colours.grid },
        ),
        Plot.axisX({
          label: 'rank',
          labelAnchor: 'center',
          labelArrow: 'none',
          ticks: ticksOf(rows.length),
          tickSize: 0,
          tickFormat: 'd',
        }),
        Plot.axisY({
          ticks: rows.map(({ rank }) => rank),
          tickSize: 0,
          tickFormat: (rank: number) => names.get(rank) ?? '',
        }),
        Plot.ruleY(rows, {
          x1: (row) => row.rank_low - 0.3,
          x2: (row) => row.rank_high + 0.3,
          y: 'y',
          stroke: colours.blue,
          strokeWidth: 5,
          strokeOpacity: 0.45,
          strokeLinecap: 'round',
        }),
        Plot.dot(rows, { x: 'rank', y: 'y', r: 3.5, fill: colours.ink }),
      ],
    }),
  });
}

/** About ten whole ranks, the first and the last among them. */
function ticksOf(n: number): number[] {
  const step = Math.max(1, Math.ceil(n / 10));
  const ticks = Array.from({ length: n }, (_, i) => i + 1).filter((k) => (k - 1) % step === 0);
  return ticks.includes(n) ? ticks : [...ticks, n];
}
