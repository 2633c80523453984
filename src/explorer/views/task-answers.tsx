import { byRank } from '../../inference/model-ranks.js';
import type { Task } from '../../tasks/task.js';
import { itemsOf, type Portfolio } from '../listed-tasks.js';
import { outcomeWords } from '../model-answers.js';
import { useAnswers } from './answers.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';

interface TaskAnswersProps extends Omit<RankedProps, 'address'> {
  readonly task: Task;
  readonly ranked: readonly Portfolio[];
  /** Id of the model that is looked at. */
  readonly model: string;
}

/** What every model chose on a task, best first; the button of a row shows its answer below. */
export function TaskAnswers({ opened, result, go, task, ranked, model: chosen }: TaskAnswersProps) {
  const found = useAnswers(opened);
  if (found.at === 'none') return <p class="muted">The answers are not at hand.</p>;
  if (found.at === 'waiting') return <p class="muted">Reading the answers…</p>;
  if (found.at === 'failed') return <p role="alert">The answers cannot be read: {found.reason}</p>;
  const answers = new Map(found.book.ofTask(task.id).map((answer) => [answer.model, answer]));
  const place = new Map(ranked.map((portfolio) => [portfolio.key, portfolio.place]));
  const rows = byRank(result.inference.models)
    .map((model) => ({ model, answer: answers.get(model.modelId) }))
    .sort((a, b) => (b.answer?.scoreBps ?? -1) - (a.answer?.scoreBps ?? -1));
  return (
    <>
      <h4>What every model chose</h4>
      <Scroll label="What every model chose">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Choice</th>
              <th scope="col">Score</th>
              <th scope="col">Of 56</th>
              <th scope="col">Items</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ model, answer }) => (
              <tr key={model.modelId}>
                <th scope="row">
                  {answer ? (
                    <button
                      type="button"
                      class="plain"
                      aria-current={model.modelId === chosen ? 'true' : undefined}
                      onClick={() => go({ model: model.modelId })}
                    >
                      {model.name}
                    </button>
                  ) : (
                    model.name
                  )}
                </th>
                <td class="letters">{answer?.selection ?? '–'}</td>
                <td class="number">{answer?.scoreBps == null ? '' : (answer.scoreBps / 100).toFixed(1)}</td>
                <td class="number">{answer?.selection ? place.get(answer.selection) : ''}</td>
                <td>
                  {answer === undefined
                    ? 'no answer'
                    : answer.selection === null
                      ? outcomeWords(answer.outcome)
                      : itemsOf(task, answer.selection).join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
