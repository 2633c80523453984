import { utf8Length } from '#platform';
import type { Budget } from '../io/held/table-bound.js';
import { UNSURE } from './answer-kernel.js';
import { NOT_TEXT } from './outcome.js';
import { readText } from './parser.js';
import type { AnswerSink } from './rescore.js';

/** Texts that are read together: at most so many, and as soon as they have so many characters. */
const CHUNK = 16_384;
const CHARACTERS = 2 ** 24;
const encoder = new TextEncoder();

/** Answer codes of a column, and the places of the answers in which reasoning was passed over. */
export interface ReadColumn {
  readonly codes: Int32Array;
  readonly reasoned: ReadonlySet<number>;
}

/**
 * Gives the answer codes of well-formed texts that are strings already: whole chunks are encoded at once and read by the kernel, and what it is
 * not sure of is parsed. Values that are no strings are NOT_TEXT; rows of unknown tasks get any code. Errors: BOUND_EXCEEDED for more characters than the
 * budget has: one text may stand for very many rows.
 */
export function readTexts(
  scorer: AnswerSink,
  texts: ArrayLike<unknown>,
  tasks: Int32Array,
  budget: Budget,
): ReadColumn {
  let total = 0;
  for (let i = 0; i < tasks.length; i += 1) {
    const text = texts[i];
    if (typeof text === 'string') total += text.length;
  }
  budget.spend('characters', total);
  const codes = new Int32Array(tasks.length);
  const reasoned = new Set<number>();
  for (let start = 0, end = 0; start < tasks.length; start = end) {
    const part: string[] = [];
    let characters = 0;
    for (; end < tasks.length && part.length < CHUNK && characters < CHARACTERS; end += 1) {
      const text = texts[end];
      part.push(typeof text === 'string' ? text : '');
      characters += part.at(-1)!.length;
    }
    const joined = part.join('');
    const bytes = encoder.encode(joined);
    const ascii = bytes.length === joined.length;
    const offsets = new Int32Array(part.length + 1);
    part.forEach((text, k) => {
      const length = ascii ? text.length : utf8Length(text);
      offsets[k + 1] = offsets[k]! + length;
    });
    codes.set(scorer.kernel.read(bytes, offsets, tasks.subarray(start, end)), start);
    for (let i = start; i < end; i += 1) {
      const text = texts[i];
      if (typeof text !== 'string') codes[i] = NOT_TEXT;
      else if (codes[i] === UNSURE && tasks[i]! >= 0) {
        const read = readText(text, scorer.choices(tasks[i]!), scorer.parser);
        codes[i] = read.code;
        if (read.reasoned) reasoned.add(i);
      }
    }
  }
  return { codes, reasoned };
}
