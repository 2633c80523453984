import { useMemo } from 'preact/hooks';
import { byRank } from '../../inference/model-ranks.js';
import { coverageText } from '../../util/format.js';
import { boardColumns, shownNames } from '../board-columns.js';
import { between, usePageRoom } from '../page-room.js';
import { AXIS_ROOM } from './interval-row.js';
import { rankSetText, rankText } from './leaderboard.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';
import { ShownName } from './shown-name.js';

const ROW = 22;
/** Letters of the text about the axis: rank, allowed ranks, and what cells have about them. */
const OTHERS = 18;

/** Ranks that stand on the axis: every one has a line where lines stay apart; as many have a number as there is room for, first and last always. */
function rankTicks(models: number, width: number, letter: number): { lines: number[]; numbers: Set<number> } {
  const all = Array.from({ length: models }, (_, k) => k + 1);
  const gap = width / Math.max(models - 1, 1);
  const wide = (String(models).length * 0.55 + 0.5) * letter;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => size * gap >= wide) ?? 1000;
  const some = all.filter((rank) => rank % step === 0 && (rank - 1) * gap >= wide && (models - rank) * gap >= wide);
  const numbers = new Set(models > 0 ? [1, ...some, models] : []);
  return { lines: gap >= 6 ? all : [...numbers], numbers };
}

/** Ranks that the data allow each model, on one axis with the best at the left. */
export function Ranks({ result: { inference } }: RankedProps) {
  const models = useMemo(() => byRank(inference.models), [inference]);
  const last = models.length;
  const room = usePageRoom();
  const named = boardColumns(room, 0, OTHERS).names;
  // Sets of ranks past 99 take the room of the axis.
  const width = room.narrow
    ? last > 99
      ? 74
      : 100
    : between(220, room.width - named - OTHERS * room.letter, Math.max(420, 44 * last));
  const x = (rank: number) => AXIS_ROOM + (last < 2 ? width / 2 : ((rank - 1) * width) / (last - 1));
  const { lines, numbers } = rankTicks(last, width, room.letter);
  // One element a row: every rank of every row would be many.
  const grid = lines.map((rank) => `M${x(rank)} 0V${ROW}`).join('');
  const names = useMemo(() => shownNames(models, room.letter, named), [models, room.letter, named]);
  if (last < 2) return <p>One model: there is nothing to rank.</p>;
  const formed = models.some(({ rankSet }) => rankSet !== null);
  const heading = formed ? 'Allowed ranks' : 'Ranks over draws';
  return (
    <>
      <Scroll label={heading}>
        <table class="board">
          <thead>
            <tr>
              <th scope="col" class="number">
                Rank
              </th>
              <th scope="col">Model</th>
              <th scope="col">
                {heading}, 1 is best
                <svg width={width + 2 * AXIS_ROOM} height={16} aria-hidden="true">
                  {[...numbers].map((rank) => (
                    <text key={rank} class="tick" x={x(rank)} y={12} text-anchor="middle">
                      {rank}
                    </text>
                  ))}
                </svg>
              </th>
              <th scope="col" class="number">
                {formed ? 'Allowed' : 'Over draws'}
              </th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => {
              const [best, worst] = formed ? (model.rankSet ?? [model.rank, model.rank]) : model.rankInterval;
              return (
                <tr key={model.index}>
                  <td class="number">{rankText(model)}</td>
                  <th scope="row" title={model.name}>
                    <ShownName whole={model.name} shown={names.get(model.index)!} />
                  </th>
                  <td>
                    <svg
                      width={width + 2 * AXIS_ROOM}
                      height={ROW}
                      role="img"
                      aria-label={`ranks ${best} to ${worst}${formed ? ' are allowed' : ''}`}
                    >
                      <path class="grid" d={grid} />
                      <line class="inner" x1={x(best)} x2={x(worst)} y1={ROW / 2} y2={ROW / 2} />
                      {[best, worst].map((end) => (
                        <line key={end} class="inner" x1={x(end)} x2={x(end)} y1={ROW / 2 - 4} y2={ROW / 2 + 4} />
                      ))}
                      <circle class="point" cx={x(model.rank)} cy={ROW / 2} r={4} />
                    </svg>
                  </td>
                  <td class="number">{formed ? rankSetText(model) : best === worst ? best : `${best}–${worst}`}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <p class="muted cannot">
        {formed
          ? `Line: the ranks that the data allow, right for all models at once with ${coverageText(inference.plan.alpha)} confidence.`
          : `Line: how the rank varies over bootstrap draws, ${coverageText(inference.plan.alpha)} of them. No set of allowed ranks was formed by these rules, so the line does not say which ranks the data allow.`}{' '}
        Dot: the rank of the observed score, which new tasks need not repeat. Rank 1 is best.
      </p>
    </>
  );
}
