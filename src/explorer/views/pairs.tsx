import { useMemo, useState } from 'preact/hooks';
import { shortenedDistinctly, widest } from '../../draw/text.js';
import { byRank } from '../../inference/model-ranks.js';
import type { PairDecision } from '../../inference/result.js';
import { fixed, general, placesFor } from '../../util/format.js';
import { comparedPair, differencePlaces, isUntestableByDesign } from '../compared-pair.js';
import { between, type PageRoom, usePageRoom } from '../page-room.js';
import { pairRuns } from '../pair-runs.js';
import { saidName } from '../said-name.js';
import { isEstablished, PairCells } from './pair-cells.js';
import { PairMap } from './pair-map.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';

/** Models past which a cell has no room for an outline. */
const OUTLINED = 60;

/** Of a cell, pixels. */
const WIDEST = 64;
const HIGHEST = 30;
/** Of a cell that has no outline. */
const WIDEST_OF_MANY = 9;
/** The mark of a pair is at least so large. */
const LEAST_MARK = 7;
/** With the shift key an arrow goes so far. */
const STRIDE = 10;

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

/** Half a matrix of all pairs, best first: how far apart, and whether that is established. */
export function Pairs({ result: { inference }, go }: RankedProps) {
  const order = useMemo(() => byRank(inference.models), [inference]);
  const room = usePageRoom();
  const [at, setAt] = useState<readonly [number, number]>([0, 1]);
  const n = order.length;
  const many = useMemo(() => (n > OUTLINED ? pairRuns(inference.pairTable!, order) : null), [inference, order]);
  const cells = useMemo(
    () =>
      order.map((upper, i) =>
        many ? [] : order.slice(i + 1).map((lower) => comparedPair(inference, upper.index, lower.index)),
      ),
    [inference, order, many],
  );
  if (n < 2) return <p>One model: there is nothing to compare.</p>;
  const found = cells.flat();
  const apart = found.filter(isEstablished).map(({ difference }) => Math.abs(difference));
  const most = many?.most ?? Math.max(0, ...apart);
  const decisions = new Set((many?.looks ?? found).map(({ decision }) => decision));
  const letter = room.letter * 0.75;
  const named = room.narrow ? 88 : 14 * room.letter;
  const { wide, high } = cellSize(room, n, named);
  const differences = found.map(({ difference }) => difference);
  const places = placesFor(many ? [most] : differences);
  const written = !many && widest([fixed(Math.max(...differences), places)], letter) + 6 <= wide;
  const [row, column] = [Math.min(at[0], n - 2), Math.min(Math.max(at[1], at[0] + 1), n - 1)];
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
    const times = event.shiftKey ? STRIDE : 1;
    if (event.key === 'Enter') open(row, column);
    else if (step) move(times * step[0]!, times * step[1]!);
    else return;
    event.preventDefault();
  };
  const untestable = isUntestableByDesign(inference) ? BY_DESIGN : WORDS.untestable;
  const marked = { x: (row + 0.5) * wide, y: (column + 0.5) * high };
  const mark = { wide: Math.max(wide, LEAST_MARK), high: Math.max(high, LEAST_MARK) };
  return (
    <>
      <p class="pair-words" aria-live="polite">
        {wordsOf(row, column)}.{' '}
        <button type="button" onClick={() => open(row, column)}>
          Look at the two
        </button>
      </p>
      <Scroll label="Pairs">
        <div
          class="pairs"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the marked cell, whose words stand above
          tabIndex={0}
          role="application"
          aria-label={`All pairs of ${n} models; the arrow keys choose a pair, with Shift by ${STRIDE}, Enter opens it`}
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
            {many ? (
              <PairMap looks={many.looks} models={n} side={wide} />
            ) : (
              <PairCells {...{ cells, wide, high, most }} places={written ? places : null} />
            )}
            <rect
              class="marked"
              x={marked.x - mark.wide / 2}
              y={marked.y - mark.high / 2}
              width={mark.wide}
              height={mark.high}
            />
            {labelled().map(({ i, label }) => (
              <text key={i} class="tick" x={i * wide + 8} y={(i + 0.5) * high + 4}>
                {label}
              </text>
            ))}
          </svg>
        </div>
      </Scroll>
      <p class="muted cannot">
        {written && 'Numbers: points by which the lower model of a row stands below that of the column. '}
        {most > 0 &&
          `${many ? 'Coloured' : 'Filled'}: told apart, the stronger the colour the larger the difference, up to ${fixed(most, places)} points. `}
        {many ? 'Blank' : 'Outlined'}: not told apart, which does not make them equal
        {decisions.has('untested') ? ', or not compared. ' : '. '}
        {decisions.has('untestable') && `${many ? 'Grey' : 'Dashed'}: ${untestable}. `}
        Best models at the top and at the left{many && ', every model a row; the pair that is marked is named above'}.
      </p>
    </>
  );

  /** What is said of two models of the order. */
  function wordsOf(upper: number, lower: number): string {
    const cell = comparedPair(inference, order[upper]!.index, order[lower]!.index);
    const { decision, difference, adjusted, record } = cell;
    const distance = difference === 0 ? 'equal scores' : `${fixed(difference, differencePlaces(cell))} points lower`;
    const verdict = decision === 'untestable' ? untestable : WORDS[decision];
    const size = record?.dz == null ? '' : `, effect size dz ${fixed(Math.abs(record.dz), 2)}`;
    return `${saidName(order[lower]!.name)} beside ${saidName(order[upper]!.name)}: ${distance}, ${verdict}, adjusted p ${general(adjusted, 3)}${size}`;
  }

  /** Names beside the diagonal: of every model, or of as many as there is room for. */
  function labelled(): { readonly i: number; readonly label: string }[] {
    const every = Math.max(1, Math.ceil((letter * 1.2) / high));
    const shown = order.flatMap(({ name }, i) => (i % every === 0 ? [{ i, name }] : []));
    const labels = shortenedDistinctly(
      shown.map(({ name }) => name),
      letter,
      named,
    );
    return shown.map(({ i }, k) => ({ i, label: labels[k]! }));
  }
}

/** Of a cell, pixels: of many models square, and as small as it has to be for all of them. */
function cellSize({ width, letter }: PageRoom, models: number, named: number) {
  const room = (width - named - 12) / models;
  if (models > OUTLINED) {
    const side = Math.min(Math.max(Math.floor(room), 1), WIDEST_OF_MANY);
    return { wide: side, high: side };
  }
  const wide = between(9, room, WIDEST);
  return { wide, high: between(letter * 0.75 * 1.2, wide * 0.7, HIGHEST) };
}
