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

/** Lists the names whose spelling is nearest to what was written, best first. */
export function nearestSpellings(written: string, names: readonly string[], count: number): string[] {
  const pairs = bigrams(written.slice(0, 200));
  return names
    .map((name) => ({ name, near: dice(pairs, bigrams(name)) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, count)
    .map(({ name }) => name);
}

/** Finds the name whose spelling is nearest to what was written; undefined where there is no name. */
export function nearestSpelling(written: string, names: readonly string[]): string | undefined {
  return nearestSpellings(written, names, 1)[0];
}
