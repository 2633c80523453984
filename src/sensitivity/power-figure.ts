import * as Plot from '@observablehq/plot';
import { renderFigure, type Theme, themeColours } from '../util/figure.js';
import type { PowerPlan } from './power.js';
import { percent } from './report.js';

export interface PowerFigureOptions {
  readonly plan: PowerPlan;
  readonly theme: Theme;
  readonly alpha: number;
}

/** Expected share of resolved pairs against the number of tasks, the pilot marked. */
export function powerFigure({ plan, theme, alpha }: PowerFigureOptions): string {
  const { curve, tasks_now: now, pairs } = plan;
  const here = curve.filter(({ tasks }) => tasks === now);
  const marks = plan.shares.filter(
    (row): row is { share: number; tasks: number } =>
      row.tasks !== null &&
      row.tasks >= (curve[0]?.tasks ?? 0) &&
      row.tasks <= (curve.at(-1)?.tasks ?? 0),
  );
  return renderFigure({
    theme,
    width: 760,
    height: 380,
    title: 'How many pairs more tasks would resolve',
    subtitle: `Expected share of ${pairs.length} pair${pairs.length === 1 ? '' : 's'} resolved, familywise ${alpha} over ${plan.hypotheses} tests. The pilot has ${now} tasks: ${percent(here[0]?.share ?? 0)}.`,
    legend: [
      { label: 'expected share', colour: colourOf(theme).line, mark: 'line' },
      { label: 'the pilot', colour: colourOf(theme).pilot },
    ],
    caption:
      'Pilot differences are shrunk by their own error and then taken for true; pairs whose difference is no larger than its error are never resolved. Bonferroni, which Holm can only improve on.',
    plot: (colours) => ({
      marginLeft: 56,
      marginRight: 28,
      marginTop: 12,
      marginBottom: 44,
      x: { type: 'log', label: null, ticks: [] },
      y: { domain: [0, 1], label: null, ticks: [] },
      marks: [
        Plot.gridY({ ticks: 5, stroke: colours.grid, strokeOpacity: 1 }),
        Plot.axisX({
          label: 'tasks',
          labelAnchor: 'center',
          labelArrow: 'none',
          ticks: 8,
          tickFormat: ',d',
        }),
        Plot.axisY({ ticks: 5, tickSize: 0, tickFormat: (share: number) => percent(share) }),
        Plot.ruleX(here, { x: 'tasks', stroke: colours.gold, strokeDasharray: '4 3' }),
        Plot.line(curve, { x: 'tasks', y: 'share', stroke: colours.blue, strokeWidth: 2.5 }),
        Plot.dot(here, { x: 'tasks', y: 'share', r: 5, fill: colours.gold }),
        Plot.dot(marks, { x: 'tasks', y: 'share', r: 3, fill: colours.blue }),
        Plot.text(marks, {
          x: 'tasks',
          y: 'share',
          text: (row) => `${row.tasks.toLocaleString('en-US')} tasks for ${percent(row.share)}`,
          textAnchor: 'end',
          fill: colours.ink,
          stroke: colours.background,
          strokeWidth: 4,
          dx: -9,
          dy: -7,
        }),
      ],
    }),
  });
}

function colourOf(theme: Theme): { readonly line: string; readonly pilot: string } {
  const { blue, gold } = themeColours(theme);
  return { line: blue, pilot: gold };
}
