import { canonicalDigest } from '../io/canonical.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { OUTCOMES, type Outcome } from './outcome.js';
import { assertParser, parserName, parserNamed, SET_PARSERS, type SetParser } from './parser.js';
import { REASONING_MARKS } from './reasoning.js';

/** An answer to eight candidates `name a` to `name h`, what it comes to, and the selection, where it is one. */
type Example = readonly [answer: string, outcome: Outcome, selection: string | null];

/** What a version of the parser promises, in words and by example (compiler c.2, collection 2.3). */
export interface ParserContract {
  readonly parser: string;
  /** The contract that reads what this one leaves. */
  readonly after: string | null;
  readonly rules: readonly string[];
  /** Marks of reasoning, as the program knows them. */
  readonly marks: object | null;
  readonly outcomes: readonly Outcome[];
  readonly examples: readonly Example[];
}

const V3_RULES = [
  'A blank is a character of str.isspace of Python. Case folds as in Python: U+017F is an S, U+0130 and U+0131 are an I.',
  'A marker is FINAL_SELECTION in any case, blanks, a colon, blanks; it may stand anywhere, also inside a word, and its blanks may hold line breaks.',
  'A segment reaches from a marker to the next one or the end; it is cut at the first line break (U+000A to U+000D, U+001C to U+001E, U+0085, U+2028, U+2029) and trimmed.',
  'A marker with nothing but blanks before the next marker or the end makes the answer empty_selection; so many choices that are not eight different names make it unknown_label.',
  'A segment is read as labels: three letters A to H in any case, commas with optional blanks between them, then at most one run of ` * _ and at most one <|close|>response.',
  'Any other segment is read as names: blanks and runs of ` * _ off both ends, split at commas, exactly three, each equal to a name of the task once _ is a blank, case is folded and runs of blanks are one.',
  'Three different candidates are a selection; a repeated one is duplicate_label.',
  'The answer is the selection that all readable segments agree on; two that differ are contradictory; where none is readable the outcome is that of the last segment.',
];

const V4_RULES = [
  'Reasoning is taken out before the answer is read; the parts that are left are joined by a line feed.',
  'A mark is an element <name> with one of the names, with - for _ too, perhaps behind a prefix that ends in a colon and with attributes, not closed in itself, of which the end may stand in a later line where it has no attributes; one of the bracketed names in brackets; or one of the tokens. Case does not matter.',
  'An opening mark counts at the start of a line only: after nothing but blanks, characters that nobody sees (U+00AD, U+200B to U+200F, U+2060, U+FEFF) and elements of at most 200 units since the line break, the start, the last mark that counted, or a mark that ends in |> or U+FF5C and >, perhaps with the role assistant.',
  'A span goes from an opening mark to the next closing mark of the same name; marks that open inside it do nothing. A closing mark between two backticks is a quotation.',
  'What stands before a closing mark that no span is open for is reasoning.',
  'A span that never ends leaves no answer: open_reasoning.',
];

const V3_EXAMPLES: readonly Example[] = [
  ['FINAL_SELECTION: A,C,F', 'ok', 'ACF'],
  ['final_selection :\n f , c,a', 'ok', 'ACF'],
  ['xFINAL_SELECTION: **A, B, C**', 'unknown_label', null],
  ['FINAL_SELECTION: A, B, C**', 'ok', 'ABC'],
  ['FINAL_SELECTION: A,B,C<|close|>response', 'ok', 'ABC'],
  ['FINAL_SELECTION: `name_b, NAME  d,name h`', 'ok', 'BDH'],
  ['FINAL_SELECTION: A,B,C\nFINAL_SELECTION: C,B,A', 'ok', 'ABC'],
  ['FINAL_SELECTION: A,B,C\nFINAL_SELECTION: A,B,D', 'contradictory', null],
  ['FINAL_SELECTION: A,B,C FINAL_SELECTION:', 'empty_selection', null],
  ['FINAL_SELECTION: A,A,B', 'duplicate_label', null],
  ['FINAL_SELECTION: A,B', 'wrong_count', null],
  ['FINAL_SELECTION: A,B,I', 'unknown_label', null],
  ['\u017fo: A,B,C', 'no_marker', null],
  ['F\u0131NAL_\u017fELECT\u0130ON: G,H,A', 'ok', 'AGH'],
];

const V4_EXAMPLES: readonly Example[] = [
  ['<think>\nFINAL_SELECTION: A,B,C\n</think>\nFINAL_SELECTION: D,E,F', 'ok', 'DEF'],
  ['FINAL_SELECTION: A,B,C\n<think>', 'open_reasoning', null],
  ['\ufeff<answer><think>FINAL_SELECTION: A,B,C', 'open_reasoning', null],
  ['I avoid <think>. FINAL_SELECTION: A,B,C', 'ok', 'ABC'],
  ['FINAL_SELECTION: A,B,C</think>FINAL_SELECTION: D,E,F', 'ok', 'DEF'],
  ['FINAL_SELECTION: A,B,C `</think>`', 'unknown_label', null],
  ['<|start|>assistant<|channel|>analysis FINAL_SELECTION: A,B,C<|channel|>final FINAL_SELECTION: D,E,F', 'ok', 'DEF'],
  ['<chain-of-thought\n>FINAL_SELECTION: A,B,C', 'open_reasoning', null],
  ['[think] FINAL_SELECTION: A,B,C [/THINK] FINAL_SELECTION: D,E,F', 'ok', 'DEF'],
];

const known = new Map<SetParser, { readonly contract: ParserContract; readonly sha256: string }>();

/** Gives the contract of a parser and its digest, which documents bind beside its name (collection 2.3). Errors: USAGE for an unknown parser. */
export function parserContract(parser: SetParser): { readonly contract: ParserContract; readonly sha256: string } {
  const before = known.get(parser);
  if (before) return before;
  assertParser(parser);
  const named = { parser: parserName(parser), outcomes: OUTCOMES };
  const contract: ParserContract =
    parser === 'v3'
      ? {
          ...{ ...named, after: null, rules: V3_RULES, marks: null, examples: V3_EXAMPLES },
          outcomes: OUTCOMES.filter((outcome) => outcome !== 'open_reasoning'),
        }
      : {
          ...named,
          after: parserContract('v3').sha256,
          rules: V4_RULES,
          marks: REASONING_MARKS,
          examples: V4_EXAMPLES,
        };
  const made = { contract, sha256: canonicalDigest(contract) };
  known.set(parser, made);
  return made;
}

/** A parser as documents state it: by name, and by the digest of its contract. */
export interface StatedParser {
  readonly parser: string;
  readonly parser_sha256: string;
}

/** States a parser in a document. */
export function parserFields(parser: SetParser): StatedParser {
  return { parser: parserName(parser), parser_sha256: parserContract(parser).sha256 };
}

/** States the parser of the answers in a document about more than answers. */
export function responseParserFields(parser: SetParser) {
  return { response_parser: parserName(parser), response_parser_sha256: parserContract(parser).sha256 };
}

/** Says how a stated digest differs from that of the parser's contract here; undefined where none is stated, as in older documents. */
export function foreignContract(parser: SetParser, sha256: unknown): string | undefined {
  if (sha256 === undefined || sha256 === null) return undefined;
  const own = parserContract(parser).sha256;
  return sha256 === own
    ? undefined
    : `the contract of ${parserName(parser)} has ${own} here, the document states ${shown(sha256)}: it was read by other rules of the same name`;
}

/**
 * Finds the parser that a document of ours states; v3 where it names none, as documents of version 0.1.0 do. `place` is that of the name.
 * Errors: SCHEMA_INVALID for another one; DIGEST_MISMATCH (exit 4) where its digest is not that of the contract (collection 2.3).
 */
export function statedParser(
  { parser: name, parser_sha256 }: Partial<Record<keyof StatedParser, unknown>>,
  place: ErrorPlace,
) {
  const parser = name === undefined || name === null ? 'v3' : typeof name === 'string' ? parserNamed(name) : undefined;
  if (parser === undefined) {
    const known = SET_PARSERS.map(parserName).join(' or ');
    return fail(
      'SCHEMA_INVALID',
      place,
      `${known} expected, found ${shown(name)}`,
      'Give the document as it was written.',
    );
  }
  const foreign = foreignContract(parser, parser_sha256);
  if (foreign === undefined) return parser;
  const path = place?.path === undefined ? undefined : `${place.path}_sha256`;
  const hint =
    'Read it with the version of the program that wrote it; `parserContract` of the library gives the rules of this one.';
  return fail('DIGEST_MISMATCH', { ...place, path }, foreign, hint, { exit: 4 });
}
