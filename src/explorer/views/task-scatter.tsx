import { useMemo } from 'preact/hooks';
import type { ScoreMatrix } from '../../core/matrix.js';
import { widest } from '../../draw/text.js';
import { counted, fixed, placesFor, thousands } from '../../util/format.js';
import { axisOver, boundsOf } from '../interval-axis.js';
import { saidName } from '../said-name.js';
import { type SeparatingTasks, separatingTasks, type TaskValues, taskValues, valueMarks } from '../separating-tasks.js';
import { Scroll } from './scroll.js';

const SIDE = 300;
/** Radius of the largest mark; numbers of the axes stand clear of it. */
const MARK = 12;
const BOTTOM = 34 + MARK;
const TOP = MARK;
/** Letters of the numbers, pixels. */
const LETTER = 12;

export interface TaskScatterProps {
  readonly matrix: ScoreMatrix;
  /** Cells without a value; null where there are none. */
  readonly absent: Uint8Array | null;
  readonly a: number;
  readonly b: number;
  /** Of the first and of the second model. */
  readonly names: readonly [string, string];
}

/** Every task as a mark where the two models score on it; and the tasks that separate them most. */
export function TaskScatter({ matrix, absent, a, b, names }: TaskScatterProps) {
  const rows = useMemo(() => taskValues(matrix, a, b, absent), [matrix, absent, a, b]);
  const without = matrix.tasks.length - rows.length;
  const { marks, near } = useMemo(() => valueMarks(rows), [rows]);
  const axis = axisOver(boundsOf(matrix) ?? rows.flatMap(({ first, second }) => [first, second]), SIDE);
  const left =
    30 +
    MARK +
    widest(
      axis.ticks.map(({ text }) => text),
      LETTER,
    );
  const most = marks[0]?.tasks ?? 1;
  const above = rows.filter(({ first, second }) => first > second).length;
  const below = rows.filter(({ first, second }) => first < second).length;
  const label = `${counted(above, 'task')} higher for ${names[0]}, ${thousands(below)} for ${names[1]}, ${thousands(rows.length - above - below)} equal`;
  const x = (value: number) => left + axis.at(value);
  const y = (value: number) => TOP + SIDE - axis.at(value);
  return (
    <section>
      <h3>Task by task</h3>
      <p>
        {label}.
        {without > 0 &&
          ` ${counted(without, 'task')} without a score of one of the two ${without === 1 ? 'is' : 'are'} left out here.`}
      </p>
      <div class="side">
        <svg class="scatter" viewBox={`0 0 ${left + SIDE + 16} ${TOP + SIDE + BOTTOM}`} role="img" aria-label={label}>
          {axis.ticks.map(({ at, text }) => (
            <g key={at}>
              <line class="grid" x1={left + at} x2={left + at} y1={TOP} y2={TOP + SIDE} />
              <line class="grid" x1={left} x2={left + SIDE} y1={TOP + SIDE - at} y2={TOP + SIDE - at} />
              <text class="tick" x={left + at} y={TOP + SIDE + MARK + 12} text-anchor="middle">
                {text}
              </text>
              <text class="tick" x={left - MARK - 4} y={TOP + SIDE - at + 4} text-anchor="end">
                {text}
              </text>
            </g>
          ))}
          <line class="zero" x1={left} x2={left + SIDE} y1={TOP + SIDE} y2={TOP} />
          {marks.map(({ first, second, tasks }) => (
            <circle
              key={`${first} ${second}`}
              class={first > second ? 'first' : first < second ? 'second' : 'same'}
              cx={x(second)}
              cy={y(first)}
              r={3 + (MARK - 3) * Math.sqrt(most > 1 ? tasks / most : 0.05)}
            >
              <title>{counted(tasks, 'task')}</title>
            </circle>
          ))}
          <text class="tick" x={left + SIDE / 2} y={TOP + SIDE + MARK + 31} text-anchor="middle">
            {shortened(names[1])}
          </text>
          <text
            class="tick"
            x={14}
            y={TOP + SIDE / 2}
            text-anchor="middle"
            transform={`rotate(-90 14 ${TOP + SIDE / 2})`}
          >
            {shortened(names[0])}
          </text>
        </svg>
        <div>
          <Separating title={`Tasks that speak most for ${names[0]}`} {...separatingTasks(rows, LISTED)} />
          <Separating title={`Tasks that speak most for ${names[1]}`} {...separatingTasks(rows.map(swapped), LISTED)} />
        </div>
      </div>
      <p class="muted">
        Above the line the first model is higher. A larger mark stands for more tasks
        {near ? ', whose values lie near one another: at their mean' : ''}. Tasks of one cluster stand or fall together,
        so many marks on one side need not be much evidence: the test counts clusters.
      </p>
    </section>
  );
}

const swapped = ({ first, second, ...row }: TaskValues): TaskValues => ({ ...row, first: second, second: first });

/** Letters of a name along an axis at most. */
const NAME = 34;
const shortened = (name: string) => (name.length > NAME ? `${name.slice(0, NAME - 12)}…${name.slice(-11)}` : name);

/** Tasks that a list shows. */
const LISTED = 6;

/** Says of what a list leaves out how it stands to what is in it. */
function othersWords(alike: number, less: number): string {
  const equal =
    alike > 0 ? [`${thousands(alike)} more ${alike === 1 ? 'speaks' : 'speak'} as much as the last one`] : [];
  return [...equal, ...(less > 0 ? [`${thousands(less)} more speak${less === 1 ? 's' : ''} less`] : [])].join('; ');
}

function Separating({ title, tasks: rows, alike, less }: SeparatingTasks & { readonly title: string }) {
  if (rows.length === 0) return null;
  const values = rows.flatMap(({ first, second }) => [first, second]);
  const places = values.every(Number.isInteger) ? 0 : placesFor(values);
  return (
    <Scroll label={title}>
      <table class="facts">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">This one</th>
            <th scope="col">The other</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ task, first, second }) => (
            <tr key={task}>
              <th scope="row">{saidName(task)}</th>
              <td class="number">{fixed(first, places)}</td>
              <td class="number">{fixed(second, places)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {alike + less > 0 && <p class="muted">{othersWords(alike, less)}.</p>}
    </Scroll>
  );
}
