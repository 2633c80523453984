import { pairIndex } from '../../engine/design.js';

export interface LetterOptions {
  /** Models by point rank, best first. */
  readonly order: ArrayLike<number>;
  /** Per pair of models (`pairIndex` order): told apart by the decision in force. */
  readonly apart: ArrayLike<number>;
}

/** Compact letter display: two models share a letter exactly where they are not told apart. */
export interface Letters {
  /** By model: its letters, `ab`; null where there would be more than 26. */
  readonly letters: readonly string[] | null;
  /** Sets found, 27 at most: maximal sets of models of which no two are told apart; models of a set by rank, sets by their models. */
  readonly sets: readonly (readonly number[])[];
  /** The search found all sets there are; false where it ended before. */
  readonly complete: boolean;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
/** Steps of the search after which it is given up: many a step may find no set. */
const MOST_STEPS = 100_000;

/**
 * Forms the letters (decisions 1.6): one for each maximal set of models of which no two are told apart, a for the set that begins with the best
 * model. Sets are ordered as words are, by the places of their models. Past 26 sets there are no letters.
 */
export function compactLetters(options: LetterOptions): Letters {
  const { order } = options;
  const models = order.length;
  const { sets: found, complete } = maximalSets(options);
  const sets = found.sort(byPlaces).map((set) => set.map((place) => order[place]!));
  if (!complete || sets.length > ALPHABET.length) return { letters: null, sets, complete };
  const letters = new Array<string>(models).fill('');
  sets.forEach((set, k) => {
    for (const model of set) letters[model] += ALPHABET[k]!;
  });
  return { letters, sets, complete };
}

/** Lists, for a model, the others that it is not told apart from, best first. */
export function unresolvedWith({ order, apart }: LetterOptions, model: number): number[] {
  const n = order.length;
  const found = new Int32Array(n);
  let count = 0;
  for (let place = 0; place < n; place += 1) {
    const other = order[place]!;
    if (other !== model && !apart[other < model ? pairIndex(other, model, n) : pairIndex(model, other, n)])
      found[count++] = other;
  }
  // A list that grows leaves what it outgrew behind, megabytes over all models.
  const others = new Array<number>(count);
  for (let k = 0; k < count; k += 1) others[k] = found[k]!;
  return others;
}

function byPlaces(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < a.length && k < b.length; k += 1) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}

/** A set of places 0 to n - 1, 32 in a word. */
type Places = Int32Array;

/**
 * Finds the maximal cliques of the graph of models not told apart: Bron and Kerbosch's search, with the pivot that has most neighbours among the
 * candidates, until there is a set more than there are letters. Places are ranks.
 */
function maximalSets({ order, apart }: LetterOptions): { sets: number[][]; complete: boolean } {
  const n = order.length;
  const words = (n + 31) >> 5;
  const joined = Array.from({ length: n }, () => new Int32Array(words));
  for (let a = 0; a < n; a += 1)
    for (let b = a + 1; b < n; b += 1) {
      const i = Math.min(order[a]!, order[b]!);
      const j = Math.max(order[a]!, order[b]!);
      if (apart[pairIndex(i, j, n)]) continue;
      joined[a]![b >> 5]! |= 1 << (b & 31);
      joined[b]![a >> 5]! |= 1 << (a & 31);
    }
  const sets: number[][] = [];
  let steps = 0;
  const chosen: number[] = [];
  const goesOn = () => sets.length <= ALPHABET.length && steps < MOST_STEPS;
  const search = (candidates: Places, done: Places): void => {
    steps += 1;
    if (isEmpty(candidates)) {
      if (isEmpty(done)) sets.push([...chosen].sort((a, b) => a - b));
      return;
    }
    const pivot = joined[pivotOf(joined, candidates, done)]!;
    for (const place of placesOf(within(candidates, pivot, false))) {
      if (!goesOn()) return;
      const near = joined[place]!;
      chosen.push(place);
      search(within(candidates, near, true), within(done, near, true));
      chosen.pop();
      candidates[place >> 5]! &= ~(1 << (place & 31));
      done[place >> 5]! |= 1 << (place & 31);
    }
  };
  const all = new Int32Array(words);
  for (let place = 0; place < n; place += 1) all[place >> 5]! |= 1 << (place & 31);
  if (n > 0) search(all, new Int32Array(words));
  return { sets, complete: goesOn() };
}

function isEmpty(set: Places): boolean {
  for (let k = 0; k < set.length; k += 1) if (set[k] !== 0) return false;
  return true;
}

/** The places of a set that are in another too, or not. */
function within(set: Places, other: Places, wanted: boolean): Places {
  const out = new Int32Array(set.length);
  for (let k = 0; k < set.length; k += 1) out[k] = set[k]! & (wanted ? other[k]! : ~other[k]!);
  return out;
}

function placesOf(set: Places): number[] {
  const places: number[] = [];
  set.forEach((word, k) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) places.push(32 * k + 31 - Math.clz32(rest & -rest));
  });
  return places;
}

/** The place, candidate or done, with the most neighbours among the candidates; the first of equal ones. */
function pivotOf(joined: readonly Places[], candidates: Places, done: Places): number {
  let best = -1;
  let most = -1;
  let all = 0;
  for (let k = 0; k < candidates.length; k += 1) all += bits(candidates[k]!);
  const none = isEmpty(done);
  for (let word = 0; word < candidates.length; word += 1)
    for (let rest = candidates[word]! | done[word]!; rest !== 0; rest &= rest - 1) {
      const place = 32 * word + 31 - Math.clz32(rest & -rest);
      const near = joined[place]!;
      let count = 0;
      for (let k = 0; k < candidates.length; k += 1) count += bits(candidates[k]! & near[k]!);
      if (count > most) {
        most = count;
        best = place;
      }
      // No place is a neighbour of itself: a candidate has one neighbour less than all at most.
      if (count === all || (count === all - 1 && none)) return best;
    }
  return best;
}

/** Number of bits set in a word. */
function bits(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
