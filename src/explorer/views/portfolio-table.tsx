import { nameList } from '../../inference/decisions/decision-words.js';
import type { Task } from '../../tasks/task.js';
import { plain } from '../../util/text.js';
import type { Portfolio } from '../listed-tasks.js';
import { usePageRoom } from '../page-room.js';
import { useAnswers } from './answers.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';

const HEIGHT = 20;
const ROOM = 10;
/** Letters that the scale is long: its numbers are as large as these. */
const LETTERS = 8.75;
const TICKS = [0, 25, 50, 75, 100];

interface PortfolioTableProps extends Pick<RankedProps, 'opened' | 'result'> {
  readonly task: Task;
  readonly ranked: readonly Portfolio[];
}

/** All 56 choices of a task, best first, on their whole scale, and who chose each. */
export function PortfolioTable({ opened, result, task, ranked }: PortfolioTableProps) {
  const found = useAnswers(opened);
  const answers = found.at === 'ready' ? found.book.ofTask(task.id) : [];
  const known = found.at === 'ready';
  const names = new Map(result.inference.models.map(({ modelId, name }) => [modelId, name]));
  const room = usePageRoom();
  const width = Math.round(LETTERS * room.letter);
  const x = (points: number) => ROOM + (points * width) / 100;
  return (
    <>
      <h4>All 56 choices</h4>
      <Scroll label="All 56 choices">
        <table class="facts portfolios">
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Choice</th>
              <th scope="col">Score</th>
              <th scope="col">
                <span class="hidden">Score as a bar</span>
                <svg width={width + 2 * ROOM} height={16} aria-hidden="true">
                  {TICKS.map((tick) => (
                    <text key={tick} class="tick" x={x(tick)} y={12} text-anchor="middle">
                      {tick}
                    </text>
                  ))}
                </svg>
              </th>
              <th scope="col">Items</th>
              {known && <th scope="col">Chosen by</th>}
            </tr>
          </thead>
          <tbody>
            {ranked.map(({ key, score, place, items }) => {
              const by = answers.filter(({ selection }) => selection === key);
              return (
                <tr key={key}>
                  <td class="number">{place}</td>
                  <th scope="row" class="letters">
                    {key}
                  </th>
                  <td class="number">{score.toFixed(1)}</td>
                  <td>
                    <svg width={width + 2 * ROOM} height={HEIGHT} aria-hidden="true">
                      {TICKS.map((tick) => (
                        <line key={tick} class="grid" x1={x(tick)} x2={x(tick)} y1={0} y2={HEIGHT} />
                      ))}
                      <line class="chance" x1={x(task.chance / 100)} x2={x(task.chance / 100)} y1={0} y2={HEIGHT} />
                      <rect
                        class={by.length > 0 ? 'worth chosen' : 'worth'}
                        x={ROOM}
                        y={5}
                        width={(score * width) / 100}
                        height={HEIGHT - 10}
                      />
                    </svg>
                  </td>
                  <td class="items">{items.map(plain).join(', ')}</td>
                  {known && <td>{nameList(by.map(({ model }) => names.get(model) ?? plain(model)))}</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <p class="muted">{known && 'Filled: chosen by some model. '}Dashed line: what a random choice is worth.</p>
    </>
  );
}
