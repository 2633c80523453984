import { useEffect, useState } from 'preact/hooks';
import { FlavourError } from '../../util/error.js';
import { counted, fixed } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { type Placing, placeOwn } from '../own-placing.js';
import { hasScores } from '../shown-scores.js';
import type { HeldFile } from '../sources/held-file.js';
import type { Opened } from '../sources/opened.js';
import { ask } from '../work/ask-thread.js';
import type { NamedBytes, ScoredAnswers } from '../work/score-answers.js';
import { rankSetText } from './leaderboard.js';
import type { ViewProps } from './registry.js';
import { Scroll } from './scroll.js';

/** Where the scoring of own answers is. */
type Course =
  | { readonly at: 'open' | 'running' }
  | { readonly at: 'failed'; readonly error: string }
  | {
      readonly at: 'done';
      readonly scored: ScoredAnswers;
      readonly placing: Placing | null;
      readonly file: NamedBytes;
    };

/** What was scored against what this page shows: it stays when other views are looked at. */
const KEPT = new WeakMap<Opened, Course>();

const named = async (file: HeldFile): Promise<NamedBytes> => ({ name: file.name, bytes: await file.bytes() });

/** Scores answers of a reader's own and places them among the models that are shown. */
export function Own({ opened }: ViewProps) {
  const [course, setCourse] = useState<Course>(KEPT.get(opened) ?? { at: 'open' });
  const { tasks, core } = opened.scorable!;
  const set = (next: Course) => {
    KEPT.set(opened, next);
    setCourse(next);
  };
  const score = async (answers: NamedBytes, model?: string) => {
    set({ at: 'running' });
    try {
      const scored = await ask('score', {
        answers,
        ...(model === undefined ? {} : { model }),
        tasks: await Promise.all(tasks.map(named)),
        core: core && (await named(core)),
      });
      const name = scored.model === '' ? 'your model' : scored.model;
      const placing = scored.points && hasScores(opened) ? await placeOwn(opened, name, scored.points) : null;
      set({ at: 'done', scored, placing, file: answers });
    } catch (error) {
      const hint = error instanceof FlavourError && error.hint ? `. ${error.hint}` : '';
      set({ at: 'failed', error: `${error instanceof Error ? error.message : String(error)}${hint}` });
    }
  };
  const choose = async (file: File | undefined) => {
    if (file) await score({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same can be done with the button of the file chooser
    <div
      class="own"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void choose(event.dataTransfer?.files[0]);
      }}
    >
      <section class="drop">
        <p>
          Drop the answers of a model here, JSON, CSV, Arrow or Parquet, packed or not: <code>task_id</code>, and{' '}
          <code>answer</code> or <code>selection</code>. They are read, scored and placed on this machine; nothing
          leaves it, and nothing is published.
        </p>
        <label class="choose">
          <span>Choose answers</span>
          <input type="file" onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])} />
        </label>
      </section>
      <div aria-live="polite">
        {course.at === 'running' && <p>Scoring…</p>}
        {course.at === 'failed' && <p role="alert">{course.error}</p>}
        {course.at === 'done' && <Scored {...course} choose={(model) => void score(course.file, model)} />}
      </div>
      <p class="muted cannot">
        A score speaks of these tasks. Who gave the answers, whether they were chosen among many tries, and whether the
        model saw the tasks before, no score shows.
      </p>
    </div>
  );
}

interface ScoredProps extends Extract<Course, { at: 'done' }> {
  readonly choose: (model: string) => void;
}

function Scored({ scored, placing, choose }: ScoredProps) {
  const { models, model, coverage, score, diagnostic, interval, families, report, parser } = scored;
  return (
    <>
      {models.length > 1 && (
        <label>
          Model{' '}
          <select value={model} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {models.map((id) => (
              <option key={id} value={id}>
                {plain(id) || '(no name)'}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="leader">
        {coverage.valid < coverage.tasks ? (
          <>
            No score: {counted(coverage.missing, 'task')} without an answer, {coverage.invalid} without a readable one.
            {diagnostic !== null && ` Over the readable answers it would be ${fixed(diagnostic, 2)}.`}
          </>
        ) : (
          <>
            Score {fixed((score ?? diagnostic)!, 2)}
            {interval && `, 95 % interval of this model alone ${fixed(interval[0], 2)} to ${fixed(interval[1], 2)}`}
          </>
        )}
      </p>
      {placing && <Placed {...placing} />}
      <Scroll label="Families">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">Family</th>
              <th scope="col">Readable</th>
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {families.map((one) => (
              <tr key={one.family}>
                <th scope="row">{plain(one.family)}</th>
                <td class="number">
                  {one.valid} of {one.tasks}
                </td>
                <td class="number">{one.diagnostic === null ? '–' : fixed(one.diagnostic, 2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Wrong {...scored} />
      <p class="actions">
        <Kept name="flavourbench-report.json" text={report} words="Keep the report" />
      </p>
      <p class="muted">
        Answers were read with parser {parser}. The report is the one that <code>flavourbench score</code> writes, and{' '}
        <code>flavourbench verify-report</code> verifies it.
      </p>
    </>
  );
}

/** Interval, ranks, and who it is told apart from, with one model more than the page shows. */
function Placed({ model, models, above, below, open }: Placing) {
  const list = (names: readonly string[]) => names.map((name) => plain(name)).join(', ');
  return (
    <section class="placed" aria-label="Placing">
      <h3>Among the {counted(models - 1, 'model')} of this page</h3>
      <p>
        Allowed ranks {rankSetText(model)} of {models}; by the plan and the draws of this page, interval of this model
        alone {fixed(model.pointwise[0], 2)} to {fixed(model.pointwise[1], 2)}, of all at once{' '}
        {fixed(model.simultaneous[0], 2)} to {fixed(model.simultaneous[1], 2)}.
      </p>
      <ul>
        <li>Established above: {above.length === 0 ? 'no model' : list(above)}.</li>
        <li>Established below: {below.length === 0 ? 'no model' : list(below)}.</li>
        <li>Not told apart from, which is not to say equal to: {open.length === 0 ? 'no model' : list(open)}.</li>
      </ul>
      <p class="muted">
        Not part of the registered analysis: it was made with one row more, after its scores were seen.
      </p>
    </section>
  );
}

/** Where a row stands, to sort by; what has no place comes last. */
const placeOf = ({ line, row }: { readonly line?: number; readonly row?: number }) =>
  row ?? line ?? Number.MAX_SAFE_INTEGER;

/** Rows that are no answers, and tasks without a readable one. */
function Wrong({ bad, badCount, unanswered }: ScoredAnswers) {
  if (badCount === 0 && unanswered.length === 0) return null;
  const rows = [
    ...bad.map(({ line, row, reason }) => ({ line, row, text: reason })),
    ...unanswered.map(({ task, reason, line, row, defect }) => ({
      line,
      row,
      text: `${task}: ${defect ?? reason.replaceAll('_', ' ')}`,
    })),
  ].sort((a, b) => placeOf(a) - placeOf(b));
  return (
    <>
      <h3>
        {[
          ...(badCount > 0
            ? [`${counted(badCount, 'row')} that ${badCount === 1 ? 'is no answer' : 'are no answers'}`]
            : []),
          ...(unanswered.length > 0 ? [`${counted(unanswered.length, 'task')} without a readable one`] : []),
        ].join(', ')}
      </h3>
      <Scroll label="Rows and tasks that are wrong">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">{rows.some(({ row }) => row !== undefined) ? 'Row' : 'Line'}</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, LISTED).map(({ line, row, text }) => (
              <tr key={`${row ?? line} ${text}`}>
                <td class="number">{row ?? line ?? '–'}</td>
                <td>{plain(text)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {rows.length > LISTED && <p class="muted">The first {LISTED} are listed.</p>}
    </>
  );
}

const LISTED = 300;

/** A link that keeps a text as a file. */
function Kept({ name, text, words }: { readonly name: string; readonly text: string; readonly words: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <a href={address} download={name}>
      {words}
    </a>
  );
}
