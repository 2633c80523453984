import { isBlank, isLineBreak } from '../util/text.js';

/** Names of reasoning spans, written `<name>`, also with `-` for `_`, perhaps behind a prefix as in `<seed:think>` (collection 2.3). */
const NAMES: ReadonlySet<string> = new Set([
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reason',
  'reasoning',
  'reflection',
  'analysis',
  'scratchpad',
  'inner_monologue',
  'internal_monologue',
  'inner_thoughts',
  'scratch_pad',
  'chain_of_thought',
  'cot',
  'rationale',
  'reasoning_content',
  'thought_process',
  'deliberation',
  'antthinking',
  'longcat_think',
  'think_fast',
  'think_faster',
  'thinking_process',
  'reasoning_process',
  'internal_thoughts',
]);

/** A mark of a chat template, lower case; `closesAlone`: also where no span is open. */
interface Token {
  readonly text: string;
  readonly span: string;
  readonly opens?: boolean;
  readonly closesAlone?: boolean;
}

const opening = (span: string, ...texts: readonly string[]): Token[] =>
  texts.map((text) => ({ text, span, opens: true }));
const closing = (span: string, ...texts: readonly string[]): Token[] =>
  texts.map((text) => ({ text, span, closesAlone: true }));

/** Marks that chat templates write around reasoning; in a channel the end of the message closes it too. */
const TOKENS: readonly Token[] = [
  ...opening(
    'channel',
    '<|channel|>analysis',
    '<|channel|>commentary',
    '<|channel|>thought',
    '<|channel|>thinking',
    '<|channel|>reasoning',
  ),
  ...closing('channel', '<|channel|>final'),
  ...['<|end|>', '<|start|>', '<|call|>', '<|return|>'].map((text) => ({ text, span: 'channel' })),
  ...opening('turn', '<|channel>thought', '<|channel>analysis'),
  ...closing('turn', '<channel|>'),
  ...opening('start', '<|start_thinking|>'),
  ...closing('start', '<|end_thinking|>'),
  ...opening('begin', '<|begin_of_thought|>'),
  ...closing('begin', '<|end_of_thought|>'),
  ...opening('inner', '<|inner_prefix|>'),
  ...closing('inner', '<|inner_suffix|>'),
  ...opening('bar', '<|think|>', '<|thinking|>', '<|thought|>'),
  ...closing('bar', '<|/think|>', '<|/thinking|>', '<|/thought|>'),
  ...opening('unused', '<unused94>thought'),
  ...closing('unused', '<unused95>'),
  ...opening('triangle', '◁think▷'),
  ...closing('triangle', '◁/think▷'),
];

/** Of those the names that are written `[name]` too; other words in brackets are headings. */
const BRACKETED: ReadonlySet<string> = new Set(['think', 'thinking']);

const LONGEST_NAME = 32;

/** All marks that are known, for the contract of the parser. */
export const REASONING_MARKS = {
  names: [...NAMES],
  bracketed: [...BRACKETED],
  tokens: TOKENS.map(({ text, span, opens = false, closesAlone = false }) => ({ text, span, opens, closesAlone })),
};

/** A mark that stands in a text. */
interface Mark {
  readonly span: string;
  readonly opens: boolean;
  readonly closesAlone: boolean;
  readonly end: number;
}

/** A letter, `_`, `-` or `:`. */
function isNameCode(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || code === 95 || code === 45 || code === 58;
}

/** The tag at `at`, which holds `<` or `[`; undefined where none of a span stands there. An element closed in itself is none. */
function tagAt(text: string, at: number): Mark | undefined {
  const bracketed = text[at] === '[';
  const close = bracketed ? ']' : '>';
  const closes = text[at + 1] === '/';
  const start = closes ? at + 2 : at + 1;
  let i = start;
  while (i < start + LONGEST_NAME && isNameCode(text.charCodeAt(i))) i += 1;
  const name = text.slice(start, i).toLowerCase();
  const span = name.slice(name.lastIndexOf(':') + 1).replaceAll('-', '_');
  if (!(bracketed ? BRACKETED : NAMES).has(span)) return undefined;
  const named = i;
  while (i < text.length && isBlank(text.charCodeAt(i)) && !isLineBreak(text.charCodeAt(i))) i += 1;
  // An element may end in a later line, as one may of XML.
  let later = i;
  if (!bracketed) while (later < text.length && isBlank(text.charCodeAt(later))) later += 1;
  if (text[later] === close) i = later;
  // Attributes: up to the end of the tag, in the line, and not over another.
  if (!closes && !bracketed && i > named)
    while (i < text.length && text[i] !== close && text[i] !== '<' && !isLineBreak(text.charCodeAt(i))) i += 1;
  if (text[i] !== close || text[i - 1] === '/') return undefined;
  return { span: `${text[at]}${span}`, opens: !closes, closesAlone: closes, end: i + 1 };
}

function tokenAt(text: string, at: number): Mark | undefined {
  const second = text.charCodeAt(at + 1) | 32;
  for (const token of TOKENS) {
    if (second !== (token.text.charCodeAt(1) | 32)) continue;
    const end = at + token.text.length;
    if (text.slice(at, end).toLowerCase() !== token.text) continue;
    return { span: token.span, opens: token.opens === true, closesAlone: token.closesAlone === true, end };
  }
  return undefined;
}

/** What a mark begins with. */
const SIGNS = ['<', '[', '◁'] as const;

/** Finds the next place, from `from` on, where a mark may begin; each cursor moves once over the text. */
function candidates(text: string): (from: number) => number {
  const next = SIGNS.map((sign) => ({ sign, at: text.indexOf(sign) }));
  return (from) => {
    let first = -1;
    for (const cursor of next) {
      if (cursor.at >= 0 && cursor.at < from) cursor.at = text.indexOf(cursor.sign, from);
      if (cursor.at >= 0 && (first < 0 || cursor.at < first)) first = cursor.at;
    }
    return first;
  };
}

/** A blank, or a character that nobody sees: a byte order mark, a soft hyphen, what has no width or only a direction. */
function isUnseen(code: number): boolean {
  return isBlank(code) || code === 0xad || (code >= 0x200b && code <= 0x200f) || code === 0x2060 || code === 0xfeff;
}

/** Longest element that may stand between the start of a line and a mark. */
const LONGEST_ELEMENT = 200;

/** Where the element begins that ends at `end`, at or after `since`; -1 where none does. */
function elementBefore(text: string, end: number, since: number): number {
  if (text[end - 1] !== '>') return -1;
  let i = end - 2;
  for (const stop = Math.max(since, end - LONGEST_ELEMENT); i >= stop && text[i] !== '<'; i -= 1)
    if (text[i] === '>' || isLineBreak(text.charCodeAt(i))) return -1;
  if (i < since || text[i] !== '<') return -1;
  const letter = text.charCodeAt(text[i + 1] === '/' ? i + 2 : i + 1) | 32;
  return letter >= 97 && letter <= 122 ? i : -1;
}

/**
 * Tells whether nothing but blanks, what nobody sees and elements stands before `at`: in its line, since the last mark, or since a mark of a
 * chat template, perhaps with a role. `other` is a mark before it, from `since` on, of which that is not so, or -1.
 */
function isStart(text: string, at: number, since: number, other: number): boolean {
  for (let i = at; i >= since; ) {
    while (i > since && isUnseen(text.charCodeAt(i - 1))) {
      i -= 1;
      if (isLineBreak(text.charCodeAt(i))) return true;
    }
    if (i === since) return true;
    if (i <= other) return false;
    const role = text.endsWith('assistant', i) ? i - 'assistant'.length : i;
    if (text.endsWith('|>', role) || text.endsWith('｜>', role)) return true;
    i = elementBefore(text, i, since);
  }
  return false;
}

/** A text without its reasoning. */
interface Unreasoned {
  /** What stands outside the spans. */
  readonly text: string;
  /** The last span never ends: whatever it holds is no answer. */
  readonly open: boolean;
}

/**
 * Takes the reasoning out of an answer (collection 2.3): spans that a mark at the start of a line opens, up to their closing mark; and
 * all that stands before a closing mark whose opening one is missing, as where a server puts the opening mark into the prompt. A
 * closing mark between backticks is a quotation. Undefined where there is no reasoning. Total, and linear in the text.
 */
export function withoutReasoning(text: string): Unreasoned | undefined {
  if (!SIGNS.some((sign) => text.includes(sign))) return undefined;
  const candidate = candidates(text);
  let kept: string[] = [];
  let open: string | undefined;
  let found = false;
  let since = 0;
  let other = -1;
  for (let at = candidate(0); at >= 0; ) {
    const mark = (text[at] === '◁' ? undefined : tagAt(text, at)) ?? tokenAt(text, at);
    let next = at + 1;
    if (mark !== undefined) {
      const quoted = text[at - 1] === '`' && text[mark.end] === '`';
      if (open === undefined ? mark.closesAlone : !mark.opens && mark.span === open) {
        if (!quoted) {
          if (open === undefined) kept = [];
          open = undefined;
          found = true;
          since = mark.end;
          next = mark.end;
        }
      } else if (open === undefined && mark.opens) {
        if (isStart(text, at, since, other)) {
          kept.push(text.slice(since, at));
          open = mark.span;
          found = true;
          since = mark.end;
          next = mark.end;
        } else other = at;
      }
    }
    at = candidate(next);
  }
  if (!found) return undefined;
  if (open === undefined) kept.push(text.slice(since));
  return { text: kept.join('\n'), open: open !== undefined };
}
