import { fixed } from '../../util/format.js';
import type { ComparedPair } from '../compared-pair.js';

/** How strong the colour of a cell is, by its part of the largest difference; a number has to be read upon it. */
const shade = (part: number, written: boolean): number => 0.15 + (written ? 0.4 : 0.85) * part;

export const isEstablished = ({ decision }: Pick<ComparedPair, 'decision'>): boolean =>
  decision === 'higher' || decision === 'lower';

interface PairCellsProps {
  /** By row: the pairs of a model with those below it, in their order. */
  readonly cells: readonly (readonly ComparedPair[])[];
  /** Of a cell, pixels. */
  readonly wide: number;
  readonly high: number;
  /** The largest difference of those told apart. */
  readonly most: number;
  /** Decimal places of numbers; null where there is no room for any. */
  readonly places: number | null;
}

/** A cell for each pair: how far apart in a number and a colour, outlined where it is not established. */
export const PairCells = ({ cells, wide, high, most, places }: PairCellsProps) => (
  <>
    {cells.map((line, i) =>
      line.map((cell, k) => {
        const j = i + 1 + k;
        const apart = isEstablished(cell);
        return (
          <g key={j}>
            <rect
              class={apart ? 'apart' : cell.decision}
              x={i * wide + 1}
              y={j * high + 1}
              width={wide - 2}
              height={high - 2}
              fill-opacity={apart ? shade(Math.abs(cell.difference) / most, places !== null) : 1}
            />
            {places !== null && (
              <text class="inside" x={(i + 0.5) * wide} y={(j + 0.5) * high + 4} text-anchor="middle">
                {fixed(cell.difference, places)}
              </text>
            )}
          </g>
        );
      }),
    )}
  </>
);
