import { useState } from 'preact/hooks';
import { differenceText } from '../../release/proofs/differences.js';
import type { Verification } from '../../release/proofs/verification.js';
import { LIMITS } from '../../release/statement.js';
import { counted } from '../../util/format.js';
import { plain } from '../../util/text.js';
import type { HeldFile } from '../sources/held-file.js';
import type { Opened } from '../sources/opened.js';
import { ask } from '../work/ask-thread.js';
import type { ViewProps } from './registry.js';
import { Scroll } from './scroll.js';

/** Where a verification is. */
type Course =
  | { readonly at: 'open' }
  | { readonly at: 'running'; readonly what: string; readonly done: number; readonly total: number }
  | { readonly at: 'failed'; readonly error: string }
  | { readonly at: 'done'; readonly found: Verification; readonly took: number };

/** What was found of the releases that this page has verified: it stays when other views are looked at. */
const KEPT = new WeakMap<Opened, Course>();

/** Differences that are listed. */
const LISTED = 40;

async function bytesOf(inventory: ReadonlyMap<string, HeldFile>): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = [...inventory].map(async ([name, file]) => [name, await file.bytes()] as const);
  return new Map(await Promise.all(read));
}

/** Name of the folder that a release lies in, where it is known. */
function folderOf(inventory: ReadonlyMap<string, HeldFile>): string | undefined {
  const [first] = inventory;
  if (first === undefined) return undefined;
  const [name, file] = first;
  return file.name.slice(0, -name.length).split('/').filter(Boolean).at(-1);
}

/** Makes a release again from its answers on the machine of the reader, and says where it differs. */
export function Verify({ opened }: ViewProps) {
  const [course, setCourse] = useState<Course>(KEPT.get(opened) ?? { at: 'open' });
  const [expected, setExpected] = useState('');
  const inventory = opened.inventory!;
  const set = (next: Course) => {
    KEPT.set(opened, next);
    setCourse(next);
  };
  const verify = async () => {
    const started = performance.now();
    set({ at: 'running', what: 'reading the files', done: 0, total: 1 });
    const expect = expected.trim().toLowerCase();
    const folder = folderOf(inventory);
    try {
      const found = await ask(
        'verify',
        {
          files: await bytesOf(inventory),
          ...(folder === undefined ? {} : { folder }),
          ...(expect === '' ? {} : { expect }),
        },
        { onProgress: (what, done, total) => set({ at: 'running', what, done, total }) },
      );
      set({ at: 'done', found, took: performance.now() - started });
    } catch (error) {
      set({ at: 'failed', error: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <div class="verify">
      <p>
        Every answer is parsed and scored again here, the core selected, all inference run anew, and each of{' '}
        {counted(inventory.size, 'file')} held against the outcome: the proofs of{' '}
        <code>flavourbench release verify</code>, on this machine. What could not be proved is listed.
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void verify();
        }}
      >
        <label>
          A digest that you trust, if you have one
          <input
            type="text"
            class="digest"
            spellcheck={false}
            value={expected}
            onInput={({ currentTarget }) => setExpected(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={course.at === 'running'}>
          Verify
        </button>
      </form>
      <div aria-live="polite">
        {course.at === 'running' && <Running {...course} />}
        {course.at === 'failed' && <p role="alert">The verification itself has failed: {course.error}</p>}
        {course.at === 'done' && <Found {...course} />}
      </div>
      <h3>What no verification can show</h3>
      <ul class="cannot">
        {LIMITS.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </div>
  );
}

function Running({ what, done, total }: Extract<Course, { at: 'running' }>) {
  return (
    <p>
      <label>
        {what} <progress value={done} max={total} />
      </label>
    </p>
  );
}

function Found({ found, took }: Extract<Course, { at: 'done' }>) {
  const [first] = found.differences;
  const more = found.difference_count - 1;
  const looked = found.status === 'PASS' ? 'What was proved' : 'What was looked at';
  return (
    <>
      <p class={`outcome ${found.status.toLowerCase()}`}>
        <strong>{found.status}</strong>{' '}
        {first === undefined ? (
          <code>{found.sha256}</code>
        ) : (
          <span class="difference">{plain(differenceText(first))}</span>
        )}
      </p>
      {first !== undefined && more > 0 && (
        <details>
          <summary>
            {more} more {more === 1 ? 'difference' : 'differences'}
          </summary>
          <ul>
            {found.differences.slice(1, LISTED).map((difference) => (
              <li key={differenceText(difference)}>{plain(differenceText(difference))}</li>
            ))}
          </ul>
          {more >= LISTED && <p>The first {LISTED} are listed; flavourbench release verify --json gives 200.</p>}
        </details>
      )}
      <h3>{looked}, and what was not</h3>
      <Scroll label={`${looked}, and what was not`}>
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">How much</th>
              <th scope="col">Why not</th>
            </tr>
          </thead>
          <tbody>
            {found.checked.map(({ what, count }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td class="number">{count}</td>
                <td />
              </tr>
            ))}
            {found.not_checked.map(({ what, count, why }) => (
              <tr key={what} class="muted">
                <th scope="row">{what}</th>
                <td class="number">{count}</td>
                <td>not proved: {why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {found.notes.length > 0 && (
        <ul class="notes">
          {found.notes.map((note) => (
            <li key={note}>{plain(note)}.</li>
          ))}
        </ul>
      )}
      <p class="muted">
        {found.release_sha256 !== null && (
          <>
            Digest of the numbers (release.json): <code>{found.release_sha256}</code>.{' '}
          </>
        )}
        Done here in {(took / 1000).toFixed(1)} s; nothing left this machine.
      </p>
    </>
  );
}
