import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cutDistinctly } from '../util/shorten.js';
import { shownOn, terminal } from './terminal.js';

/** A text as standard output will show it, so that what is measured is what comes out. */
const asShown = (text: string): string => shownOn(text, terminal);

/** Places that a text takes on a terminal. */
export const columnsOf = (text: string): number => stringWidth(text);

/** Cuts names of one line so that each takes at most `width` places, and different ones still differ. */
export function cutNames(names: readonly string[], width: number): string[] {
  return cutDistinctly(names.map(asShown), width, { measure: columnsOf, mark: asShown('…') });
}

const GAP = 2;
/** No column is cut to less. */
const LEAST = 8;

export interface TextTableOptions {
  /** A word that breaks into lines has line ends. */
  readonly head: readonly string[];
  /** Cells of one line, made plain before. */
  readonly rows: readonly (readonly string[])[];
  /** Places in a line. */
  readonly width: number;
  /** Columns to the right; those of numbers unless given. */
  readonly right?: readonly boolean[];
  /** Columns that may be cut; those of texts unless given. */
  readonly cut?: readonly boolean[];
  /** Titles of columns of texts that are not cut. */
  readonly whole?: readonly string[];
}

const NO_LINES = Object.fromEntries([
  ...['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((end) => [`${side}${end}`, '']),
  ),
  ['middle', ' '.repeat(GAP)],
]);

/** Writes rows under a header in lines of at most `width` places: the widest columns of texts are cut, in the middle of their cells. */
export function tableText({ head, rows: given, width, ...options }: TextTableOptions): string {
  const rows = given.map((row) => row.map(asShown));
  const numeric = head.map((_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.,]+$/.test(row[i]!)));
  const right = options.right ?? numeric;
  const mayCut = options.cut ?? numeric.map((is, i) => !is && !options.whole?.includes(head[i]!));
  const widths = head.map((title, i) => {
    const cells = rows.map((row) => columnsOf(row[i]!));
    return Math.max(
      ...title.split('\n').map(columnsOf),
      cells.reduce((most, n) => Math.max(most, n), 0),
    );
  });
  const most = mostForTexts(widths, mayCut, width - GAP * (head.length - 1));
  const shown = head.map((_, i) => {
    const cells = rows.map((row) => row[i]!);
    return mayCut[i] && widths[i]! > most ? cutNames(cells, most) : cells;
  });
  const table = new Table({
    head: [...head],
    colAligns: right.map((is) => (is ? 'right' : 'left')),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  rows.forEach((_, r) => {
    table.push(shown.map((cells) => cells[r]!));
  });
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The width to which columns of texts are cut so that all together fit; as wide as they are where they do. */
function mostForTexts(widths: readonly number[], mayCut: readonly boolean[], room: number): number {
  const fits = (most: number) =>
    widths.reduce((sum, width, i) => sum + (mayCut[i] ? Math.min(width, most) : width), 0) <= room;
  let most = widths.reduce((widest, width) => Math.max(widest, width), 0);
  while (most > LEAST && !fits(most)) most -= 1;
  return most;
}

/**
 * Breaks lines that are wider than `width` between words, what follows moved in two places further than the line itself. A word that is wider, a
 * path or a digest, stays whole: whoever copies it gets it so.
 */
export function brokenLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (columnsOf(line) <= width) return [line];
      const indent = /^ */.exec(line)![0];
      const lines = [indent];
      for (const word of line.slice(indent.length).split(' ')) {
        const last = lines.at(-1)!;
        const isEmpty = last.trim() === '';
        if (!isEmpty && columnsOf(last) + 1 + columnsOf(word) > width) lines.push(`${indent}  ${word}`);
        else lines[lines.length - 1] = isEmpty ? `${last}${word}` : `${last} ${word}`;
      }
      return lines.map((each) => each.trimEnd());
    })
    .join('\n');
}

/** Parts of a word that fit into a line. */
function pieces(word: string, width: number): string[] {
  const parts = [''];
  for (const letter of columnsOf(word) <= width ? [word] : word) {
    const longer = `${parts.at(-1)!}${letter}`;
    if (parts.at(-1) !== '' && columnsOf(longer) > width) parts.push(letter);
    else parts[parts.length - 1] = longer;
  }
  return parts;
}

/** Breaks text at spaces into lines of at most `width` places, and a word that is longer anywhere; its own line ends are kept. */
export function wrapped(text: string, width: number): string {
  return asShown(text)
    .split('\n')
    .flatMap((paragraph) => {
      const lines: string[] = [''];
      for (const word of paragraph.split(' ').flatMap((each) => pieces(each, width))) {
        const last = lines.at(-1)!;
        if (last !== '' && columnsOf(last) + 1 + columnsOf(word) > width) lines.push(word);
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
      }
      return lines;
    })
    .join('\n');
}
