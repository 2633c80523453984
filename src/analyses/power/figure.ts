import * as Plot from '@observablehq/plot';
import { axisHeight } from '../../draw/axis.js';
import { drawFigure } from '../../draw/frame.js';
import { lookOf } from '../../draw/look.js';
import { measured } from '../../draw/text.js';
import { counted, thousands } from '../../util/format.js';
import { type LevelDrawOptions, percent } from '../analysis.js';
import type { PowerResult } from './pilot.js';

/** Space between a point and the text beside it. */
const BESIDE = 9;

/** Draws the expected share of resolved pairs against the number of tasks, the pilot marked. */
export function drawPower(plan: PowerResult, options: LevelDrawOptions): string {
  const look = lookOf(options);
  const { size, colours: c } = look;
  const { curve, tasks_now: now, pairs } = plan;
  const left = size.margin + Math.round(4.3 * size.text);
  const right = size.margin + 8;
  const here = curve.filter(({ tasks }) => tasks === now);
  const [first, last] = [curve[0]?.tasks ?? 1, curve.at(-1)?.tasks ?? 1];
  const at = (tasks: number) => left + ((size.width - left - right) * Math.log(tasks / first)) / Math.log(last / first);
  const marks = plan.shares.flatMap(({ share, tasks }) => {
    if (tasks === null || tasks < first || tasks > last) return [];
    const text = `${thousands(tasks)} tasks for ${percent(share)}`;
    const start = at(tasks) - BESIDE - measured(text, size.text);
    const crossed = at(tasks) > at(now) && start < at(now) + 4;
    const fitsAfter = at(tasks) + BESIDE + measured(text, size.text) < size.width - size.margin;
    return [{ share, tasks, text, before: start > left && !(crossed && fitsAfter) }];
  });
  return drawFigure(look, {
    title: 'How many pairs more tasks would resolve',
    subtitle: `Expected share of ${counted(pairs.length, 'pair')} resolved, familywise ${options.alpha} over ${counted(plan.hypotheses, 'test')}. The pilot has ${counted(now, 'task')}: ${percent(here[0]?.share ?? 0)}.`,
    legend: [
      { label: 'expected share', colour: c.blue, mark: 'line' },
      { label: 'the pilot', colour: c.gold },
    ],
    caption:
      'Pilot differences are shrunk by their own error and then taken for true; pairs whose difference is no larger than its error are never resolved. Bonferroni, which Holm can only improve on.',
    parts: [
      {
        height: Math.round(0.36 * size.width + 8 * size.text),
        plot: {
          marginLeft: left,
          marginRight: right,
          marginTop: size.text,
          marginBottom: axisHeight(look, true),
          x: { type: 'log', label: 'tasks', ticks: Math.round(size.width / 90), tickFormat: ',d' },
          y: {
            domain: [0, 1],
            label: 'pairs resolved',
            ticks: 5,
            tickFormat: (share: number) => percent(share),
            grid: true,
          },
          marks: [
            Plot.ruleX(here, { x: 'tasks', stroke: c.gold, strokeDasharray: '5,4', strokeWidth: 1.5 * size.mark }),
            Plot.line(curve, { x: 'tasks', y: 'share', stroke: c.blue, strokeWidth: 2.5 * size.mark }),
            Plot.dot(here, { x: 'tasks', y: 'share', r: 5 * size.mark, fill: c.gold }),
            Plot.dot(marks, { x: 'tasks', y: 'share', r: 3.4 * size.mark, fill: c.blue }),
            ...[true, false].map((before) =>
              Plot.text(
                marks.filter((mark) => mark.before === before),
                {
                  x: 'tasks',
                  y: 'share',
                  text: 'text',
                  textAnchor: before ? 'end' : 'start',
                  fill: c.ink,
                  stroke: c.background,
                  strokeWidth: 4,
                  dx: before ? -BESIDE : BESIDE,
                  dy: before ? -7 : BESIDE,
                },
              ),
            ),
          ],
        },
      },
    ],
  });
}
