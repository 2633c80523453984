import { shown } from '../util/error.js';

/** Characters that take no room: joiners, marks of direction, soft hyphens. */
const HIDDEN = /\p{Cf}/gu;

/** A name without what the eye may not see: blanks, case, characters without width, normal form. */
const folded = (name: string): string => name.normalize('NFKC').replace(HIDDEN, '').replace(/\s+/g, '').toLowerCase();

/** Most pairs that a warning names. */
const NAMED = 3;

/** Says which names look alike and are different ones (reading 1.14), as sentences without a full stop; nothing where all look different. */
export function alikeWords(noun: 'model' | 'task', names: readonly string[]): string[] {
  const first = new Map<string, string>();
  const pairs: (readonly [string, string])[] = [];
  for (const name of names) {
    const key = folded(name);
    const before = first.get(key);
    if (before === undefined) first.set(key, name);
    else if (before !== name) pairs.push([before, name]);
  }
  if (pairs.length === 0) return [];
  const said = pairs.slice(0, NAMED).map(([a, b]) => `${laidBare(a)} and ${laidBare(b)} (${difference(a, b)})`);
  const more = pairs.length > NAMED ? ` and ${pairs.length - NAMED} pairs more` : '';
  return [`${noun}s that look alike are counted as different: ${said.join('; ')}${more}`];
}

/** A name with its hidden characters and odd blanks written out. */
function laidBare(name: string): string {
  return shown(name).replace(/\p{Cf}|[^\S ]/gu, (c) => `\\u${c.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}

/** In which way two names differ that look alike. */
function difference(a: string, b: string): string {
  const ways: readonly (readonly [string, (name: string) => string])[] = [
    ['normal form', (name) => name.normalize('NFC')],
    ['characters without width', (name) => name.replace(HIDDEN, '')],
    ['blanks', (name) => name.replace(/\s+/g, '')],
    ['case', (name) => name.toLowerCase()],
  ];
  return ways.find(([, change]) => change(a) === change(b))?.[0] ?? 'blanks, case, width or normal form';
}
