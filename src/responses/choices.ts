import { normalizeName } from '../util/text.js';

/** Candidate names of a task, ready to be looked up: normalised name to label number 0..7 (compiler c.2). */
export type ChoiceIndex = ReadonlyMap<string, number>;

const EMPTY: ChoiceIndex = new Map();
const known = new WeakMap<object, ChoiceIndex>();

/**
 * Makes the index of a task's choices: eight names in label order, or an object with the keys A to H. An empty index stands for
 * choices that are not exactly A to H or not eight distinct names; no answer to such a task can be read.
 */
export function choiceIndex(choices: readonly string[] | Readonly<Record<string, string>>): ChoiceIndex {
  const before = known.get(choices);
  if (before !== undefined) return before;
  const index = buildIndex(choices);
  known.set(choices, index);
  return index;
}

function buildIndex(choices: readonly string[] | Readonly<Record<string, string>>): ChoiceIndex {
  let names: readonly unknown[];
  if (Array.isArray(choices)) names = choices;
  else {
    const map = choices as Readonly<Record<string, string>>;
    if (Object.keys(map).length !== 8) return EMPTY;
    names = [...'ABCDEFGH'].map((label) => map[label]);
  }
  const index = new Map<string, number>();
  names.forEach((name, label) => {
    if (typeof name === 'string') index.set(normalizeName(name), label);
  });
  return names.length === 8 && index.size === 8 ? index : EMPTY;
}
