import { useMemo } from 'preact/hooks';
import { byRank } from '../../inference/model-ranks.js';
import { LABELS } from '../../tasks/task.js';
import { placesFor } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { type ListedTask, portfolios } from '../listed-tasks.js';
import { saidName } from '../said-name.js';
import { ChosenAnswer } from './chosen-answer.js';
import { PortfolioTable } from './portfolio-table.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';
import { TaskAnswers } from './task-answers.js';

interface OneTaskProps extends RankedProps {
  readonly task: ListedTask;
}

/** One task: prompt, choices with their worth, what every model chose, and what one task cannot show. */
export function OneTask({ opened, result, address, go, task }: OneTaskProps) {
  const known = task.task;
  // A table without panels or families has one for all its tasks, which says nothing.
  const isParted = known !== null || new Set(result.matrix?.panels).size > 1;
  const isOfFamily = known !== null || new Set(result.matrix?.families).size > 1;
  const order = useMemo(() => byRank(result.inference.models), [result]);
  const model = (order.find(({ modelId }) => modelId === address.model) ?? order[0]!).modelId;
  const ranked = useMemo(() => known && portfolios(known), [known]);
  return (
    <article class="one-task" aria-label={plain(task.id)}>
      <h3>{saidName(plain(task.id))}</h3>
      <p class="muted">
        {[
          ...(isOfFamily ? [saidName(plain(task.family))] : []),
          ...(isParted ? [saidName(plain(task.panel))] : []),
          ...(task.cluster === task.id ? [] : [`cluster ${saidName(plain(task.cluster))}`]),
        ].join(', ')}
        {known &&
          `; a random choice is worth ${(known.chance / 100).toFixed(1)}, the best one stands ${(known.margin / 100).toFixed(1)} above the next`}
        {(known || isOfFamily || isParted || task.cluster !== task.id) && '.'}
      </p>
      {known ? (
        <div class="facing">
          <div>
            <h4>Prompt</h4>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard */}
            <pre tabIndex={0}>{plain(known.prompt) === known.prompt ? known.prompt : readable(known.prompt)}</pre>
            {known.choices.length > 0 && (
              <ol class="choices">
                {known.choices.map((choice, k) => (
                  <li key={LABELS.charAt(k)}>
                    <b>{LABELS.charAt(k)}</b> {plain(choice.replaceAll('_', ' '))}
                  </li>
                ))}
              </ol>
            )}
            <TaskAnswers {...{ opened, result, go, task: known, ranked: ranked!, model }} />
            <ChosenAnswer key={model} {...{ opened, model, task: known }} />
          </div>
          <div>
            <PortfolioTable {...{ opened, result, task: known, ranked: ranked! }} />
          </div>
        </div>
      ) : (
        <>
          <p>Prompt and choices are not at hand: the scores alone were given.</p>
          <Values {...{ result, task }} />
        </>
      )}
      <h4>What cannot be concluded</h4>
      <p class="cannot">
        One task says little of a model: who does better on it may do worse on the next, and no interval is formed for
        one.{' '}
        {known
          ? 'The worth of a choice is what the environment gave it before any model was asked; that it is good cooking, or good at all, it does not show.'
          : 'What was asked, and what was answered, this page does not know.'}
      </p>
    </article>
  );
}

/** A prompt with marks that turn its direction, and other controls, made blanks; its lines stay. */
const readable = (text: string) => text.split('\n').map(plain).join('\n');

/** Below all scores: where a model without one stands. */
const LEAST = -Number.MAX_VALUE;

/** Scores of all models on a task of which nothing else is known, best first. */
function Values({ result, task }: Pick<OneTaskProps, 'result' | 'task'>) {
  const { matrix, inference, absent } = result;
  if (matrix === null) return null;
  const column = matrix.tasks.indexOf(task.id);
  if (column < 0) return <p>The task is left out by the choices in force.</p>;
  const rows = byRank(inference.models)
    .map(({ modelId, name, index }) => ({
      modelId,
      name,
      value: absent?.[index * matrix.tasks.length + column]
        ? null
        : matrix.values[index * matrix.tasks.length + column]! / matrix.scale,
    }))
    .sort((a, b) => (b.value ?? LEAST) - (a.value ?? LEAST));
  const known = rows.flatMap(({ value }) => value ?? []);
  const places = known.every(Number.isInteger) ? 0 : placesFor(known);
  return (
    <Scroll label="Scores on this task">
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Score</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ modelId, name, value }) => (
            <tr key={modelId}>
              <th scope="row">{name}</th>
              <td class="number">{value === null ? 'missing' : value.toFixed(places)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
