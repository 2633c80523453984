import type { ModelResult } from '../../inference/result.js';
import type { Axis } from '../interval-axis.js';

const HEIGHT = 24;
/** Room at both ends for marks and numbers. */
export const AXIS_ROOM = 14;

/** Score with both intervals: the inner one alone, the outer for all models at once; a thin line where chance is. */
export function IntervalRow({ model, axis, places }: IntervalRowProps) {
  const { score, pointwise, simultaneous, chance } = model;
  const x = (value: number) => axis.at(value) + AXIS_ROOM;
  const y = HEIGHT / 2;
  const range = (ends: readonly number[]) => ends.map((end) => end.toFixed(places)).join(' to ');
  const label = `${score.toFixed(places)}, interval ${range(pointwise)}, with all models at once ${range(simultaneous)}`;
  return (
    <svg width={axis.width + 2 * AXIS_ROOM} height={HEIGHT} role="img" aria-label={label}>
      <Grid {...{ axis, height: HEIGHT }} />
      {chance && <line class="chance" x1={x(chance.score)} x2={x(chance.score)} y1={0} y2={HEIGHT} />}
      <line class="outer" x1={x(simultaneous[0])} x2={x(simultaneous[1])} y1={y} y2={y} />
      <line class="inner" x1={x(pointwise[0])} x2={x(pointwise[1])} y1={y} y2={y} />
      <circle class="point" cx={x(score)} cy={y} r={4} />
    </svg>
  );
}

interface IntervalRowProps {
  readonly model: ModelResult;
  readonly axis: Axis;
  readonly places: number;
}

/** The lines of an axis behind what is drawn on it, in one element: tables have many rows of them. */
export function Grid({ axis, height }: { readonly axis: Axis; readonly height: number }) {
  return <path class="grid" d={axis.ticks.map(({ at }) => `M${at + AXIS_ROOM} 0V${height}`).join('')} />;
}

/** The numbers of an axis, above or below its rows. */
export function AxisNumbers({ axis }: { readonly axis: Axis }) {
  return (
    <svg width={axis.width + 2 * AXIS_ROOM} height={16} aria-hidden="true">
      {axis.ticks.map(({ at, text }) => (
        <text key={at} class="tick" x={at + AXIS_ROOM} y={12} text-anchor="middle">
          {text}
        </text>
      ))}
    </svg>
  );
}
