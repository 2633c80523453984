import { type Claims, takeClaims } from './name-claims.js';
import { NUMBER_WORD, PORTION, PREPARATION, REMARK, STOP, stem, UNIT } from './name-words.js';

/** Letters that have no decomposition, as they are written without them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const SPECIAL = /[ßøæœłđðþı]/g;
const LONGEST = 200;
const COLOURS = new Set(['red', 'green', 'yellow', 'orange', 'sweet']);

/** Folds a name: lower case, without accents, words joined by one underscore. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => LETTERS[letter]!)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('_');
}

/** A name as somebody writes it, taken apart (reading 3.4). */
export interface AskedName {
  readonly folded: string;
  readonly claims: Claims;
  /** Every word but measures and claims. */
  readonly all: readonly string[];
  /** Without words of preparation. */
  readonly bare: readonly string[];
  /** The part before the first comma and the first remark, without words of preparation. */
  readonly head: readonly string[];
  /** Words that were left aside to get `head`, remarks aside. */
  readonly behind: readonly string[];
  /** `head` without cuts and portions at its end. */
  readonly core: readonly string[];
  /** What stood in brackets, without words of preparation. */
  readonly bracketed: readonly string[];
}

const isNumber = (word: string) => /^\d+[a-z]{0,2}$/.test(word);

const split = (text: string): string[] =>
  foldName(text)
    .split('_')
    .filter((word) => word !== '');

/** Drops numbers and measures at the beginning: `3`, `200 g`, `a pinch of`, `1 large bunch`. One word at least is left. */
function withoutMeasure(words: readonly string[]): readonly string[] {
  const of = words.indexOf('of');
  if (of > 0 && of < 6 && of < words.length - 1 && UNIT.has(stem(words[of - 1]!))) return words.slice(of + 1);
  let counted = false;
  let i = 0;
  for (; i < words.length - 1; i += 1) {
    const word = words[i]!;
    if (isNumber(word) || NUMBER_WORD.has(word)) counted = true;
    else if (!counted) break;
    else if (!UNIT.has(stem(word)) && !(PREPARATION.has(word) && UNIT.has(stem(words[i + 1]!))) && word !== 'of') break;
  }
  return words.slice(i);
}

/** Peppers are the vegetable, pepper is the spice. */
function vegetablePeppers(words: readonly string[]): readonly string[] {
  if (words.at(-1) !== 'peppers') return words;
  const others = words.slice(0, -1).filter((word) => !PREPARATION.has(word));
  if (others.some((word) => !COLOURS.has(word))) return words;
  return [...others.filter((word) => word !== 'sweet'), 'bell', 'pepper'];
}

function cutAt(words: readonly string[], ends: (word: string) => boolean): readonly string[] {
  const i = words.findIndex((word, at) => at > 0 && ends(word));
  return i < 0 ? words : words.slice(0, i);
}

const kept = (words: readonly string[]) => words.filter((word) => !STOP.has(word));
const unprepared = (words: readonly string[]) =>
  kept(words).filter((word) => !PREPARATION.has(word) && !isNumber(word));

function withoutPortion(words: readonly string[]): readonly string[] {
  let end = words.length;
  while (end > 1 && PORTION.has(stem(words[end - 1]!))) end -= 1;
  return words.slice(0, end);
}

/** Takes a name apart: brackets, parts between commas, measures, claims, words of preparation. */
export function readAskedName(asked: string): AskedName {
  const text = asked.slice(0, LONGEST).replace(/['’]s\b/g, 's');
  const brackets: string[] = [];
  const plain = text.replace(/[([{]([^)\]}]*)(?:[)\]}]|$)/g, (_, inside: string) => {
    brackets.push(inside);
    return ' ';
  });
  const absent = new Set<string>();
  const avoided = new Set<string>();
  const claims = { absent, avoided, diet: null as Claims['diet'], mock: false };
  const unclaimed = (words: readonly string[]): readonly string[] => {
    const found = takeClaims(words);
    for (const word of found.claims.absent) absent.add(word);
    for (const word of found.claims.avoided) avoided.add(word);
    claims.diet = found.claims.diet ?? claims.diet;
    claims.mock ||= found.claims.mock;
    return found.rest;
  };
  const [first = [], ...later] = plain
    .split(/[;:–—]|,(?!\d)/)
    .map(split)
    .filter((words) => words.length > 0);
  const lead = vegetablePeppers(unclaimed(withoutMeasure(first)));
  const rest = later.map(unclaimed);
  const inside = brackets.map(split).flatMap(unclaimed);
  const all = kept([...lead, ...rest.flat()]);
  const head = unprepared(cutAt(lead, (word) => REMARK.has(word) || isNumber(word)));
  return {
    folded: foldName(asked.slice(0, LONGEST)),
    claims,
    all,
    bare: unprepared(all),
    head,
    behind: rest.flatMap((words) =>
      REMARK.has(words[0] ?? '') ? [] : unprepared(cutAt(words, (word) => REMARK.has(word))),
    ),
    core: withoutPortion(head),
    bracketed: unprepared(inside),
  };
}
