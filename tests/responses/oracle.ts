import { normalizeName } from '../../src/util/text.js';

/** White space as Python has it. */
const S = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
const I = '[Iiıİ]';
const ES = '[Ssſ]';
const MARKER = `[Ff]${I}[Nn][Aa][Ll]_${ES}[Ee][Ll][Ee][Cc][Tt]${I}[Oo][Nn]${S}:${S}`;
const LABELS = `([A-Ha-h])${S},${S}([A-Ha-h])${S},${S}([A-Ha-h])`;
const BREAK = /[\n-\r\x1c-\x1e\x85\u2028\u2029]/;
const TAIL = `${S}[\`*_]*${S}(?:<\\|[Cc][Ll][Oo]${ES}[Ee]\\|>[Rr][Ee]${ES}[Pp][Oo][Nn]${ES}[Ee])?${S}`;

function joined(labels: readonly string[]): string | null {
  return new Set(labels).size === 3 ? [...labels].sort().join('') : null;
}

/** Parser v3 as slow and obvious regular expressions. */
export function oracleV3(text: string, names: readonly string[]): string | null {
  const markers = [...text.matchAll(new RegExp(MARKER, 'g'))];
  const candidates = new Set<string>();
  for (const [i, marker] of markers.entries()) {
    const segment = text.slice(marker.index + marker[0].length, markers[i + 1]?.index);
    if (segment === '') return null;
    const line = segment.split(BREAK)[0]!;
    const labels = new RegExp(`^${LABELS}${TAIL}$`).exec(line);
    if (labels) {
      const key = joined(labels.slice(1).map((label) => label.toUpperCase()));
      if (key) candidates.add(key);
      continue;
    }
    const bare = line
      .replace(new RegExp(`^${S}`), '')
      .replace(new RegExp(`${S}$`), '')
      .replace(/^[`*_]+/, '')
      .replace(/[`*_]+$/, '');
    const items = bare.split(',').map((item) => normalizeName(item));
    const found = items.map((item) => names.findIndex((name) => normalizeName(name) === item));
    if (items.length === 3 && !found.includes(-1)) {
      const key = joined(found.map((n) => 'ABCDEFGH'.charAt(n)));
      if (key) candidates.add(key);
    }
  }
  return candidates.size === 1 ? [...candidates][0]! : null;
}

/** Parsers v2 and v1 likewise. */
export function oracleLine(text: string, version: 'v2' | 'v1'): string | null {
  const wrap = version === 'v2' ? `(?:[\`*_]+${S})?` : '';
  const pattern = new RegExp(`(?<=^|\\n)${S}${wrap}${MARKER}${LABELS}${S}${wrap}(?=\\n|$)`, 'g');
  const last = [...text.matchAll(pattern)].at(-1);
  return last ? joined(last.slice(1).map((label) => label.toUpperCase())) : null;
}

const NAME =
  'think|thinking|thought|thoughts|reason|reasoning|reflection|analysis|scratchpad|inner_monologue|antthinking|internal_monologue|inner_thoughts|scratch_pad|chain_of_thought|cot|rationale|reasoning_content|thought_process|deliberation|longcat_think|think_fast|think_faster|thinking_process|reasoning_process|internal_thoughts';
/** Blanks of one line. */
const SPACE = '[\\t\\x1f \\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]*';
/** What may stand between a start and a mark: blanks, characters that nobody sees, elements. */
const BEFORE = `(?:${S.slice(0, -2)}\\xad\\u200b-\\u200f\\u2060\\ufeff]|</?[a-z][^<>\\n-\\r\\x1c-\\x1e\\x85\\u2028\\u2029]{0,190}>)*`;
const START = `(?:^|[\\n-\\r\\x1c-\\x1e\\x85\\u2028\\u2029]|[|｜]>(?:assistant)?)${BEFORE}`;
const PREFIX = '(?:[a-z_:-]*:)?';

/** Spans of reasoning: how each opens, at the start of a line, and how it closes; `inside` closes an open span alone. */
const SPANS = [
  ...NAME.replaceAll('_', '[_-]')
    .split('|')
    .map((name) => ({
      open: `<${PREFIX}${name}(?:${S}>|(?!${S}>)${SPACE.replace('*', '+')}[^<>\\n-\\r\\x1c-\\x1e\\x85\\u2028\\u2029]*(?<!/)>)`,
      close: `</${PREFIX}${name}${S}>`,
    })),
  ...['think', 'thinking'].map((name) => ({
    open: `\\[${PREFIX}${name}${SPACE}\\]`,
    close: `\\[/${PREFIX}${name}${SPACE}\\]`,
  })),
  {
    open: '<\\|channel\\|>(?:analysis|commentary|thought|thinking|reasoning)',
    close: '<\\|channel\\|>final',
    inside: '<\\|(?:end|start|call|return)\\|>',
  },
  { open: '<\\|inner_prefix\\|>', close: '<\\|inner_suffix\\|>' },
  { open: '<\\|start_thinking\\|>', close: '<\\|end_thinking\\|>' },
  { open: '◁think▷', close: '◁/think▷' },
].map((span) => ({ inside: undefined, ...span }));

const unquoted = (pattern: string) => `(?:(?<!\`)(?:${pattern})|(?:${pattern})(?!\`))`;

/** The first match from a place on that passes. */
function first(pattern: string, text: string, from: number, passes: (at: number) => boolean = () => true) {
  for (const match of text.matchAll(new RegExp(pattern, 'gi')))
    if (match.index >= from && passes(match.index)) return { at: match.index, end: match.index + match[0].length };
  return undefined;
}

/** An answer without its reasoning, as slow and obvious regular expressions; null where a span stays open. */
export function oracleRest(text: string): string | null {
  let kept = '';
  let since = 0;
  const begins = (at: number) =>
    new RegExp(`${START}$`, 'i').test(text.slice(0, at)) || new RegExp(`^${BEFORE}$`, 'i').test(text.slice(since, at));
  for (;;) {
    const opens = SPANS.flatMap((span) => {
      const found = first(span.open, text, since, begins);
      return found ? [{ ...found, span }] : [];
    }).sort((a, b) => a.at - b.at)[0];
    const closes = SPANS.flatMap(({ close }) => first(unquoted(close), text, since) ?? []).sort(
      (a, b) => a.at - b.at,
    )[0];
    if (!opens && !closes) return kept + text.slice(since);
    if (closes && (!opens || closes.at < opens.at)) {
      kept = '';
      since = closes.end;
      continue;
    }
    kept += `${text.slice(since, opens!.at)}\n`;
    const { close, inside } = opens!.span;
    const end = first(unquoted(inside === undefined ? close : `${close}|${inside}`), text, opens!.end);
    if (!end) return null;
    since = end.end;
  }
}
