import { useMemo } from 'preact/hooks';
import { counted, thousands } from '../../util/format.js';
import { apartWords, verdictOf } from '../result-verdict.js';
import type { Result } from '../shown-scores.js';
import type { Opened } from '../sources/opened.js';

interface VerdictProps {
  readonly opened: Opened;
  readonly result: Result | null;
}

/** What may be said, above everything else: who leads and whether that is certain, what is open, what cannot be concluded. */
export function Verdict({ opened, result }: VerdictProps) {
  const answer = useMemo(() => result && verdictOf(result), [result]);
  const apart = result && apartWords(result.inference);
  return (
    <section class="verdict" aria-label="Verdict">
      {answer === null ? (
        <p class="leader">{nothingRanked(opened)}</p>
      ) : (
        <>
          <p class="leader">{answer.leader}</p>
          {apart && <p class="apart">{apart}</p>}
          {answer.steps && (
            <div class="steps">
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
            </div>
          )}
          {answer.cannot && <p class="cannot">{answer.cannot}</p>}
        </>
      )}
    </section>
  );
}

function nothingRanked({ analyses, kind, ledger }: Opened): string {
  if (ledger !== null) {
    const { scheduled, completed, parseable } = ledger.total;
    return `${thousands(completed)} of ${counted(scheduled, 'cell')} are answered, and ${thousands(parseable)} of these could be read. Nothing is ranked before a core is frozen.`;
  }
  if (kind === 'tasks') return 'Tasks without scores: give the answers of a model, and they are scored here.';
  if (kind === 'release') return 'This release cannot be shown. Verify it to see what is wrong with it.';
  return analyses.length === 1
    ? 'One analysis: what it found, and what it does not show, stands with its figure. There is no leaderboard here.'
    : `${analyses.length} analyses: what each found, and what it does not show, stands with its figure. There is no leaderboard here.`;
}

/** Where the digits come from, and how they are had again. */
export function SourceNote({ opened, result, command }: VerdictProps & { readonly command: string }) {
  if (result === null) return <>Read from {counted(opened.files.length, 'file')}. Nothing left this machine.</>;
  const { inference, took } = result;
  return (
    <>
      {counted(inference.models.length, 'model')}, {counted(inference.tasks, 'task')};{' '}
      {took === null ? 'shown as stated, not computed here' : `computed here in ${Math.round(took)} ms`}. Nothing left
      this machine.
      {took !== null && (
        <>
          {' '}
          <code>{command}</code> gives the same digits.
        </>
      )}
    </>
  );
}
