import { useState } from 'preact/hooks';
import type { Task } from '../../tasks/task.js';
import { thousands } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { useAnswers } from './answers.js';
import type { ViewProps } from './registry.js';
import { Scroll } from './scroll.js';

/** Letters of an answer that are shown at once. */
const SHOWN = 20_000;

interface ChosenAnswerProps extends Pick<ViewProps, 'opened'> {
  /** Id of the model that is looked at. */
  readonly model: string;
  readonly task: Task;
}

/** The answer of the model that is looked at as it came, as text and nothing else, and where it came from. */
export function ChosenAnswer({ opened, model: id, task }: ChosenAnswerProps) {
  const found = useAnswers(opened);
  const [whole, setWhole] = useState(false);
  if (found.at !== 'ready') return null;
  const answers = found.book.ofTask(task.id);
  const answer = answers.find(({ model }) => model === id);
  if (!answer) return null;
  const text = answer.text ?? '';
  const cut = !whole && text.length > SHOWN;
  const facts = Object.entries(answer.facts).filter(([, value]) => value !== null && value !== '');
  return (
    <section aria-label="Answer">
      <h4>Answer of {plain(answer.model)}</h4>
      {answer.text === null ? (
        <p>Nothing came.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard
        <pre class="answer" tabIndex={0}>
          {cut ? text.slice(0, SHOWN) : text}
        </pre>
      )}
      {cut && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {thousands(text.length)} letters
        </button>
      )}
      <details>
        <summary>Where it came from</summary>
        <Scroll label="Provenance">
          <table class="facts">
            <tbody>
              {facts.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name.replaceAll('_', ' ')}</th>
                  <td>
                    <code>{plain(String(value))}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}
