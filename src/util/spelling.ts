import { shown } from './error.js';

/** Counts the pairs of neighbouring characters of a text, its ends among them, and how often each stands. */
export function bigrams(text: string): Map<string, number> {
  const out = new Map<string, number>();
  const padded = ` ${text} `;
  for (let i = 0; i + 1 < padded.length; i += 1) {
    const pair = padded.slice(i, i + 2);
    out.set(pair, (out.get(pair) ?? 0) + 1);
  }
  return out;
}

/** Computes the share of pairs that two texts have in common, 0 to 1 (Dice). */
export function dice(a: Map<string, number>, b: Map<string, number>): number {
  let common = 0;
  let total = 0;
  for (const [pair, n] of a) {
    common += Math.min(n, b.get(pair) ?? 0);
    total += n;
  }
  for (const n of b.values()) total += n;
  return (2 * common) / total;
}

/** A name without case and without what stands between its words. */
const bare = (name: string): string =>
  name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** So many characters of a name are looked at. */
const LONGEST = 200;

/** Counts the insertions, deletions, exchanges and swaps of neighbours that make one text of another. */
function distance(a: string, b: string): number {
  let [before, last] = [new Uint16Array(b.length + 1), Uint16Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = new Uint16Array(b.length + 1);
    row[0] = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + Number(!same));
      if (!same && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

/**
 * Tells whether a name may be meant by what was written: without case and what stands between words, one holds the other, of three letters
 * or more, or at most a third of the longer one would have to change.
 */
function isNear(written: string, name: string): boolean {
  const [a, b] = [bare(written), bare(name)];
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return true;
  return 3 * (long.length - short.length) <= long.length && 3 * distance(a, b) <= long.length;
}

/** Of so many that look most alike it is asked whether they are near. */
const ASKED = 20;

/** Lists the names that are near what was written (reading 4), best first; none where none is. */
export function nearestSpellings(written: string, names: readonly string[], count: number): string[] {
  const pairs = bigrams(written.slice(0, LONGEST));
  return names
    .map((name) => ({ name, alike: dice(pairs, bigrams(name)) }))
    .sort((a, b) => b.alike - a.alike)
    .slice(0, ASKED)
    .filter(({ name }) => isNear(written, name))
    .slice(0, count)
    .map(({ name }) => name);
}

/** Writes the name that is nearest to what was written, as a sentence of a hint; undefined where none is near. */
export function nearestHint(
  written: string,
  names: readonly string[],
  write: (name: string) => string = shown,
): string | undefined {
  const [name] = nearestSpellings(written, names, 1);
  return name === undefined ? undefined : `The nearest is ${write(name)}.`;
}

/** The same where nothing else names what there is: without a near name the first ones are listed. */
export function nearestOrAll(written: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const some = names.slice(0, LISTED).map((name) => shown(name));
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : '';
  return nearestHint(written, names) ?? `There is ${some.join(', ')}${more}.`;
}

const LISTED = 6;
