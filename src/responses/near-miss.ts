import { normalizeName } from '../util/text.js';
import type { ChoiceIndex } from './choices.js';
import { type AnswerCode, CONTRADICTORY, EMPTY_SELECTION, NO_MARKER, WRONG_COUNT } from './outcome.js';
import { readText } from './parser.js';

/** How an unreadable answer could be read by somebody lenient (collection 2.7), the order in which they are tried. */
export const NEAR_MISSES = [
  'reasoning',
  'marker',
  'emphasis',
  'latex',
  'brackets',
  'trailing',
  'names',
  'separators',
  'list',
  'several',
] as const;

export type NearMiss = (typeof NEAR_MISSES)[number];

/** So much of an answer is looked at before and after its last marker. */
const WINDOW = 400;
/** What people write for the marker; each match is short, so the search is linear. */
const MARKER = /final[\s_*-]{0,4}(?:selection|answer|choice|portfolio)/gi;
const LABELS = 'ABCDEFGH';

const strictly = (segment: string, choices: ChoiceIndex): AnswerCode =>
  readText(`FINAL_SELECTION: ${segment}`, choices, 'v3').code;

/** The end of an answer from its last marker on, or from a box, else its last characters. */
function tailOf(text: string): { raw: string; tail: string; marked: boolean } {
  const from = Math.max(0, text.length - 4096);
  const end = text.slice(from);
  let last = -1;
  let after = 0;
  for (const match of end.matchAll(MARKER)) {
    last = match.index;
    after = match.index + match[0].length;
  }
  if (last >= 0) {
    const raw = end.slice(after, after + WINDOW);
    return { raw, tail: raw.replace(/^[\s*_`:=>~-]{0,40}/, ''), marked: true };
  }
  const box = end.lastIndexOf('\\boxed');
  const raw = box < 0 ? end.slice(-WINDOW) : end.slice(box, box + WINDOW);
  return { raw, tail: raw, marked: box >= 0 };
}

const firstLine = (tail: string): string => tail.split(/[\r\n]/, 1)[0]!;

/** The label that a piece of an answer means: a letter and a name, a name and a letter, or a name in another number. */
function meantLabel(piece: string, choices: ChoiceIndex): string | undefined {
  const text = piece.trim();
  const lettered = /^\(?([A-Ha-h])[).:\s–-]{1,3}\S/.exec(text) ?? /\S\s?[([]([A-Ha-h])[)\]]\W{0,2}$/.exec(text);
  if (lettered) return lettered[1]!.toUpperCase();
  if (/^[A-Ha-h]$/.test(text)) return text.toUpperCase();
  const bare = (name: string) =>
    normalizeName(name)
      .replace(/[.!?;:]+$/, '')
      .replace(/s$/, '');
  for (const [name, label] of choices) if (bare(name) === bare(text)) return LABELS[label];
  return undefined;
}

function meantLabels(pieces: readonly string[], choices: ChoiceIndex): string {
  const labels = pieces.map((piece) => meantLabel(piece, choices) ?? '?');
  return labels.length === 3 ? labels.join() : '';
}

/** What each kind makes of the end of an answer. */
const READINGS: Readonly<
  Record<Exclude<NearMiss, 'reasoning' | 'marker' | 'several'>, (tail: string, choices: ChoiceIndex) => string>
> = {
  emphasis: (tail) => firstLine(tail).replace(/[*_`~]+/g, ''),
  latex: (tail) => (/\\boxed\s?\{([^{}\n]{0,200})/.exec(tail)?.[1] ?? tail).replace(/\\text\s?/g, ''),
  brackets: (tail) => firstLine(tail).replace(/[()[\]{}<>"'“”‘’«»$]+/g, ''),
  trailing: (tail) => {
    const line = firstLine(tail);
    return (
      /^\s*[A-Ha-h]\s*,\s*[A-Ha-h]\s*,\s*[A-Ha-h](?![A-Za-z]|\s*,)/.exec(line)?.[0] ?? line.replace(/[.!?;:,…\s]+$/, '')
    );
  },
  names: (tail, choices) => meantLabels(firstLine(tail).split(/,|\band\b/), choices),
  separators: (tail) => {
    const line = firstLine(tail).trim();
    if (/^[A-Ha-h]{3}$/.test(line)) return [...line].join();
    return line
      .split(/\s*(?:[,;/|+&]|\band\b)\s*|(?<=\b[A-Ha-h])\s+(?=[A-Ha-h]\b)/)
      .filter((piece) => piece !== '')
      .join();
  },
  list: (tail, choices) => {
    const items = tail.split(/[\r\n]+/).filter((line) => /^\s*(?:[-*•]|\d[.)])\s/.test(line));
    return meantLabels(
      items.map((line) => line.replace(/^\s*(?:[-*•]|\d[.)])\s+/, '').replace(/[*_`]+/g, '')),
      choices,
    );
  },
};

/** A lenient reading: its kind, and the action that it would be. */
export interface LenientReading {
  readonly kind: NearMiss;
  readonly action: number;
}

/**
 * Reads an answer that its parser could not read, as a lenient reader would (collection 2.7): the first kind that alone makes it readable, else
 * all together. What comes out counts in no score. Undefined where not even that finds three candidates. Linear in the text.
 */
export function nearMiss(text: string, code: AnswerCode, choices: ChoiceIndex): LenientReading | undefined {
  if (code === CONTRADICTORY) return undefined;
  const inside = readText(text.replace(/<\/?[a-z_:]{1,32}>/gi, '\n'), choices, 'v3').code;
  if (inside >= 0) return { kind: 'reasoning', action: inside };
  const { raw, tail, marked } = tailOf(text);
  if (!marked && code !== EMPTY_SELECTION && code !== WRONG_COUNT && code !== NO_MARKER) return undefined;
  if (marked) {
    const spelled = strictly(firstLine(tail), choices);
    if (spelled >= 0) return { kind: 'marker', action: spelled };
    for (const [kind, read] of Object.entries(READINGS) as [keyof typeof READINGS, (typeof READINGS)['latex']][]) {
      const action = strictly(firstLine(read(kind === 'list' ? raw : tail, choices)), choices);
      if (action >= 0) return { kind, action };
    }
  }
  const { latex, emphasis, brackets, trailing, separators, names } = READINGS;
  const cleaned = [latex, emphasis, brackets].reduce(
    (rest, read) => firstLine(read(rest, choices)),
    marked ? tail : '',
  );
  const plain = trailing(separators(cleaned, choices), choices);
  for (const segment of [plain, names(plain, choices), names(trailing(cleaned, choices), choices)]) {
    const action = strictly(segment, choices);
    if (action >= 0) return { kind: 'several', action };
  }
  return undefined;
}
