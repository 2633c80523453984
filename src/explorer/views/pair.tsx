import { useMemo } from 'preact/hooks';
import { byRank } from '../../inference/model-ranks.js';
import type { Inference } from '../../inference/result.js';
import { coverageText, fixed, general, thousands } from '../../util/format.js';
import { comparedPair, differencePlaces, kindWords, pairWords } from '../compared-pair.js';
import { axisOver } from '../interval-axis.js';
import { usePageRoom } from '../page-room.js';
import { saidName } from '../said-name.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';
import { TaskScatter } from './task-scatter.js';

/** Two models side by side: what may be said, the numbers behind it, and the tasks that separate them. */
export function Pair({ result: { inference, matrix, absent = null }, address: { left, right }, go }: RankedProps) {
  const { models } = inference;
  const order = useMemo(() => byRank(models), [models]);
  if (models.length < 2) return <p>One model: there is nothing to compare.</p>;
  const indexOf = (id: string) => models.findIndex(({ modelId }) => modelId === id);
  const a = indexOf(left) < 0 ? order[0]!.index : indexOf(left);
  const given = indexOf(right);
  const b = given < 0 || given === a ? order.find(({ index }) => index !== a)!.index : given;
  const chooser = (label: string, chosen: number, other: number, change: (id: string) => void) => (
    <label>
      {label}{' '}
      <select value={models[chosen]!.modelId} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {order
          .filter(({ index }) => index !== other)
          .map(({ modelId, name }) => (
            <option key={modelId} value={modelId}>
              {name}
            </option>
          ))}
      </select>
    </label>
  );
  const numbers = (
    <div>
      <PairNumbers {...{ inference, a, b }} />
      <p class="muted cannot">
        What is said of the two holds for tasks like these. It does not say why they differ, and no p is the probability
        that they are equal.
      </p>
    </div>
  );
  return (
    <>
      <p class="choosers">
        {chooser('First', a, b, (id) => go({ left: id, right: models[b]!.modelId }))}
        {chooser('Second', b, a, (id) => go({ left: models[a]!.modelId, right: id }))}
        <button type="button" onClick={() => go({ left: models[b]!.modelId, right: models[a]!.modelId })}>
          Swap
        </button>
      </p>
      {pairWords(inference, matrix, a, b).map((words) => (
        <p key={words} class="pair-words">
          {words}
        </p>
      ))}
      {matrix ? (
        <div class="facing">
          {numbers}
          <TaskScatter {...{ matrix, absent, a, b, names: [saidName(models[a]!.name), saidName(models[b]!.name)] }} />
        </div>
      ) : (
        <>
          {numbers}
          <p class="muted">
            The scores of single tasks are not at hand, so the tasks that separate the two cannot be shown.
          </p>
        </>
      )}
    </>
  );
}

/** A least p: with hundreds of clusters it is smaller than a number of this machine can be. */
const leastText = (floor: number) => (floor < 1e-300 ? 'below 1e-300' : general(floor, 3));

function PairNumbers({ inference, a, b }: { readonly inference: Inference; readonly a: number; readonly b: number }) {
  const { plan } = inference;
  const compared = comparedPair(inference, a, b);
  const { difference, interval, p, adjusted, record } = compared;
  const places = differencePlaces(compared);
  const dz = record?.dz == null ? null : a < b ? record.dz : 0 - record.dz;
  const control = plan.multiplicity === 'max-t' ? 'step-down max-T' : 'Holm';
  const rows: (readonly [string, string])[] = [
    ['First minus second', `${fixed(difference, places)} points`],
    ...(dz === null ? [] : [['Effect size dz: over how tasks vary', fixed(dz, 2)] as const]),
    ...(interval
      ? [
          [
            `Interval at ${coverageText(plan.alpha)}, this pair alone`,
            `${fixed(interval[0], places)} to ${fixed(interval[1], places)}`,
          ] as const,
        ]
      : []),
    [
      `p (${plan.test === 'centred' ? 'centred' : 'paired'} sign flips${record ? `, ${kindWords(record, plan)}` : ''})`,
      general(p, 3),
    ],
    [`Adjusted p (${control})`, general(adjusted, 3)],
    ...(record?.verdict
      ? [
          ['Clusters in which they differ', thousands(record.verdict.differingClusters)] as const,
          ['Least p that these could give', leastText(record.verdict.floor)] as const,
        ]
      : []),
    ...(record?.equalWithin
      ? [[`Equal within ${plan.margin} points`, record.equalWithin.equal ? 'yes' : 'not shown'] as const]
      : []),
  ];
  return (
    <>
      {interval && <DifferenceBar {...{ difference, interval, places }} />}
      <Scroll label="Numbers of the two">
        <table class="facts">
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {interval && interval[0] === interval[1] && (
        <p class="muted cannot">
          The interval has no width, as the difference is the same in every draw, which does not make it certain.
        </p>
      )}
    </>
  );
}

interface DifferenceBarProps {
  readonly difference: number;
  readonly interval: readonly [number, number];
  readonly places: number;
}

/** The difference with its interval, and where zero is. */
function DifferenceBar({ difference, interval, places }: DifferenceBarProps) {
  const room = usePageRoom();
  const width = room.narrow ? 270 : 520;
  const axis = axisOver([0, difference, ...interval], width, room.narrow ? 4 : 7);
  const x = (value: number) => axis.at(value) + 30;
  const label = `difference ${fixed(difference, places)}, interval ${fixed(interval[0], places)} to ${fixed(interval[1], places)}`;
  return (
    <svg class="bar" viewBox={`0 0 ${width + 60} 74`} role="img" aria-label={label}>
      {axis.ticks.map(({ at, text }) => (
        <g key={at}>
          <line class="grid" x1={at + 30} x2={at + 30} y1={4} y2={36} />
          <text class="tick" x={at + 30} y={52} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
      <line class="zero" x1={x(0)} x2={x(0)} y1={2} y2={38} />
      <text class="tick" x={30 + width / 2} y={69} text-anchor="middle">
        first minus second, points; dashed: no difference
      </text>
      <line class="inner" x1={x(interval[0])} x2={x(interval[1])} y1={20} y2={20} />
      <circle class="point" cx={x(difference)} cy={20} r={5} />
    </svg>
  );
}
