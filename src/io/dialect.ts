import { DELIMITERS } from './delimited.js';

/** So much of a text is looked at. */
const SAMPLE = 65_536;
const ROWS = 100;

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** Cells in each of the first rows, or null where quotes do not go with this delimiter. */
function cellCounts(bytes: Uint8Array, delimiter: number): number[] | null {
  const counts: number[] = [];
  let at = 0;
  while (at < bytes.length && counts.length < ROWS) {
    let cells = 1;
    let begins = true;
    let quoted = false;
    const start = at;
    for (; at < bytes.length && (quoted || bytes[at] !== LF); at += 1) {
      const byte = bytes[at];
      if (quoted) {
        if (byte !== QUOTE) continue;
        if (bytes[at + 1] === QUOTE) at += 1;
        else {
          quoted = false;
          const next = bytes[at + 1];
          if (next !== undefined && next !== delimiter && next !== LF && next !== CR) return null;
        }
      } else if (byte === delimiter) {
        cells += 1;
        begins = true;
        continue;
      } else if (byte === QUOTE && begins) quoted = true;
      begins = false;
    }
    const whole = at < bytes.length || bytes.length < SAMPLE;
    if (whole && at > start && !(at === start + 1 && bytes[start] === CR)) counts.push(cells);
    at += 1;
  }
  return counts;
}

/**
 * Finds what separates the cells of a text: what gives every one of the first hundred rows as many cells as the first (or one more, for row
 * names), and the most of them; where nothing does, what gives the first row most; undefined where that has one cell alone (reading 1.2).
 */
export function delimiterOf(text: Uint8Array): keyof typeof DELIMITERS | undefined {
  const sample = text.subarray(0, SAMPLE);
  let best: { name?: keyof typeof DELIMITERS; even: boolean; cells: number } = { even: false, cells: 1 };
  for (const [name, byte] of Object.entries(DELIMITERS) as [keyof typeof DELIMITERS, number][]) {
    const counts = cellCounts(sample, byte);
    const cells = counts?.[0] ?? 0;
    if (counts === null || cells < 2) continue;
    const rest = counts.slice(1);
    const even =
      rest.every((count) => count === cells) || (rest.length > 0 && rest.every((count) => count === cells + 1));
    if (even === best.even ? cells > best.cells : even) best = { name, even, cells };
  }
  return best.name;
}
