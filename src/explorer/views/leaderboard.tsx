import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ModelResult } from '../../inference/result.js';
import { coverageText, placesFor } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { addressHash } from '../address.js';
import { boardColumns, shownNames } from '../board-columns.js';
import { type FamilyScale, familyScale } from '../family-scale.js';
import { boundsOf, passes, scoreAxis } from '../interval-axis.js';
import { MISSING_WORDS } from '../missing-words.js';
import { usePageRoom } from '../page-room.js';
import { usePrinting } from '../printing.js';
import { useRows, useWindow } from '../window.js';
import { FamilyCell } from './family-cell.js';
import { AxisNumbers, IntervalRow } from './interval-row.js';
import type { RankedProps } from './registry.js';
import { ShownName } from './shown-name.js';

/** Height of a row, pixels: the style sheet has the same. */
const ROW = 32;

/** Ranks a model may have, as text. */
export const rankSetText = ({ rankSet }: ModelResult): string =>
  rankSet === null ? '' : rankSet[0] === rankSet[1] ? String(rankSet[0]) : `${rankSet[0]}–${rankSet[1]}`;

/** A rank that others share has a sign for it. */
export const rankText = ({ rank, rankTied }: ModelResult): string => `${rank}${rankTied ? '=' : ''}`;

interface Column {
  readonly name: string;
  readonly title: string;
  /** What rows are sorted by. */
  value(model: ModelResult): number | string;
}

const compared = (a: number | string, b: number | string): number =>
  typeof a === 'string' || typeof b === 'string' ? String(a).localeCompare(String(b)) : a - b;

/** All models with scores, intervals, ranks and letters; sorted and filtered as the address says. */
export function Leaderboard({ result, address, go }: RankedProps) {
  const { inference } = result;
  const { sort, find } = address;
  const { models, plan, tasksPerFamily } = inference;
  const families = Object.keys(tasksPerFamily).length > 1 ? Object.keys(tasksPerFamily) : [];
  const places = placesFor(models.map(({ score }) => score));
  const ranged = models.some(({ rankSet }) => rankSet !== null);
  const lettered = models.length > 1 && models.some(({ letters }) => letters !== null && letters !== '');
  const room = usePageRoom();
  const widths = boardColumns(room, families.length, 10 + (ranged ? 8 : 0) + (lettered ? 5 : 0));
  const scale = useMemo(
    () => familyScale(models, families, result.matrix, widths.family),
    [models, result, widths.family],
  );
  const bounds = useMemo(() => boundsOf(result.matrix), [result]);
  const axis = useMemo(() => scoreAxis(models, bounds, widths.axis), [models, bounds, widths.axis]);
  const names = useMemo(() => shownNames(models, room.letter, widths.names), [models, room.letter, widths.names]);
  const columns: Column[] = [
    { name: 'rank', title: 'Rank', value: ({ rank }) => rank },
    { name: 'model', title: 'Model', value: ({ name }) => name },
    { name: 'score', title: 'Score', value: ({ score }) => -score },
    { name: 'ranks', title: 'Allowed ranks', value: ({ rankSet }) => (rankSet ? rankSet[0] * 1e6 + rankSet[1] : 0) },
  ];
  const ofFamilies = families.map(
    (family): Column => ({
      name: `family:${family}`,
      title: plain(family),
      value: ({ familyScores }) => -familyScores[family]!,
    }),
  );
  const rows = useMemo(() => {
    const down = sort.startsWith('-');
    const by = [...columns, ...ofFamilies].find(({ name }) => name === sort.replace(/^-/, '')) ?? columns[0]!;
    const text = find.toLowerCase();
    return models
      .filter(({ name, modelId }) => `${name} ${modelId}`.toLowerCase().includes(text))
      .sort((a, b) => (down ? -1 : 1) * compared(by.value(a), by.value(b)) || a.rank - b.rank || a.index - b.index);
  }, [models, sort, find]);
  const shown = useWindow(rows.length, ROW, usePrinting());
  const made = useMemo(() => ({}), [rows, address, result, axis, names, scale]);
  const lines = useRows(shown, made, (at) => {
    const model = rows[at]!;
    return (
      <tr key={model.index} aria-rowindex={at + 2}>
        <td class="number">{rankText(model)}</td>
        <th scope="row" title={model.name}>
          <a href={addressHash({ ...address, view: 'model', model: model.modelId })}>
            <ShownName whole={model.name} shown={names.get(model.index)!} />
          </a>
        </th>
        <td class="number">{model.score.toFixed(places)}</td>
        <td>
          <IntervalRow {...{ model, axis, places }} />
        </td>
        {ranged && <td class="number">{rankSetText(model)}</td>}
        {lettered && <td class="letters">{model.letters}</td>}
        {scale?.families.map((family) => (
          <td key={family} class="number">
            <FamilyCell
              {...{ axis: scale.axis, value: model.familyScores[family]!, chance: scale.chance[family], places }}
            />
          </td>
        ))}
      </tr>
    );
  });
  const head = ({ name, title }: Column, below: JSX.Element | null = null) => {
    const mine = sort.replace(/^-/, '') === name;
    const down = mine && sort.startsWith('-');
    return (
      <th
        key={name}
        scope="col"
        class={name === 'model' || below ? undefined : 'number'}
        aria-sort={mine ? (down ? 'descending' : 'ascending') : 'none'}
      >
        <button type="button" title={title} onClick={() => go({ sort: mine && !down ? `-${name}` : name })}>
          {title}
          <span aria-hidden="true">{mine ? (down ? ' ▾' : ' ▴') : ''}</span>
        </button>
        {below}
      </th>
    );
  };
  return (
    <>
      <p>
        <label class="find">
          Show names with{' '}
          <input type="search" value={find} onInput={({ currentTarget }) => go({ find: currentTarget.value })} />
        </label>{' '}
        <span class="muted" role="status">
          {rows.length < models.length ? `${rows.length} of ${models.length} models` : ''}
        </span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard */}
      <section class="scroll" aria-label="Models" ref={shown.ref} onScroll={shown.onScroll} tabIndex={0}>
        <table class="board" aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {columns.slice(0, 3).map((column) => head(column))}
              <th scope="col">
                <span class="hidden">Intervals</span>
                <AxisNumbers axis={axis} />
              </th>
              {ranged && head(columns[3]!)}
              {lettered && (
                <th scope="col">
                  <span class="plain">Letters</span>
                </th>
              )}
              {ofFamilies.map((column) => head(column, scale && <AxisNumbers axis={scale.axis} />))}
            </tr>
          </thead>
          <tbody>
            {shown.before > 0 && <Spacer height={shown.before} />}
            {lines}
            {shown.after > 0 && <Spacer height={shown.after} />}
          </tbody>
        </table>
      </section>
      <p class="muted cannot">
        {legend({
          plan,
          compared: models.length > 1,
          bounded: result.bounded === true,
          lettered,
          ranged,
          chance: models.some(({ chance }) => chance !== null),
          cut: passes(models, bounds),
          scale,
        })}
      </p>
    </>
  );
}

interface LegendParts {
  /** Whether cells are missing. */
  readonly bounded: boolean;
  /** Whether there is more than one model. */
  readonly compared: boolean;
  readonly plan: RankedProps['result']['inference']['plan'];
  readonly lettered: boolean;
  readonly ranged: boolean;
  readonly chance: boolean;
  /** Whether an interval ends past all scores that there can be. */
  readonly cut: boolean;
  readonly scale: FamilyScale | null;
}

/** Says what the marks of a leaderboard stand for, and what they do not show. */
function legend({ plan, compared, bounded, lettered, ranged, chance, cut, scale }: LegendParts): string {
  return [
    `Dot: score. Thick line: interval at ${coverageText(plan.alpha)} of this model alone (${plan.interval}). Thin line: the interval that holds for all models at once.`,
    ...(bounded ? [MISSING_WORDS] : []),
    ...(cut
      ? ['Lines are cut at 0 and 1, past which there is no score; the two intervals are formed in different ways.']
      : []),
    ...(chance ? ['Dashed: the score of a random answer.'] : []),
    ...(compared ? [overlapWords(lettered)] : []),
    ...(ranged ? ['Allowed ranks hold for all models at once.'] : []),
    ...(scale ? ['Families stand on one scale of their own; they have no intervals.'] : []),
  ].join(' ');
}

const overlapWords = (lettered: boolean): string =>
  lettered
    ? 'Two models that share a letter are not told apart, which does not make them equal; intervals that overlap say nothing about that.'
    : 'Intervals that overlap do not say that two models are equal, nor that they are not told apart: Two models says that of any two.';

/** Stands for rows that are not in sight. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr style={{ height: `${height}px` }}>
      <td />
    </tr>
  );
}
