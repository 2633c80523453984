import { useMemo } from 'preact/hooks';
import { byRank } from '../../inference/model-ranks.js';
import { coverageText } from '../../util/format.js';
import { AXIS_ROOM } from './interval-row.js';
import { rankSetText, rankText } from './leaderboard.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';

const WIDTH = 420;
const ROW = 22;

/** Ranks that are written on the axis: all of a few, some of many, first and last always. */
function rankTicks(models: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => models / size <= 14) ?? 1000;
  const ticks = Array.from({ length: models }, (_, k) => k + 1).filter((rank) => rank === 1 || rank % step === 0);
  return ticks;
}

/** Ranks that the data allow each model, on one axis with the best at the left. */
export function Ranks({ result: { inference } }: RankedProps) {
  const models = useMemo(() => byRank(inference.models), [inference]);
  const last = models.length;
  const x = (rank: number) => AXIS_ROOM + (last < 2 ? WIDTH / 2 : ((rank - 1) * WIDTH) / (last - 1));
  const ticks = rankTicks(last);
  const formed = models.some(({ rankSet }) => rankSet !== null);
  const heading = formed ? 'Allowed ranks' : 'Ranks over draws';
  return (
    <>
      <Scroll label={heading}>
        <table class="board">
          <thead>
            <tr>
              <th scope="col">Rank</th>
              <th scope="col">Model</th>
              <th scope="col">
                <span class="hidden">{heading} as a line</span>
                <svg width={WIDTH + 2 * AXIS_ROOM} height={16} aria-hidden="true">
                  {ticks.map((rank) => (
                    <text key={rank} class="tick" x={x(rank)} y={12} text-anchor="middle">
                      {rank}
                    </text>
                  ))}
                </svg>
              </th>
              <th scope="col">{formed ? 'Allowed' : 'Over draws'}</th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => {
              const [best, worst] = formed ? (model.rankSet ?? [model.rank, model.rank]) : model.rankInterval;
              return (
                <tr key={model.index}>
                  <td class="number">{rankText(model)}</td>
                  <th scope="row" title={model.name}>
                    {model.name}
                  </th>
                  <td>
                    <svg
                      width={WIDTH + 2 * AXIS_ROOM}
                      height={ROW}
                      role="img"
                      aria-label={`ranks ${best} to ${worst}${formed ? ' are allowed' : ''}`}
                    >
                      {ticks.map((rank) => (
                        <line key={rank} class="grid" x1={x(rank)} x2={x(rank)} y1={0} y2={ROW} />
                      ))}
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
      <p class="muted">
        {formed
          ? `Line: the ranks that the data allow, right for all models at once with ${coverageText(inference.plan.alpha)} confidence.`
          : `Line: how the rank varies over bootstrap draws, ${coverageText(inference.plan.alpha)} of them. No set of allowed ranks was formed by these rules, so the line does not say which ranks the data allow.`}{' '}
        Dot: the rank of the observed score, which new tasks need not repeat. Rank 1 is best.
      </p>
    </>
  );
}
