import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScoreFile } from '../scores/read-scores.js';
import { FlavourError } from '../util/error.js';
import { shellWord } from '../util/text.js';
import { type Address, addressHash, readAddress } from './address.js';
import { chosenFiles, type Given, givenFiles } from './given.js';
import { type Choices, commandFor, OWN_CHOICES } from './reader-choices.js';
import { inferScores, openScores, type Result, type ShownScores } from './shown-scores.js';
import { DropPlace } from './views/drop-place.js';
import { Shown } from './views/shown.js';

/** What the page is at. */
type Stage =
  | { readonly at: 'empty' | 'waiting' }
  | { readonly at: 'failed'; readonly error: unknown }
  | {
      readonly at: 'ready';
      readonly scores: ShownScores;
      readonly choices: Choices;
      readonly result: Result;
      /** Why the choices that were asked for last gave nothing; the result is of those before. */
      readonly refused?: FlavourError;
    };

/** The command over files that were dropped, by their names alone: where they lie a page is not told. */
const rankAuditOf = ({ files }: ShownScores) =>
  ['flavourbench rank-audit', ...files.map(({ name }) => shellWord(name))].join(' ');

/** Lets the browser paint before work that takes its thread. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** The whole page: it opens what it was given or what is dropped on it, infers, and shows the view of its address. */
export function App({ given }: { readonly given: Given | null }) {
  const [stage, setStage] = useState<Stage>({ at: given === null ? 'empty' : 'waiting' });
  const [busy, setBusy] = useState('');
  const [own, setOwn] = useState(given !== null);
  const [address, setAddress] = useState<Address>(() => readAddress(location.hash));
  const latest = useRef(0);

  useEffect(() => {
    const follow = () => setAddress(readAddress(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  /** Runs work and shows its end, unless other work was begun since. */
  async function run(text: string, work: () => Promise<Stage>): Promise<void> {
    const turn = ++latest.current;
    setBusy(text);
    await painted();
    const next = await work().catch((error: unknown): Stage => ({ at: 'failed', error }));
    if (turn !== latest.current) return;
    setBusy('');
    setStage(next);
  }

  const open = (name: string, files: () => Promise<readonly ScoreFile[]>) =>
    run(`Reading ${name}…`, async () => {
      const scores = await openScores(await files());
      return { at: 'ready', scores, choices: OWN_CHOICES, result: await inferScores(scores, OWN_CHOICES) };
    });

  useEffect(() => {
    if (given) void open(given.files.map(({ name }) => name).join(', '), () => givenFiles(given));
  }, [given]);

  function drop(list: Iterable<File>): void {
    const files = [...list];
    if (files.length === 0) return;
    setOwn(false);
    void open(files.map(({ name }) => name).join(', '), () => chosenFiles(files));
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
    void run('Computing…', async () => {
      try {
        return { ...shown, choices, result: await inferScores(shown.scores, choices), refused: undefined };
      } catch (error) {
        if (error instanceof FlavourError) return { ...shown, refused: error };
        throw error;
      }
    });
  }

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    drop(event.dataTransfer?.files ?? []);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same can be done with the button of the file chooser
    <div class="page" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <p class="status" role="status">
        {busy}
      </p>
      {stage.at === 'empty' && <DropPlace onFiles={drop} />}
      {stage.at === 'failed' && <Failed error={stage.error} onFiles={drop} />}
      {stage.at === 'ready' && (
        <Shown
          {...{ address, go, onFiles: drop, ...stage }}
          command={commandFor(own && given ? given.command : rankAuditOf(stage.scores), stage.choices)}
          choose={(next) => choose(stage, next)}
        />
      )}
    </div>
  );
}

function Failed({ error, onFiles }: { readonly error: unknown; readonly onFiles: (list: Iterable<File>) => void }) {
  const known = error instanceof FlavourError;
  return (
    <main>
      <h1>{known ? 'This cannot be read' : 'The page has failed'}</h1>
      <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
      {known && error.hint && <p>{error.hint}</p>}
      <DropPlace onFiles={onFiles} />
    </main>
  );
}
