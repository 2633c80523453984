import { useEffect, useRef, useState } from 'preact/hooks';
import type { MissingRule } from '../core/gaps.js';
import { FlavourError } from '../util/error.js';
import { type Address, addressHash, readAddress } from './address.js';
import { chosenFiles, type Given, givenFiles } from './given.js';
import { type Choices, commandFor } from './reader-choices.js';
import { inferShown, ownChoices, ownResult, type Result, type ShownScores, withOtherTest } from './shown-scores.js';
import { droppedFiles } from './sources/dropped-files.js';
import type { HeldFile } from './sources/held-file.js';
import type { Opened } from './sources/opened.js';
import { recognise } from './sources/recognised-source.js';
import { commandOver } from './sources/source-command.js';
import { DropPlace } from './views/drop-place.js';
import { Shown } from './views/shown.js';
import { type Course, Waiting } from './views/waiting.js';

/** What the page is at. */
type Stage =
  | { readonly at: 'empty' }
  | { readonly at: 'waiting'; readonly files: readonly HeldFile[]; readonly opened: Opened | null }
  | {
      readonly at: 'failed';
      readonly error: unknown;
      /** What was read when it failed. */
      readonly files?: readonly HeldFile[];
    }
  | {
      readonly at: 'ready';
      readonly opened: Opened;
      readonly choices: Choices;
      readonly result: Result | null;
      /** Why the choices that were asked for last gave nothing; the result is of those before. */
      readonly refused?: FlavourError;
    };

/** Lets the browser paint before work that takes its thread. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** The whole page: it opens what it was given or what is dropped on it, infers, and shows the view of its address. */
export function App({ given }: { readonly given: Given | null }) {
  const [stage, setStage] = useState<Stage>(() =>
    given === null ? { at: 'empty' } : { at: 'waiting', files: givenFiles(given), opened: null },
  );
  const [busy, setBusy] = useState('');
  const [course, setCourse] = useState<Course | null>(null);
  const [own, setOwn] = useState(given !== null);
  const [address, setAddress] = useState<Address>(() => readAddress(location.hash));
  const running = useRef<AbortController | null>(null);

  useEffect(() => {
    const follow = () => setAddress(readAddress(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  /** Runs work and shows its end; what was begun before is stopped. */
  async function run(text: string, work: (signal: AbortSignal) => Promise<Stage>): Promise<void> {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setBusy(text);
    setCourse(null);
    await painted();
    const next = await work(own.signal).catch((error: unknown): Stage => ({ at: 'failed', error }));
    if (own.signal.aborted) return;
    setStage(next);
    if (next.at === 'ready' && next.refused === undefined) {
      setBusy('Asking the other test…');
      const full = await withOtherTest(next, own.signal).catch((error: unknown): Stage => ({ at: 'failed', error }));
      if (own.signal.aborted) return;
      setStage(full);
    }
    setBusy('');
  }

  const open = (list: () => Promise<readonly HeldFile[]>, missing?: MissingRule) =>
    run('Reading…', async (signal) => {
      const files = await list();
      /** Shows what is opened, where nothing else is shown. */
      const wait = async (opened: Opened | null) => {
        if (signal.aborted) return;
        if (opened) setBusy('Computing…');
        setStage((stage) => (stage.at === 'ready' ? stage : { at: 'waiting', files, opened }));
        await painted();
      };
      try {
        await wait(null);
        const opened = await recognise(files, missing);
        await wait(opened);
        const onProgress = (what: string, done: number, total: number) => {
          if (!signal.aborted) setCourse({ what, done, total });
        };
        const result = await ownResult(opened, { signal, onProgress });
        return { at: 'ready', opened, choices: ownChoices(opened), result };
      } catch (error) {
        return { at: 'failed', error, files };
      }
    });

  useEffect(() => {
    if (given) void open(async () => givenFiles(given));
  }, [given]);

  function drop(list: Iterable<File>): void {
    const files = [...list];
    if (files.length === 0) return;
    setOwn(false);
    void open(async () => chosenFiles(files));
  }

  function go(part: Partial<Address>): void {
    const next = { ...address, ...part };
    const hash = addressHash(next);
    // A view is a place to come back to; a sorting or a filter is none.
    if (next.view === address.view) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
    setAddress(next);
  }

  function choose(shown: Extract<Stage, { at: 'ready' }>, choices: Choices): void {
    void run('Computing…', async (signal) => {
      try {
        const { opened } = shown;
        const result = await inferShown(opened as ShownScores, choices, { signal });
        return { ...shown, choices, result, refused: undefined };
      } catch (error) {
        if (error instanceof FlavourError) return { ...shown, refused: error };
        throw error;
      }
    });
  }

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const { dataTransfer } = event;
    if (!dataTransfer) return;
    setOwn(false);
    // What was dropped is gone when this function ends, so it is asked for at once.
    const files = droppedFiles(dataTransfer);
    void open(() => files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same can be done with the button of the file chooser
    <div class="page" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <p class="status" role="status">
        {busy}
      </p>
      {stage.at === 'empty' && (
        <main>
          <h1>flavourbench</h1>
          <DropPlace onFiles={drop} />
        </main>
      )}
      {stage.at === 'waiting' && <Waiting {...{ course, ...stage }} />}
      {stage.at === 'failed' && (
        <Failed error={stage.error} onFiles={drop} onRule={(rule) => void open(async () => stage.files ?? [], rule)} />
      )}
      {stage.at === 'ready' && (
        <Shown
          {...{ address, go, onFiles: drop, ...stage }}
          verification={(own && given?.verification) || null}
          command={commandFor(
            commandOver(stage.opened, own && given ? given.command : null),
            stage.choices,
            ownChoices(stage.opened),
          )}
          choose={(next) => choose(stage, next)}
        />
      )}
    </div>
  );
}

/** What is wrong, by the code of an error, where it is no fault of the file. */
const HEADINGS: Readonly<Record<string, string>> = {
  INCOMPLETE: 'Some scores are missing',
  BOUND_EXCEEDED: 'This is too large',
};

interface FailedProps {
  readonly error: unknown;
  readonly onFiles: (list: Iterable<File>) => void;
  readonly onRule: (rule: MissingRule) => void;
}

function Failed({ error, onFiles, onRule }: FailedProps) {
  const known = error instanceof FlavourError;
  const incomplete = known && error.code === 'INCOMPLETE';
  return (
    <main>
      <h1>{!known ? 'The page has failed' : (HEADINGS[error.code] ?? 'This cannot be read')}</h1>
      <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
      {known && error.hint && <p>{error.hint}</p>}
      {incomplete && (
        <p class="actions">
          <button type="button" onClick={() => onRule('common-tasks')}>
            Take the tasks that every model has
          </button>{' '}
          <button type="button" onClick={() => onRule('bounds')}>
            Keep all: what holds whatever is missing
          </button>
        </p>
      )}
      <DropPlace onFiles={onFiles} />
    </main>
  );
}
