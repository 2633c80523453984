import { auditAnswer } from '../../analyses/rank-audit/audit-answer.js';
import { visibleIn } from '../../analyses/rank-audit/visible.js';
import type { FlavourError } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { type Address, VIEWS, type ViewName } from '../address.js';
import type { Choices } from '../reader-choices.js';
import { choiceOptions } from '../reader-choices.js';
import type { Result, ShownScores } from '../shown-scores.js';
import { ChoicesForm } from './choices-form.js';
import { Leaderboard } from './leaderboard.js';
import { Method } from './method.js';
import { Pair } from './pair.js';
import { Pairs } from './pairs.js';
import { Ranks } from './ranks.js';

/** What every view is given. */
export interface ViewProps {
  readonly scores: ShownScores;
  readonly result: Result;
  readonly address: Address;
  readonly go: (part: Partial<Address>) => void;
}

export interface ShownProps extends ViewProps {
  readonly choices: Choices;
  /** Why the choices that were asked for last gave nothing. */
  readonly refused?: FlavourError;
  /** The command that gives these digits. */
  readonly command: string;
  readonly choose: (next: Choices) => void;
  readonly onFiles: (list: Iterable<File>) => void;
}

const TITLES: Readonly<Record<ViewName, string>> = {
  leaderboard: 'Leaderboard',
  pair: 'Two models',
  pairs: 'All pairs',
  ranks: 'Ranks',
  method: 'Method',
};

/** Scores with their verdict above everything, and the view of the address below. */
export function Shown(props: ShownProps) {
  const { scores, result, address, go, choices, refused, command, choose, onFiles } = props;
  const { inference, matrix } = result;
  const visible = visibleIn(matrix, inference);
  const answer = auditAnswer({ inference, visible, name: ({ name }) => name, listed: 3 });
  const changed = choiceOptions(choices).length > 0;
  const View = { leaderboard: Leaderboard, pair: Pair, pairs: Pairs, ranks: Ranks, method: Method }[address.view];
  return (
    <>
      <header>
        <h1>{scores.name}</h1>
        <p class="muted">{scores.reading}</p>
        <section class="verdict" aria-label="Verdict">
          <p class="leader">{answer.leader}</p>
          {answer.steps && (
            <>
              <p>{answer.steps.head}</p>
              {answer.steps.rows.length > 0 && (
                <ul>
                  {answer.steps.rows.map(({ two, needs }) => (
                    <li key={two}>
                      {two}: {needs}.
                    </li>
                  ))}
                </ul>
              )}
            </>
          )}
          {answer.cannot && <p>{answer.cannot}</p>}
        </section>
        {changed && (
          <p class="changed" role="note">
            These are choices of your own, made after seeing the data; the page opened with others. The same digits:{' '}
            <code>{command}</code>
          </p>
        )}
      </header>
      <nav aria-label="Views">
        {VIEWS.map((view) => (
          <button
            type="button"
            key={view}
            aria-current={view === address.view ? 'page' : undefined}
            onClick={() => go({ view })}
          >
            {TITLES[view]}
          </button>
        ))}
      </nav>
      <main>
        <h2>{TITLES[address.view]}</h2>
        <View {...{ scores, result, address, go }} />
      </main>
      <section class="what-if" aria-label="Choices">
        <details>
          <summary>Choose otherwise</summary>
          <ChoicesForm {...{ scores, choices, choose }} />
          {refused && (
            <p role="alert">
              {refused.message}. {refused.hint} What is shown is of the choices before.
            </p>
          )}
        </details>
      </section>
      {[...inference.warnings, ...scores.warnings].length > 0 && (
        <section>
          <h2>Notes</h2>
          <ul class="notes">
            {[...new Set([...inference.warnings, ...scores.warnings])].map((note) => (
              <li key={note}>{note}.</li>
            ))}
          </ul>
        </section>
      )}
      <footer class="muted">
        <p>
          {counted(matrix.models.length, 'model')}, {counted(matrix.tasks.length, 'task')}; computed here in{' '}
          {Math.round(result.took)} ms. Nothing left this machine. <code>{command}</code> gives the same digits.
        </p>
        <label class="choose">
          <span>Open other files</span>
          <input type="file" multiple onChange={({ currentTarget }) => onFiles(currentTarget.files ?? [])} />
        </label>
      </footer>
    </>
  );
}
