import * as Plot from '@observablehq/plot';
import { FIGURE_WIDTH, renderFigure, themeColours } from '../../draw/figure.js';
import { measured } from '../../draw/text.js';
import { counted, thousands } from '../../util/format.js';
import type { LevelDrawOptions } from '../analysis.js';
import { percent } from '../report.js';
import type { PowerPlan } from './tasks-needed.js';

const LEFT = 72;
const RIGHT = 28;

/** Expected share of resolved pairs against the number of tasks, the pilot marked. */
export function drawPower(results: PowerPlan, { theme, alpha }: LevelDrawOptions): string {
  const { curve, tasks_now: now, pairs } = results;
  const here = curve.filter(({ tasks }) => tasks === now);
  const [first, last] = [curve[0]?.tasks ?? 1, curve.at(-1)?.tasks ?? 1];
  const at = (tasks: number) =>
    LEFT + ((FIGURE_WIDTH - LEFT - RIGHT) * Math.log(tasks / first)) / Math.log(last / first);
  const marks = results.shares.flatMap(({ share, tasks }) => {
    if (tasks === null || tasks < first || tasks > last) return [];
    const text = `${thousands(tasks)} tasks for ${percent(share)}`;
    const start = at(tasks) - 9 - measured(text, 12);
    const crossed = at(tasks) > at(now) && start < at(now) + 4;
    return [{ share, tasks, text, left: start > LEFT && !crossed }];
  });
  const { blue, gold } = themeColours(theme);
  return renderFigure({
    theme,
    height: 360,
    title: 'How many pairs more tasks would resolve',
    subtitle: `Expected share of ${counted(pairs.length, 'pair')} resolved, familywise ${alpha} over ${counted(results.hypotheses, 'test')}. The pilot has ${counted(now, 'task')}: ${percent(here[0]?.share ?? 0)}.`,
    legend: [
      { label: 'expected share', colour: blue, mark: 'line' },
      { label: 'the pilot', colour: gold },
    ],
    caption:
      'Pilot differences are shrunk by their own error and then taken for true; pairs whose difference is no larger than its error are never resolved. Bonferroni, which Holm can only improve on.',
    plot: (colours) => ({
      marginLeft: LEFT,
      marginRight: RIGHT,
      marginTop: 10,
      marginBottom: 38,
      x: { type: 'log', label: 'tasks', ticks: 8, tickFormat: ',d' },
      y: {
        domain: [0, 1],
        label: 'pairs resolved',
        ticks: 5,
        tickFormat: (share: number) => percent(share),
        grid: true,
      },
      marks: [
        Plot.ruleX(here, { x: 'tasks', stroke: colours.gold, strokeDasharray: '5,4' }),
        Plot.line(curve, { x: 'tasks', y: 'share', stroke: colours.blue, strokeWidth: 2.5 }),
        Plot.dot(here, { x: 'tasks', y: 'share', r: 5, fill: colours.gold }),
        Plot.dot(marks, { x: 'tasks', y: 'share', r: 3, fill: colours.blue }),
        ...[true, false].map((left) =>
          Plot.text(
            marks.filter((mark) => mark.left === left),
            {
              x: 'tasks',
              y: 'share',
              text: 'text',
              textAnchor: left ? 'end' : 'start',
              fill: colours.ink,
              stroke: colours.background,
              strokeWidth: 4,
              dx: left ? -9 : 9,
              dy: left ? -7 : 9,
            },
          ),
        ),
      ],
    }),
  });
}
