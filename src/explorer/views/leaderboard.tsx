import { useMemo } from 'preact/hooks';
import type { ModelResult } from '../../inference/result.js';
import { coverageText, placesFor } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { addressHash } from '../address.js';
import { scoreAxis } from '../interval-axis.js';
import { useWindow } from '../window.js';
import { AxisNumbers, IntervalRow } from './interval-row.js';
import type { RankedProps } from './registry.js';

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
export function Leaderboard({ result: { inference }, address, go }: RankedProps) {
  const { sort, find } = address;
  const { models, plan, tasksPerFamily } = inference;
  const families = Object.keys(tasksPerFamily).length > 1 ? Object.keys(tasksPerFamily) : [];
  const places = placesFor(models.map(({ score }) => score));
  const axis = useMemo(() => scoreAxis(models, 260), [models]);
  const lettered = models.some(({ letters }) => letters !== null && letters !== '');
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
  const shown = useWindow(rows.length, ROW);
  const head = ({ name, title }: Column) => {
    const mine = sort.replace(/^-/, '') === name;
    const down = mine && sort.startsWith('-');
    return (
      <th key={name} scope="col" aria-sort={mine ? (down ? 'descending' : 'ascending') : 'none'}>
        <button type="button" onClick={() => go({ sort: mine && !down ? `-${name}` : name })}>
          {title}
          <span aria-hidden="true">{mine ? (down ? ' ▾' : ' ▴') : ''}</span>
        </button>
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
              {columns.slice(0, 3).map(head)}
              <th scope="col">
                <span class="hidden">Intervals</span>
                <AxisNumbers axis={axis} />
              </th>
              {head(columns[3]!)}
              {lettered && <th scope="col">Letters</th>}
              {ofFamilies.map(head)}
            </tr>
          </thead>
          <tbody>
            {shown.before > 0 && <Spacer height={shown.before} />}
            {rows.slice(shown.from, shown.to).map((model, k) => (
              <tr key={model.index} aria-rowindex={shown.from + k + 2}>
                <td class="number">{rankText(model)}</td>
                <th scope="row" title={model.name}>
                  <a href={pairHash(model)}>{model.name}</a>
                </th>
                <td class="number">{model.score.toFixed(places)}</td>
                <td>
                  <IntervalRow {...{ model, axis, places }} />
                </td>
                <td class="number">{rankSetText(model)}</td>
                {lettered && <td class="letters">{model.letters}</td>}
                {families.map((family) => (
                  <td key={family} class="number">
                    {model.familyScores[family]!.toFixed(places)}
                  </td>
                ))}
              </tr>
            ))}
            {shown.after > 0 && <Spacer height={shown.after} />}
          </tbody>
        </table>
      </section>
      <p class="muted">
        Dot: score. Thick line: interval at {coverageText(plan.alpha)} of this model alone ({plan.interval}). Thin line:
        the interval that holds for all models at once. Two models that share a letter are not told apart, which does
        not make them equal; intervals that overlap say nothing about that. Allowed ranks hold for all models at once.
      </p>
    </>
  );

  /** Address of a model beside the next one. */
  function pairHash({ index, rank, modelId }: ModelResult): string {
    const other = models.find((model) => model.index !== index && model.rank >= rank) ?? models[0]!;
    return addressHash({ ...address, view: 'pair', left: modelId, right: other.modelId });
  }
}

/** Stands for rows that are not in sight. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr style={{ height: `${height}px` }}>
      <td />
    </tr>
  );
}
