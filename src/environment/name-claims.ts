import type { IngredientTags } from './environment.js';
import { BODY_PARTS, HARMLESS, MEATS, OF_ANIMALS, stem } from './name-words.js';

/** What a name says that a thing is not, or holds not (reading 3.4). */
export interface Claims {
  /** Stems of what is not in it: `sugar` of "sugar-free", "no sugar", "sugarless". */
  readonly absent: ReadonlySet<string>;
  readonly diet: 'vegan' | 'vegetarian' | null;
  /** Whether it stands for something else: an imitation, a substitute. */
  readonly mock: boolean;
  /** Stems that a name must not hold: `salted` of "unsalted", `salt` of "no added salt". */
  readonly avoided: ReadonlySet<string>;
}

const MOCK = new Set(
  'substitute substitutes replacement replacer alternative alternatives analog analogue imitation mock faux fake artificial'.split(
    ' ',
  ),
);
const BEFORE = new Set(['no', 'without', 'sans', 'minus', 'zero', 'non']);
const FILLER = new Set(['added', 'any', 'the', 'a', 'of', 'from', 'additional', 'extra']);
/** Words in "-less" that name a part, or nothing at all. */
const PARTLESS = /^(?:bone|skin|seed|stem|rind|crust|shell|tail|head|pit|stone|stain|odour|odor|taste|count)less$/;
/** A cheap look before names are taken apart. */
const CLAIMING =
  /free|less|vegan|vegetarian|veggie|plant|without|^(?:no|non|zero|sans|minus)|_(?:no|non|zero)|substitute|replace|altern|analog|imitation|mock|faux|fake|artificial|decaf|^un|_un/;
const NOTHING: Claims = { absent: new Set(), diet: null, mock: false, avoided: new Set() };

interface Draft {
  readonly absent: Set<string>;
  readonly avoided: Set<string>;
  diet: Claims['diet'];
  mock: boolean;
}

/** Takes the claims out of folded words. Returns them and the words that are left. */
export function takeClaims(words: readonly string[]): { readonly claims: Claims; readonly rest: readonly string[] } {
  if (!CLAIMING.test(words.join('_'))) return { claims: NOTHING, rest: words };
  const draft: Draft = { absent: new Set(), avoided: new Set(), diet: null, mock: false };
  const rest: string[] = [];
  for (let i = 0; i < words.length; ) i = takeOne(words, i, draft, rest);
  return { claims: draft, rest };
}

function deny(draft: Draft, word: string, soft: boolean): void {
  const key = stem(word.replace(/^alcoholic$/, 'alcohol'));
  if (BODY_PARTS.has(key) || HARMLESS.has(key)) return;
  if (!soft) draft.absent.add(key);
  else for (const each of [key, stem(`${word}ed`)]) draft.avoided.add(each);
}

/** Reads the claim that begins at a place, or keeps the word. Returns the place after it. */
function takeOne(words: readonly string[], i: number, draft: Draft, rest: string[]): number {
  const word = words[i]!;
  const next = words[i + 1];
  if (word === 'free') return takeFree(words, i, draft, rest);
  if (BEFORE.has(word) && next !== undefined) return takeDenied(words, i, draft);
  if (word === 'vegan' || (word === 'plant' && next === 'based') || word === 'plantbased') {
    draft.diet = 'vegan';
    return i + (word === 'plant' ? 2 : 1);
  }
  if (word === 'vegetarian' || word === 'veggie' || word === 'meatless') {
    draft.diet ??= 'vegetarian';
    return i + 1;
  }
  if (MOCK.has(word)) draft.mock = true;
  else if (word.startsWith('decaf')) deny(draft, 'caffeine', false);
  else if (/^.{3,}free$/.test(word)) deny(draft, word.slice(0, -4), false);
  else if (/^.{3,}less$/.test(word) && !PARTLESS.test(word)) deny(draft, word.slice(0, -4), false);
  else if (/^non(?:dairy|fat|alcoholic|gmo|stick)$/.test(word)) deny(draft, word.slice(3), false);
  else {
    if (/^un(?:salted|sweetened|smoked|roasted|cured|peeled)$/.test(word)) draft.avoided.add(stem(word.slice(2)));
    rest.push(word);
  }
  return i + 1;
}

/** `X free`, `X and Y free`, `free of X`, `free from X`; not `free range`. */
function takeFree(words: readonly string[], i: number, draft: Draft, rest: string[]): number {
  const next = words[i + 1];
  if (next === 'range') return i + 2;
  if ((next === 'of' || next === 'from') && words[i + 2] !== undefined) {
    deny(draft, words[i + 2]!, false);
    return i + 3;
  }
  const before = rest.pop();
  if (before !== undefined) deny(draft, before, false);
  if (rest.at(-1) === 'and' || rest.at(-1) === 'or') {
    rest.pop();
    deny(draft, rest.pop() ?? '', false);
  }
  return i + 1;
}

/** `no X`, `without X`, `no added X`, `no X added`, `non X`, and more of them joined by `and` or `or`. */
function takeDenied(words: readonly string[], i: number, draft: Draft): number {
  let at = i + 1;
  let soft = false;
  const skip = () => {
    while (at < words.length - 1 && FILLER.has(words[at]!)) {
      soft ||= words[at] === 'added';
      at += 1;
    }
  };
  skip();
  const denied = [words[at]!];
  at += 1;
  while ((words[at] === 'or' || words[at] === 'and') && words[i] !== 'non' && words[at + 1] !== undefined) {
    denied.push(words[at + 1]!);
    at += 2;
  }
  if (words[at] === 'added') {
    soft = true;
    at += 1;
  }
  for (const word of denied) deny(draft, word, soft);
  return at;
}

const isVegetarian = (word: string) => MEATS.has(word);
const isVegan = (word: string) => MEATS.has(word) || OF_ANIMALS.has(word);

/** Whether what one name claims follows from what another one claims. */
export function claimsFollow(asked: Claims, stated: Claims): boolean {
  if (asked.mock && !stated.mock && stated.diet === null) return false;
  if (asked.diet === 'vegan' && stated.diet !== 'vegan') return false;
  if (asked.diet === 'vegetarian' && stated.diet === null && !stated.mock) return false;
  return [...asked.absent].every(
    (word) =>
      stated.absent.has(word) ||
      (stated.diet === 'vegan' && isVegan(word)) ||
      (stated.diet === 'vegetarian' && isVegetarian(word)),
  );
}

/** Whether the tags of an ingredient prove what is claimed. An imitation is proved by nothing. */
export function claimsProved(asked: Claims, tags: Pick<IngredientTags, 'vegan' | 'vegetarian'> | null): boolean {
  if (asked.mock) return false;
  if (asked.diet !== null && !tags?.[asked.diet]) return false;
  return [...asked.absent].every(
    (word) => (tags?.vegan === true && isVegan(word)) || (tags?.vegetarian === true && isVegetarian(word)),
  );
}

/** Whether anything is claimed that a name must state or tags must prove. */
export const claimsAnything = ({ absent, diet, mock }: Claims): boolean => absent.size > 0 || diet !== null || mock;
