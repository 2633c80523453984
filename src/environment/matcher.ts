import { fail, shown } from '../util/error.js';
import { bigrams, dice } from '../util/spelling.js';
import type { Environment } from './environment.js';

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

/** Words that say how an ingredient is prepared or sold, not what it is. */
const PREPARATION = new Set(
  (
    'baked beaten boiled boneless canned chilled chopped cold cooked cooled crushed cubed cut diced dried drained extra fine finely ' +
    'fresh freshly frozen grated ground halved hot large lean lightly medium melted minced of organic packed peeled pitted ' +
    'plain quality quartered raw rinsed ripe roasted rolled roughly seeded shelled shredded sifted skinless sliced slivered small ' +
    'softened soaked squeezed the thawed thick thickly thin thinly tinned toasted trimmed unsalted warm washed whole young'
  ).split(' '),
);
const LONGEST = 200;
const LEAST_OVERLAP = 0.5;

/** Folds a name: lower case, without accents, words joined by one underscore. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('_');
}

function singular(word: string): string {
  if (word.length < 4 || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|z|to|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

const singularName = (folded: string) => folded.split('_').map(singular).join('_');

/** Finds ingredients by name, forgivingly, and says how (compiler a.6). */
interface Matcher {
  /** Throws INGREDIENT_UNKNOWN with the nearest spellings. */
  match(asked: string): Match;
  /** Names nearest in spelling, best first. */
  suggest(asked: string, count: number): string[];
}

/** Builds the look-up tables of an environment's names once. */
export function nameMatcher(environment: Pick<Environment, 'name' | 'names' | 'variants'>): Matcher {
  const { names, variants } = environment;
  const first = new Map<string, number>();
  const second = new Map<string, number>();
  const plurals = new Map<string, number>();
  const words: string[][] = [];
  const holders = new Map<string, number[]>();
  const put = (map: Map<string, number>, key: string, row: number) => {
    if (key !== '' && !map.has(key)) map.set(key, row);
  };
  names.forEach((name, row) => {
    put(first, name, row);
  });
  names.forEach((name, row) => {
    const folded = foldName(name);
    put(first, folded, row);
    put(plurals, singularName(folded), row);
    const own = [...new Set(singularName(folded).split('_'))];
    words.push(own);
    for (const word of own) {
      const list = holders.get(word);
      if (list) list.push(row);
      else holders.set(word, [row]);
    }
  });
  for (const [name, row] of variants) {
    put(second, foldName(name), row);
    put(plurals, singularName(foldName(name)), row);
  }

  function suggest(asked: string, count: number): string[] {
    const pairs = bigrams(foldName(asked.slice(0, LONGEST)));
    return names
      .map((name, row) => ({ name, row, score: dice(pairs, bigrams(foldName(name))) }))
      .filter(({ score }) => score > 0.2)
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
    const folded = foldName(asked.slice(0, LONGEST));
    const bare = folded
      .split('_')
      .filter((word) => !PREPARATION.has(word))
      .join('_');
    for (const [map, key, how] of [
      [first, asked, 'exact'],
      [first, folded, 'exact'],
      [second, folded, 'variant'],
      [first, bare, 'preparation'],
      [second, bare, 'preparation'],
      [plurals, singularName(folded), 'plural'],
      [plurals, singularName(bare), 'preparation'],
    ] as const) {
      const row = map.get(key);
      if (row !== undefined) return made(row, how);
    }
    const wanted = [...new Set(singularName(bare === '' ? folded : bare).split('_'))];
    const near = ranked(wanted);
    for (const how of ['words', 'overlap'] as const) {
      const list = near.filter((found) => (how === 'words' ? found.subset : found.ratio >= LEAST_OVERLAP));
      if (list.length > 0) {
        return made(
          list[0]!.row,
          how,
          list.slice(1, 6).map(({ row }) => names[row]!),
        );
      }
    }
    const nearest = suggest(asked, 5);
    fail(
      'INGREDIENT_UNKNOWN',
      null,
      `${shown(asked)} is not an ingredient of ${shown(environment.name)} (${names.length} names)`,
      nearest.length > 0 ? `Nearest spellings: ${nearest.join(', ')}.` : 'No name is near in spelling.',
    );
  }

  /** Names that share a word: a subset first, then the same last word, then most shared words, then row order. */
  function ranked(wanted: readonly string[]) {
    const shared = new Map<number, number>();
    for (const word of wanted) for (const row of holders.get(word) ?? []) shared.set(row, (shared.get(row) ?? 0) + 1);
    return [...shared]
      .map(([row, common]) => {
        const own = words[row]!;
        return {
          row,
          subset: common === wanted.length || common === own.length,
          head: own.at(-1) === wanted.at(-1) ? 1 : 0,
          ratio: common / (wanted.length + own.length - common),
        };
      })
      .sort((a, b) => b.head - a.head || b.ratio - a.ratio || a.row - b.row);
  }

  return { match, suggest };
}
