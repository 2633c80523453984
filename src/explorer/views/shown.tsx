import type { Verification } from '../../release/proofs/verification.js';
import type { FlavourError } from '../../util/error.js';
import { type Choices, choiceOptions } from '../reader-choices.js';
import { hasScores, openedKey, ownChoices } from '../shown-scores.js';
import { ChoicesForm } from './choices-form.js';
import { OpenOthers } from './drop-place.js';
import { Notices } from './notices.js';
import { VIEWS, type ViewProps, viewAt } from './registry.js';
import { SourceNote, Verdict } from './verdict.js';

export interface ShownProps extends ViewProps {
  readonly choices: Choices;
  /** What was found when the page was made, about what it was made about. */
  readonly verification: Verification | null;
  /** Why the choices that were asked for last gave nothing. */
  readonly refused?: FlavourError;
  /** The command that gives these digits. */
  readonly command: string;
  readonly choose: (next: Choices) => void;
  readonly onFiles: (list: Iterable<File>) => void;
}

/** What was opened, with its verdict above everything, and the view of the address below. */
export function Shown(props: ShownProps) {
  const { opened, result, address, go, choices, verification, refused, command, choose, onFiles } = props;
  const changed = choiceOptions(choices, ownChoices(opened)).length > 0;
  const view = viewAt(address, opened, result);
  const own = result?.warnings ?? opened.warnings;
  const notes = [...new Set([...(result?.inference.warnings ?? []), ...own])];
  return (
    <>
      <header>
        <h1>{opened.name}</h1>
        <p class="muted">{opened.reading}</p>
        <Notices {...{ opened, result, verification }} />
        {verification?.status !== 'FAIL' && <Verdict {...{ opened, result }} />}
        {changed && (
          <p class="changed" role="note">
            <strong>Not the {opened.stated ? 'registered' : 'first'} analysis.</strong> These are choices of your own,
            made after seeing the data; the page opened with others. The same digits: <code>{command}</code>
          </p>
        )}
      </header>
      <nav aria-label="Views">
        {VIEWS.filter(({ shows }) => shows(opened, result)).map(({ name, title }) => (
          <button
            type="button"
            key={name}
            aria-current={name === view?.name ? 'page' : undefined}
            onClick={() => go({ view: name })}
          >
            {title}
          </button>
        ))}
      </nav>
      <main>
        {view && (
          <>
            <h2>{view.title}</h2>
            <view.Show key={openedKey(opened)} {...{ opened, result, address, go }} />
          </>
        )}
      </main>
      {hasScores(opened) && (
        <section class="what-if" aria-label="Choices">
          <details>
            <summary>Choose otherwise</summary>
            <ChoicesForm {...{ scores: opened, choices, own: ownChoices(opened), choose }} />
            {refused && (
              <p role="alert">
                {refused.message}. {refused.hint} What is shown is of the choices before.
              </p>
            )}
          </details>
        </section>
      )}
      {notes.length > 0 && (
        <section aria-label="Notes">
          <h2>Notes</h2>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}.</li>
            ))}
          </ul>
        </section>
      )}
      <footer class="muted">
        <p>
          <SourceNote {...{ opened, result, command }} />
        </p>
        <OpenOthers onFiles={onFiles} />
      </footer>
    </>
  );
}
