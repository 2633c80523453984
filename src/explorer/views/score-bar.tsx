import type { Axis } from '../interval-axis.js';
import { AXIS_ROOM, AxisNumbers, Grid } from './interval-row.js';

const HEIGHT = 24;

interface ScoreBarProps {
  readonly axis: Axis;
  readonly value: number;
  /** Values of all, as ticks. */
  readonly others: readonly number[];
  readonly places: number;
}

/** A value as a dot among the ticks of all. */
export function ScoreBar({ axis, value, others, places }: ScoreBarProps) {
  const x = (at: number) => axis.at(at) + AXIS_ROOM;
  const y = HEIGHT / 2;
  return (
    <svg width={axis.width + 2 * AXIS_ROOM} height={HEIGHT} role="img" aria-label={value.toFixed(places)}>
      <Grid {...{ axis, height: HEIGHT }} />
      {[...new Set(others)].map((other) => (
        <line key={other} class="other" x1={x(other)} x2={x(other)} y1={y - 5} y2={y + 5} />
      ))}
      <circle class="point" cx={x(value)} cy={y} r={4} />
    </svg>
  );
}

ScoreBar.Numbers = AxisNumbers;
