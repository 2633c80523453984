import { canonicalDigest } from '../io/canonical.js';
import { normalizeName } from '../util/text.js';
import { PORTFOLIOS, type Task } from './task.js';

/** Fewest different scores of a map that has a shape of its own; poorer maps agree by chance. */
const LEAST_DISTINCT = 4;

/** Places among the 56 portfolios of those that hold each label, 21 each. */
const WITH_LABEL = [...'ABCDEFGH'].map((label) =>
  PORTFOLIOS.flatMap((key, action) => (key.includes(label) ? [action] : [])),
);

/** Letters of other scripts that look like those of the second line. */
const ALIKE = new Map([...'аеорсухіјѕһӏԁԛԝοαρν'].map((letter, at) => [letter, 'aeopcyxijshldqwoapv'[at]!]));

/** A label or a number that stands before a name, as in `A) `, `(3) ` and `2. `. */
const LABEL = /^\s*[([]?(?:[A-Ha-h]|\d{1,2})[)\].:]\s+(?=\S)/;

/**
 * A name as it is read: letters in their plain form, without accents, characters that nobody sees, a label before it, and with blanks for
 * all that is no letter or number. A name of letters, numbers, blanks and `_` stays as it is.
 */
function seenName(name: string): string {
  if (/^[0-9A-Z_a-z ]*$/.test(name)) return normalizeName(name);
  const plain = name.normalize('NFKD').replace(/[\p{Cf}\p{M}\u115f\u1160]/gu, '');
  const words = plain.replace(LABEL, '').replace(/[^\p{L}\p{N}]+/gu, ' ');
  // Nothing but signs: they are the name.
  return normalizeName(words.trim() === '' ? plain : words).replace(
    /[^ -~]/gu,
    (letter) => ALIKE.get(letter) ?? letter,
  );
}

/**
 * Digest of the eight candidates whatever their order and spelling: names in compatible form without marks, unseen characters, labels and
 * punctuation, normalised (compiler c.2) and sorted (compiler e.7). Undefined for a task without eight of them.
 */
export function candidatesDigest(choices: readonly string[]): string | undefined {
  if (choices.length !== 8) return undefined;
  return canonicalDigest(choices.map(seenName).sort());
}

/**
 * Digest of a score map whatever its labels: of each label the scores of its 21 portfolios, sorted, and the eight lists sorted (compiler
 * e.7). Rotated labels, reordered and renamed candidates keep it. Undefined for a map with fewer than 4 different scores.
 */
export function shapeDigest(scores: ArrayLike<number>): string | undefined {
  const all = Array.from({ length: PORTFOLIOS.length }, (_, i) => scores[i] ?? 0);
  if (new Set(all).size < LEAST_DISTINCT) return undefined;
  const lists = WITH_LABEL.map((actions) => actions.map((action) => all[action]!).sort((a, b) => a - b));
  const words = lists.map((list) => list.map((score) => String(score).padStart(5, '0')).join(' '));
  return canonicalDigest(words.sort());
}

/** What makes a task the same task under another wording, order of labels or name (compiler e.7). */
export interface TaskContent {
  readonly candidates: ReadonlySet<string>;
  readonly shapes: ReadonlySet<string>;
}

/** Gathers the contents of tasks. */
export function contentOf(tasks: readonly Pick<Task, 'choices' | 'scores'>[]): TaskContent {
  return {
    candidates: new Set(tasks.flatMap(({ choices }) => candidatesDigest(choices) ?? [])),
    shapes: new Set(tasks.flatMap(({ scores }) => shapeDigest(scores) ?? [])),
  };
}

/** Tells by what a task is one of a content: its candidates, or its map; undefined where it is none. */
export function sameContent(
  { candidates, shapes }: TaskContent,
  task: { readonly choices: readonly string[]; readonly scores: ArrayLike<number> },
): 'candidates' | 'map' | undefined {
  const names = candidatesDigest(task.choices);
  if (names !== undefined && candidates.has(names)) return 'candidates';
  const shape = shapeDigest(task.scores);
  return shape !== undefined && shapes.has(shape) ? 'map' : undefined;
}
