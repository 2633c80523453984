/** How labels are cut: the room that a text takes, and the mark that stands where letters are gone. */
export interface Cut {
  measure(text: string): number;
  readonly mark: string;
}

/** The longest cut that fits: `cut(kept)` of at most `letters` kept letters. */
function widestCut(letters: number, fits: (kept: number) => boolean): number {
  let low = 0;
  let high = letters;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Cuts a text of one line in its middle so that it takes no more room than `width`: names differ at both ends. */
export function cutMiddle(text: string, width: number, { measure, mark }: Cut): string {
  if (measure(text) <= width) return text;
  const letters = [...text];
  const cut = (kept: number): string => {
    const tail = Math.floor(0.45 * kept);
    const head = letters
      .slice(0, kept - tail)
      .join('')
      .trimEnd();
    return `${head}${mark}${letters
      .slice(letters.length - tail)
      .join('')
      .trimStart()}`;
  };
  return cut(widestCut(letters.length - 1, (kept) => measure(cut(kept)) <= width));
}

/** A text cut at both ends, from a few letters before `from`. */
function cutFrom(text: string, from: number, width: number, { measure, mark }: Cut): string {
  const letters = [...text];
  const start = Math.max(0, Math.min(from - 4, letters.length - 1));
  const cut = (kept: number) =>
    `${mark}${letters.slice(start, start + kept).join('')}${start + kept < letters.length ? mark : ''}`;
  return cut(widestCut(letters.length - start, (kept) => measure(cut(kept)) <= width));
}

/** Rows by label, where several have the same. */
function alike(labels: readonly string[], rows: Iterable<number>): number[][] {
  const byLabel = new Map<string, number[]>();
  for (const i of rows) {
    const same = byLabel.get(labels[i]!);
    if (same === undefined) byLabel.set(labels[i]!, [i]);
    else same.push(i);
  }
  return [...byLabel.values()].filter(({ length }) => length > 1);
}

/** Cuts labels of one line so that they fit; where different names would look alike, what is kept begins where they part. */
export function cutDistinctly(names: readonly string[], width: number, cut: Cut): string[] {
  const labels = names.map((name) => cutMiddle(name, width, cut));
  const groups = alike(labels, labels.keys());
  for (let rows = groups.pop(); rows !== undefined; rows = groups.pop()) {
    const letters = rows.map((i) => [...names[i]!]);
    const first = letters[0]!;
    const parts = letters.flatMap((other) => {
      const at = first.findIndex((letter, k) => other[k] !== letter);
      return at < 0 ? [] : [at];
    });
    if (parts.length === 0) continue;
    const from = Math.min(...parts);
    for (const i of rows) labels[i] = cutFrom(names[i]!, from, width, cut);
    // Those that part further on are cut there in their turn.
    groups.push(...alike(labels, rows).filter(({ length }) => length < rows!.length));
  }
  return labels;
}
