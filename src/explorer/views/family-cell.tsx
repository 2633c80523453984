import type { Axis } from '../interval-axis.js';
import { AXIS_ROOM, Grid } from './interval-row.js';

const HEIGHT = 24;

interface FamilyCellProps {
  readonly axis: Axis;
  readonly value: number;
  readonly chance: number | undefined;
  readonly places: number;
}

/** The score of a family as a number and as a dot on the axis of the families. */
export function FamilyCell({ axis, value, chance, places }: FamilyCellProps) {
  const x = (at: number) => axis.at(at) + AXIS_ROOM;
  return (
    <span class="family">
      <svg width={axis.width + 2 * AXIS_ROOM} height={HEIGHT} aria-hidden="true">
        <Grid {...{ axis, height: HEIGHT }} />
        {chance !== undefined && <line class="chance" x1={x(chance)} x2={x(chance)} y1={0} y2={HEIGHT} />}
        <circle class="dot" cx={x(value)} cy={HEIGHT / 2} r={3.5} />
      </svg>
      <span>{value.toFixed(places)}</span>
    </span>
  );
}
