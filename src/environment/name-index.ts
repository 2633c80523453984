import { foldName } from './asked-name.js';
import type { Environment } from './environment.js';
import { type Claims, takeClaims } from './name-claims.js';
import { STOP, stem } from './name-words.js';

/** What has names. Tags prove what a name does not state. */
export type NamedSpace = Pick<Environment, 'name' | 'names' | 'variants'> & Partial<Pick<Environment, 'tags'>>;

/** A name, or another spelling of one, taken apart. */
export interface Entry {
  readonly row: number;
  readonly variant: boolean;
  /** Its words but claims. */
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly claims: Claims;
}

/** Look-up tables of all names and other spellings. */
export class NameIndex {
  readonly byStems = new Map<string, Entry[]>();
  readonly bySet = new Map<string, Entry[]>();
  readonly byJoined = new Map<string, Entry[]>();
  readonly byWord = new Map<string, Entry[]>();
  readonly exact = new Map<string, number>();
  readonly variants = new Map<string, number>();
  /** Stems of names of one word. */
  readonly singles = new Set<string>();

  constructor({ names, variants }: NamedSpace) {
    names.forEach((name, row) => {
      if (!this.exact.has(name)) this.exact.set(name, row);
    });
    names.forEach((name, row) => {
      const folded = foldName(name);
      if (folded !== '' && !this.exact.has(folded)) this.exact.set(folded, row);
      this.add(folded, row, false);
    });
    for (const [name, row] of variants) {
      const folded = foldName(name);
      if (folded !== '' && !this.variants.has(folded)) this.variants.set(folded, row);
      this.add(folded, row, true);
    }
  }

  private add(folded: string, row: number, variant: boolean): void {
    const { claims, rest } = takeClaims(folded.split('_'));
    const words = rest.filter((word) => word !== '' && !STOP.has(word));
    if (words.length === 0) return;
    const stems = words.map(stem);
    const entry: Entry = { row, variant, words, stems, claims };
    if (stems.length === 1) this.singles.add(stems[0]!);
    put(this.byStems, stems.join('_'), entry);
    put(this.bySet, [...new Set(stems)].sort().join('_'), entry);
    put(this.byJoined, stems.join(''), entry);
    for (const word of new Set(stems)) put(this.byWord, word, entry);
  }

  /** Entries that hold any of the words. */
  near(stems: readonly string[]): Set<Entry> {
    return new Set(stems.flatMap((word) => this.byWord.get(word) ?? []));
  }
}

function put(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}
