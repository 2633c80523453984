import { useMemo, useState } from 'preact/hooks';
import { shortenedDistinctly, widest } from '../../draw/text.js';
import { byRank } from '../../inference/model-ranks.js';
import type { ModelResult, PairDecision } from '../../inference/result.js';
import { fixed, general, placesFor } from '../../util/format.js';
import { comparedPair, differencePlaces, isUntestableByDesign } from '../compared-pair.js';
import { between, usePageRoom } from '../page-room.js';
import { PICTURED } from '../result-verdict.js';
import { saidName } from '../said-name.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';

/** Of a cell, pixels. */
const WIDEST = 64;
const HIGHEST = 30;

const WORDS: Readonly<Record<PairDecision, string>> = {
  higher: 'told apart',
  lower: 'told apart',
  open: 'not told apart',
  identical: 'the same total in every cluster',
  untestable: 'too few differences to be told apart, however large',
  untested: 'not compared',
};

/** Of models that no scores on these tasks could tell apart. */
const BY_DESIGN = 'no scores on these tasks could tell them apart';

const hasOrder = ({ decision }: { readonly decision: PairDecision }): boolean =>
  decision === 'higher' || decision === 'lower';

/** How strong the colour of a cell is, by its part of the largest difference; a number has to be read upon it. */
const shade = (part: number, written: boolean): number => 0.15 + (written ? 0.4 : 0.85) * part;

/** Half a matrix of all pairs, best first: how far apart, and whether that is established. */
export function Pairs({ result: { inference }, go }: RankedProps) {
  const order = useMemo(() => byRank(inference.models).slice(0, PICTURED), [inference]);
  const room = usePageRoom();
  const [at, setAt] = useState<readonly [number, number]>([0, 1]);
  const cells = useMemo(
    () => order.map((upper, i) => order.slice(i + 1).map((lower) => comparedPair(inference, upper.index, lower.index))),
    [inference, order],
  );
  if (order.length < 2) return <p>One model: there is nothing to compare.</p>;
  const most = cells
    .flat()
    .reduce((size, cell) => (hasOrder(cell) ? Math.max(size, Math.abs(cell.difference)) : size), 0);
  const largest = cells.flat().reduce((size, { difference }) => Math.max(size, difference), 0);
  const n = order.length;
  const letter = room.letter * 0.75;
  const named = room.narrow ? 88 : 14 * room.letter;
  const wide = between(9, (room.width - named - 12) / n, WIDEST);
  const high = between(letter * 1.2, wide * 0.7, HIGHEST);
  const places = placesFor(cells.flat().map(({ difference }) => difference));
  const written = widest([fixed(largest, places)], letter) + 6 <= wide;
  const labels = shortenedDistinctly(
    order.map(({ name }) => name),
    letter,
    named,
  );
  const [row, column] = [Math.min(at[0], n - 2), Math.min(Math.max(at[1], at[0] + 1), n - 1)];
  const names = (model: ModelResult) => saidName(model.name);
  const move = (rows: number, columns: number) => {
    const next = Math.min(Math.max(row + rows, 0), n - 2);
    setAt([next, Math.min(Math.max(column + columns, next + 1), n - 1)]);
  };
  const open = (i: number, j: number) => go({ view: 'pair', left: order[i]!.modelId, right: order[j]!.modelId });
  /** The pair under the pointer; null where there is none. */
  const cellAt = ({ offsetX, offsetY }: MouseEvent): readonly [number, number] | null => {
    const [i, j] = [Math.floor(offsetX / wide), Math.floor(offsetY / high)];
    return i < j && j < n ? [i, j] : null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === 'Enter') open(row, column);
    else if (step) move(step[0]!, step[1]!);
    else return;
    event.preventDefault();
  };
  const cell = cells[row]![column - row - 1]!;
  const { decision, difference, adjusted, record } = cell;
  const apart = difference === 0 ? 'equal scores' : `${fixed(difference, differencePlaces(cell))} points lower`;
  const untestable = isUntestableByDesign(inference) ? BY_DESIGN : WORDS.untestable;
  const verdict = decision === 'untestable' ? untestable : WORDS[decision];
  const words = `${names(order[column]!)} beside ${names(order[row]!)}: ${apart}, ${verdict}, adjusted p ${general(adjusted, 3)}${record?.dz == null ? '' : `, effect size dz ${fixed(Math.abs(record.dz), 2)}`}`;
  return (
    <>
      <p class="pair-words" aria-live="polite">
        {words}.{' '}
        <button type="button" onClick={() => open(row, column)}>
          Look at the two
        </button>
      </p>
      {inference.models.length > n && (
        <p class="muted">
          The first {n} of {inference.models.length} models. Two models shows any pair of them.
        </p>
      )}
      <Scroll label="Pairs">
        <div
          class="pairs"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the marked cell, whose words stand above
          tabIndex={0}
          role="application"
          aria-label={`All pairs of ${n} models; the arrow keys choose a pair, Enter opens it`}
          onKeyDown={onKeyDown}
          onMouseMove={(event) => {
            const cell = cellAt(event);
            if (cell !== null) setAt(cell);
          }}
          onClick={(event) => {
            const cell = cellAt(event);
            if (cell !== null) open(...cell);
          }}
        >
          <svg width={n * wide + named + 8} height={n * high + 8} aria-hidden="true">
            {cells.map((line, i) =>
              line.map((cell, k) => {
                const j = i + 1 + k;
                const apart = hasOrder(cell);
                return (
                  <g key={j}>
                    <rect
                      class={apart ? 'apart' : cell.decision}
                      x={i * wide + 1}
                      y={j * high + 1}
                      width={wide - 2}
                      height={high - 2}
                      fill-opacity={apart ? shade(Math.abs(cell.difference) / most, written) : 1}
                    />
                    {written && (
                      <text class="inside" x={(i + 0.5) * wide} y={(j + 0.5) * high + 4} text-anchor="middle">
                        {fixed(cell.difference, places)}
                      </text>
                    )}
                    {i === row && j === column && (
                      <rect class="marked" x={i * wide} y={j * high} width={wide} height={high} />
                    )}
                  </g>
                );
              }),
            )}
            {order.map((model, i) => (
              <text key={model.index} class="tick" x={i * wide + 8} y={(i + 0.5) * high + 4}>
                {labels[i]}
              </text>
            ))}
          </svg>
        </div>
      </Scroll>
      <p class="muted cannot">
        {written && 'Numbers: points by which the lower model of a row stands below that of the column. '}
        {most > 0 &&
          `Filled: told apart, the stronger the colour the larger the difference, up to ${fixed(most, places)} points. `}
        Outlined: not told apart, which does not make them equal
        {cells.flat().some(({ decision }) => decision === 'untested') ? ', or not compared. ' : '. '}
        {cells.flat().some(({ decision }) => decision === 'untestable') && `Dashed: ${untestable}. `}
        Best models at the top and at the left.
      </p>
    </>
  );
}
