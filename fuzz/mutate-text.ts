import type { Dice } from './dice.js';

const deep = (open: string, close: string, depth: number, inner: string) =>
  open.repeat(depth) + inner + close.repeat(depth);

/** JSON values that a program may not expect, as texts: some of them are no JSON. */
const VALUES: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e308', '-1e308', '1e400', '5e-324', '9007199254740993'],
  ...['2147483648', '4294967296', '400000000', '1e21', 'NaN', 'Infinity', '-Infinity', '00', '+1', '.5', '1_000'],
  ...['""', '" "', '"null"', '"NaN"', '"__proto__"', '"constructor"', '"\\u0000"', '"\\ud800"', '"\\u202e"'],
  ...['"=1+1"', '"<script>alert(1)</script>"', '"\\u001b[31m"', '"../../x"', '"/dev/zero"', '"C:\\\\x"', '"sim:x"'],
  ...['[]', '{}', '[[]]', '[null]', '[{}]', '[[],[]]', '{"a":{}}', '{"__proto__":{"polluted":true}}', '{"":""}'],
  ...['{"constructor":{"prototype":{"polluted":true}}}', '{"toString":null}', '{"length":4294967295}', '{"toJSON":1}'],
  deep('[', ']', 100, ''),
  deep('[', ']', 513, ''),
  deep('[', ']', 20_000, ''),
  deep('{"a":', '}', 300, '1'),
  deep('{"a":', '}', 20_000, '1'),
  JSON.stringify('x'.repeat(20_000)),
  JSON.stringify('\u0130'.repeat(5000)),
  `[${'0,'.repeat(3000)}0]`,
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
];

const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'length', 'hasOwnProperty', '', 'id', 'schema', '0'];

/** Cells of tables and words of texts. */
const CELLS: readonly string[] = [
  ...['', ' ', 'NaN', 'nan', 'inf', '-inf', 'None', 'NA', 'null', 'true', '1e999', '-1', '1e-400', '0x10', '1,5'],
  ...['"', '""', '"a', 'a"b', '\\', '\0', '\ufeff', '\u2028', '\u202e', '\r', '\n', ';', '\t', ',', '|', '=1+1', "'"],
  ...['1/0', '99999999999999999999', '9'.repeat(400), 'x'.repeat(30_000), '__proto__', '\ud83d\ude00', 'ﬁ', '٣', '１'],
  ...['&a [*a,*a]', '*x', '!!js/function x', '- - - -', '? ', '<<: *a', '%YAML 1.1', '---', '...', '{', '}', '[', ']'],
];

/** Tokens of JSON in a text: texts, numbers, words. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

interface Token {
  readonly at: number;
  readonly text: string;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index } of text.matchAll(TOKEN)) tokens.push({ at: index, text: found });
  return tokens;
}

const replaced = (text: string, { at, text: old }: Token, by: string) =>
  text.slice(0, at) + by + text.slice(at + old.length);

const isKey = (text: string, { at, text: old }: Token) =>
  /^\s*:/.test(text.slice(at + old.length, at + old.length + 8));

/** Where the value that begins at a place ends: brackets are counted, texts passed over. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at]!;
    if (letter === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    if (depth < 0 || (depth === 0 && letter === ',')) return at;
    if (depth === 0 && /["}\]]/.test(letter)) return at + 1;
  }
  return text.length;
}

/** Changes one thing of a JSON text where its structure shows: a leaf, a key, a whole value, a member twice or not at all. */
function mutateJson(text: string, dice: Dice): { readonly text: string; readonly how: string } {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return { text: dice.pick(VALUES), how: 'json' };
  const token = dice.pick(tokens);
  if (isKey(text, token)) {
    const start = text.indexOf(':', token.at + token.text.length) + 1;
    const end = valueEnd(text, start);
    switch (dice.below(5)) {
      case 0:
        return { text: replaced(text, token, JSON.stringify(dice.pick(KEYS))), how: 'key' };
      case 1:
        return { text: `${text.slice(0, end)},${text.slice(token.at, end)}${text.slice(end)}`, how: 'twice' };
      case 2:
        return { text: text.slice(0, token.at) + text.slice(end).replace(/^\s*,/, ''), how: 'member away' };
      default:
        return { text: text.slice(0, start) + dice.pick(VALUES) + text.slice(end), how: 'value' };
    }
  }
  const other = dice.once(3) ? dice.pick(tokens).text : dice.pick(VALUES);
  return { text: replaced(text, token, other), how: 'leaf' };
}

/** Changes one word, cell or line of a text. */
function mutateWords(text: string, dice: Dice): { readonly text: string; readonly how: string } {
  const lines = text.split('\n');
  const at = dice.below(lines.length);
  const line = lines[at]!;
  switch (dice.below(5)) {
    case 0:
      lines.splice(at, 1);
      return { text: lines.join('\n'), how: 'line away' };
    case 1:
      lines.splice(dice.below(lines.length + 1), 0, line);
      return { text: lines.join('\n'), how: 'line twice' };
    default: {
      const words = line.split(/([,;\t |:]+)/);
      words[2 * dice.below(Math.ceil(words.length / 2))] = dice.pick(CELLS);
      lines[at] = words.join('');
      return { text: lines.join('\n'), how: 'word' };
    }
  }
}

/** Changes a text by what stands in it. */
export function mutateText(text: string, dice: Dice): { readonly text: string; readonly how: string } {
  const isJson = /^\s*[[{]/.test(text);
  return isJson && !dice.once(8) ? mutateJson(text, dice) : mutateWords(text, dice);
}
