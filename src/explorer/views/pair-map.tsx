import { useMemo } from 'preact/hooks';
import type { PairLook } from '../pair-runs.js';

/** How strong the colour of a step is: the faintest stands clear of pairs that are not told apart, which have none. */
const shade = (part: number): number => 0.3 + 0.7 * part;

interface PairMapProps {
  readonly looks: readonly PairLook[];
  /** How many models there are. */
  readonly models: number;
  /** Side of a pair, pixels. */
  readonly side: number;
}

/** Pairs of many models as a picture: one path a look, within the outline of all. */
export function PairMap({ looks, models, side }: PairMapProps) {
  const paths = useMemo(
    () =>
      looks.map(({ decision, part, runs }) => {
        const rectangles = runs.map(
          ({ row, from, to }) => `M${from * side} ${row * side}h${(to - from) * side}v${side}h${(from - to) * side}z`,
        );
        const apart = decision === 'higher';
        return (
          <path
            key={`${decision} ${part}`}
            class={apart ? 'apart' : `many ${decision}`}
            fill-opacity={apart ? shade(part) : undefined}
            d={rectangles.join('')}
          />
        );
      }),
    [looks, side],
  );
  return (
    <>
      {paths}
      <path class="outline" d={`M0 ${side}V${models * side}H${(models - 1) * side}z`} />
    </>
  );
}
