import { fail, shown } from '../util/error.js';
import { bigrams, dice } from '../util/spelling.js';
import { type AskedName, foldName, readAskedName } from './asked-name.js';
import { claimsAnything, claimsFollow, claimsProved, takeClaims } from './name-claims.js';
import { type Entry, type NamedSpace, NameIndex } from './name-index.js';
import { CONTRASTS, DESCRIPTION, FORM, NARROWER, OWN_KIND, stem } from './name-words.js';

type MatchKind = 'exact' | 'variant' | 'preparation' | 'plural' | 'words' | 'overlap';

/** What a name was taken for, and how. */
export interface Match {
  readonly row: number;
  readonly name: string;
  readonly asked: string;
  readonly how: MatchKind;
  /** Other ingredients that fitted as well, best first, at most five. */
  readonly others: readonly string[];
}

const LONGEST = 200;
const LEAST_OVERLAP = 0.5;

/** Finds ingredients by name, forgivingly, and says how (reading 3.4). */
interface Matcher {
  /** Throws INGREDIENT_UNKNOWN with the nearest spellings. */
  match(asked: string): Match;
  /** Names nearest in spelling, best first; none that the name asked for excludes. */
  suggest(asked: string, count: number): string[];
}

/** Whether one side names a colour, a state or a taste where the other names another one. */
function contrast(asked: readonly string[], own: readonly string[]): boolean {
  return CONTRASTS.some((group) => {
    const [a, b] = [asked, own].map((words) => words.filter((word) => group.has(word)));
    return a!.length > 0 && b!.length > 0 && !a!.some((word) => b!.includes(word));
  });
}

/** Whether words hold a pair that names something else than its second word, of which `others` has only the second. */
function splits(pairs: ReadonlySet<string>, words: readonly string[], others: ReadonlySet<string>): boolean {
  return words.some((word, i) => {
    const before = words[i - 1];
    return before !== undefined && others.has(word) && !others.has(before) && pairs.has(`${before} ${word}`);
  });
}

/** Whether a name is too little for what was asked: an onion for spring onions. */
const tooLittle = (asked: readonly string[], own: ReadonlySet<string>): boolean =>
  splits(OWN_KIND, asked, own) || splits(NARROWER, asked, own);

interface Found {
  readonly entries: readonly Entry[];
  readonly how: MatchKind;
}

/** Builds the look-up tables of an environment's names once. */
export function nameMatcher(environment: NamedSpace): Matcher {
  const { names, tags } = environment;
  const index = new NameIndex(environment);
  const own = names.length > 0 ? (row: number) => foldName(names[row]!).split('_') : () => [];

  /** Whether an entry contradicts what was asked; `proof`: whether tags may prove a claim that the name does not state. */
  function opposed(asked: AskedName, entry: Entry, proof: boolean): boolean {
    const { claims } = asked;
    if (claimsAnything(entry.claims) && !claimsFollow(entry.claims, claims)) return true;
    const target = own(entry.row);
    if (claims.avoided.size > 0 && [...entry.stems, ...target.map(stem)].some((word) => claims.avoided.has(word)))
      return true;
    if (contrast(asked.all, entry.words) || (entry.variant && contrast(asked.all, target))) return true;
    if (!claimsAnything(claims) || claimsFollow(claims, entry.claims)) return false;
    return !proof || !claimsProved(claims, tags?.[entry.row] ?? null);
  }

  /** The same words: in order, together, in any order. */
  function same(asked: AskedName, words: readonly string[]): readonly Entry[] {
    const stems = words.map(stem);
    const keys = [stems.join('_'), stems.join(''), [...new Set(stems)].sort().join('_')];
    for (const [i, map] of [index.byStems, index.byJoined, index.bySet].entries()) {
      const list = map.get(keys[i]!)?.filter((entry) => !opposed(asked, entry, true)) ?? [];
      if (list.length > 0) return list;
    }
    return [];
  }

  /** Names that hold all words asked, the one with the fewest others first. */
  function holding(asked: AskedName, words: readonly string[]): readonly Entry[] {
    const stems = [...new Set(words.map(stem))];
    const wanted = new Set(stems);
    const formed = FORM.has(stems.at(-1) ?? '');
    const fits = (entry: Entry) => {
      if (!stems.every((word) => entry.stems.includes(word)) || opposed(asked, entry, false)) return false;
      if (splits(OWN_KIND, entry.stems, wanted)) return false;
      const others = entry.stems.filter((word) => !wanted.has(word));
      if (formed && stems.length === 1 && others.some((word) => index.singles.has(word))) return false;
      const last = entry.stems.at(-1)!;
      if (wanted.has(last)) return true;
      const begins = stems.length > 1 && stems.every((word, i) => entry.stems[i] === word);
      return !FORM.has(last) && (begins || !index.singles.has(last));
    };
    const rarest = stems.map((word) => index.byWord.get(word) ?? []).sort((a, b) => a.length - b.length)[0] ?? [];
    const common = (entry: Entry) => (tags?.[entry.row]?.region.includes('universal') ? 0 : 1);
    const level = (entry: Entry) => tags?.[entry.row]?.nova ?? 9;
    return rarest
      .filter(fits)
      .sort(
        (a, b) =>
          a.stems.length - b.stems.length ||
          Number(a.variant) - Number(b.variant) ||
          common(a) - common(b) ||
          level(a) - level(b) ||
          a.row - b.row,
      );
  }

  /** Whether a word may be left out of what was asked without another thing coming of it. */
  const idle = (word: string) => !index.singles.has(word);

  /** Names all of whose words were asked, the last one last; the one with the most words first. */
  function held(asked: AskedName, words: readonly string[]): readonly Entry[] {
    const stems = words.map(stem);
    const wanted = new Set(stems);
    const last = stems.at(-1);
    return [...index.near(stems)]
      .filter((entry) => {
        if (entry.stems.at(-1) !== last || !entry.stems.every((word) => wanted.has(word))) return false;
        const others = words.filter((word) => !entry.stems.includes(stem(word)));
        const bare = entry.stems.length === 1 && FORM.has(last!);
        return (
          others.every((word) => (bare ? DESCRIPTION.has(word) : idle(stem(word)))) &&
          !tooLittle(stems, new Set(entry.stems)) &&
          !opposed(asked, entry, false)
        );
      })
      .sort((a, b) => b.stems.length - a.stems.length || Number(a.variant) - Number(b.variant) || a.row - b.row);
  }

  /** Names with two words or more and at least half of all words in common, the last one among them. */
  function overlapping(asked: AskedName, words: readonly string[]): readonly Entry[] {
    const stems = words.map(stem);
    const wanted = new Set(stems);
    const commonWords = (entry: Entry) => new Set(entry.stems.filter((word) => wanted.has(word))).size;
    const ratio = (entry: Entry) => {
      const common = commonWords(entry);
      return common / (wanted.size + new Set(entry.stems).size - common);
    };
    return [...index.near(stems)]
      .filter(
        (entry) =>
          entry.stems.at(-1) === stems.at(-1) &&
          commonWords(entry) >= 2 &&
          ratio(entry) >= LEAST_OVERLAP &&
          [...wanted].every((word) => entry.stems.includes(word) || idle(word)) &&
          entry.stems.every((word) => wanted.has(word) || idle(word)) &&
          !tooLittle(stems, new Set(entry.stems)) &&
          !opposed(asked, entry, false),
      )
      .sort((a, b) => ratio(b) - ratio(a) || a.row - b.row);
  }

  function find(asked: AskedName): Found | undefined {
    const { all, bare, head, behind, core, bracketed, folded } = asked;
    const plain = all.join('_') === folded;
    const steps: readonly (() => Found | undefined)[] = [
      () => found(same(asked, all), plain ? 'plural' : 'preparation'),
      () => found(same(asked, bare), 'preparation'),
      () => found(holding(asked, all), 'words'),
      () => found(holding(asked, bare), 'words'),
      ...(behind.every((word) => idle(stem(word)))
        ? [
            () => found(same(asked, head), 'preparation'),
            () => found(same(asked, core), 'preparation'),
            () => found(holding(asked, core), 'words'),
            () => found(held(asked, core), 'words'),
            () => found(overlapping(asked, core), 'overlap'),
          ]
        : []),
      () => found(same(asked, bracketed), 'words'),
    ];
    for (const step of steps) {
      const result = step();
      if (result) return result;
    }
    return undefined;
  }

  const found = (entries: readonly Entry[], how: MatchKind): Found | undefined =>
    entries.length === 0 ? undefined : { entries, how };

  function suggest(asked: string, count: number): string[] {
    const pairs = bigrams(foldName(asked.slice(0, LONGEST)));
    const { claims } = readAskedName(asked);
    const excluded = (name: string, row: number) =>
      claimsAnything(claims) &&
      !claimsFollow(claims, takeClaims(foldName(name).split('_')).claims) &&
      !claimsProved(claims, tags?.[row] ?? null);
    return names
      .map((name, row) => ({ name, row, score: dice(pairs, bigrams(foldName(name))) }))
      .filter(({ score, name, row }) => score > 0.2 && !excluded(name, row))
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .slice(0, count)
      .map(({ name }) => name);
  }

  function match(asked: string): Match {
    const made = (row: number, how: MatchKind, others: readonly string[] = []): Match => ({
      row,
      name: names[row]!,
      asked,
      how,
      others,
    });
    const name = readAskedName(asked);
    for (const [map, key, how] of [
      [index.exact, asked, 'exact'],
      [index.exact, name.folded, 'exact'],
      [index.variants, name.folded, 'variant'],
    ] as const) {
      const row = map.get(key);
      if (row !== undefined) return made(row, how);
    }
    const result = find(name);
    if (result) {
      const rows = [...new Set(result.entries.map(({ row }) => row))];
      const listed = result.how === 'words' || result.how === 'overlap' ? rows.slice(1, 6) : [];
      return made(
        rows[0]!,
        result.how,
        listed.map((row) => names[row]!),
      );
    }
    const nearest = suggest(asked, 5);
    const opposite = claimsAnything(name.claims)
      ? '; a name that does not say or prove what it is without is not taken'
      : '';
    fail(
      'INGREDIENT_UNKNOWN',
      null,
      `${shown(asked)} is not an ingredient of ${shown(environment.name)} (${names.length} names)${opposite}`,
      nearest.length > 0 ? `Nearest spellings: ${nearest.join(', ')}.` : 'No name is near in spelling.',
    );
  }

  return { match, suggest };
}
