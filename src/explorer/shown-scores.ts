import type { ScoreMatrix } from '../core/matrix.js';
import type { Inference } from '../inference/result.js';
import { type Choices, OWN_CHOICES, statedChoices } from './reader-choices.js';
import { scoreFiles } from './sources/held-file.js';
import type { Opened } from './sources/opened.js';
import { ask } from './work/ask-thread.js';
import type { AskedScores, HowAsked } from './work/thread-asks.js';

/** Scores that can be inferred from anew. */
export type ShownScores = Opened & { readonly matrix: ScoreMatrix };

/** What is shown of scores: what a document states, or what some choices gave. */
export interface Result {
  /** The matrix of the models that take part; null where the scores of tasks are not at hand. */
  readonly matrix: ScoreMatrix | null;
  readonly inference: Inference;
  /** Milliseconds that it took; null for what was not computed here but is stated. */
  readonly took: number | null;
  /** Cells are missing, and what is shown holds whatever their values are. */
  readonly bounded?: boolean;
  /** models x tasks: 1 where the value is missing, whatever the matrix holds there. */
  readonly absent?: Uint8Array | null;
  /** What the reading of files by these choices had to say. */
  readonly warnings?: readonly string[];
}

/** The choices that a page opens with: those of a document that states some, else those of `rank-audit`. */
export function ownChoices({ stated, missing }: Opened): Choices {
  if (stated) return statedChoices(stated.plan);
  return missing === undefined ? OWN_CHOICES : { ...OWN_CHOICES, missing };
}

/** Tells whether there are scores to infer from. */
export function hasScores(opened: Opened): opened is ShownScores {
  return opened.matrix !== null;
}

/** Gives what a page opens with: the stated result, or one that is made of the scores; null where there is neither. Errors: those of `inferScores`. */
export async function ownResult(opened: Opened, how: HowAsked = {}): Promise<Result | null> {
  const { stated, matrix } = opened;
  if (stated) return { matrix, inference: stated.inference, took: null };
  return hasScores(opened) ? inferShown(opened, ownChoices(opened), how) : null;
}

/** Adds to what is shown that the other of the two tests would decide otherwise, where it would: its flips are made once the numbers are there. */
export async function withOtherTest<
  S extends { readonly opened: Opened; readonly choices: Choices; readonly result: Result | null },
>(shown: S, signal: AbortSignal): Promise<S> {
  const { opened, choices, result } = shown;
  if (result === null || result.took === null || !hasScores(opened)) return shown;
  if (result.inference.strata.length < 2) return shown;
  const full = await inferShown(opened, choices, { signal, otherTest: true });
  return { ...shown, result: { ...full, took: result.took } };
}

const keys = new WeakMap<Opened, number>();
let known = 0;

/** Gives a number that nothing has yet. */
export function newKey(): number {
  known += 1;
  return known;
}

/** Numbers what was opened, so that nothing which belongs to one stays with another. */
export function openedKey(opened: Opened): number {
  const key = keys.get(opened) ?? newKey();
  keys.set(opened, key);
  return key;
}

/** Gives what was opened as the thread that computes takes it; files of a table or of logs are read there by the choices. */
async function askedScores(opened: ShownScores): Promise<AskedScores> {
  const { kind, files, matrix, stated } = opened;
  return {
    key: openedKey(opened),
    files: kind === 'table' ? await scoreFiles(files) : null,
    matrix: kind === 'table' ? null : matrix,
    plan: stated?.plan ?? null,
    names: new Map(stated?.inference.models.map(({ modelId, name }) => [modelId, name])),
  };
}

/** Infers by some choices in the thread that computes; a signal that is raised stops it. Errors: those of `inferScores`. */
export async function inferShown(
  opened: ShownScores,
  choices: Choices,
  { otherTest = false, ...how }: HowAsked & { readonly otherTest?: boolean } = {},
): Promise<Result> {
  return ask('infer', { scores: await askedScores(opened), choices, otherTest }, how);
}
