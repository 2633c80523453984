import { formScrubber, SHORTEST_SECRET } from './secret-forms.js';
import { htmlNames } from './undone-escapes.js';

const LETTER = /[A-Za-z0-9]/;

function escaped(unit: string): string {
  return LETTER.test(unit) ? unit : `\\u{${unit.codePointAt(0)!.toString(16)}}`;
}

/**
 * One character of a secret in each of its spellings: as it is, escaped in JSON (also twice) or as `\x73`, percent-encoded (also twice), quoted-printable,
 * a numeric or named entity of HTML, which is escaped itself at times.
 */
function spellings(character: string): string {
  const options: string[] = [];
  const units = Array.from({ length: character.length }, (_, i) =>
    character.charCodeAt(i).toString(16).padStart(4, '0'),
  );
  options.push(units.map((hex) => `\\\\{1,4}u${anyCase(hex)}`).join(''));
  if ('"\\/'.includes(character)) options.push(`\\\\{1,4}${escaped(character)}`);
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => byte.toString(16).padStart(2, '0'));
  options.push(bytes.map((hex) => `%(?:25){0,2}${anyCase(hex)}`).join(''));
  options.push(bytes.map((hex) => `(?:=|\\\\{1,4}x)${anyCase(hex)}`).join(''));
  const code = character.codePointAt(0)!;
  const names = htmlNames(character).map((name) => `${name};`);
  options.push(
    `&(?:amp;){0,2}(?:${[...names, `#0{0,32}${code};?`, `#[xX]0{0,32}${anyCase(code.toString(16))};?`].join('|')})`,
  );
  if (character === ' ') options.push('\\+');
  // The character alone comes last: a backslash also begins its own longer spellings.
  options.push(escaped(character));
  return `(?:${options.join('|')})`;
}

const anyCase = (hex: string): string =>
  [...hex].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join('');

/**
 * Makes a function that replaces known secrets and nothing else: first where they stand in the spellings of JSON, of addresses, of HTML and of mail,
 * then in every other form of `secret-forms.ts`. A pattern has no repetition but short counted ones, so its time is linear in the text.
 */
export function makeScrubber(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length > 0).sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  const patterns = known.map((secret) => Array.from(secret, spellings).join(''));
  const pattern = new RegExp(patterns.join('|'), 'gu');
  const ofForms = formScrubber(known);
  return (text) => ofForms(text.replace(pattern, '[redacted]'));
}

/** Depth past which a reply holds nothing that is read. */
const DEEPEST = 64;

/** Numbers from here on have as many digits as a credential has characters. */
const LONG_NUMBER = 10 ** (SHORTEST_SECRET - 1);

/** The texts of a list that a reader may join: its items, or what text parts of a message hold. */
function joinedTexts(list: readonly unknown[]): string {
  return list
    .map((item) => (typeof item === 'object' && item !== null && 'text' in item ? item.text : item))
    .filter((item) => typeof item === 'string')
    .join('');
}

/** Takes all of the texts out of an item of a list that spells a secret only as a whole. */
function withoutTexts(item: unknown): unknown {
  if (typeof item === 'string') return '[redacted]';
  return typeof item === 'object' && item !== null && 'text' in item && typeof item.text === 'string'
    ? { ...item, text: '[redacted]' }
    : item;
}

/**
 * Gives the same JSON with every text in it, names and numbers too, scrubbed; null in place of what lies deeper than any reply that is read. Texts of
 * a list that hold a secret only once they are joined are taken out, each of them.
 */
export function scrubJson(value: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number')
    return Math.abs(value) < LONG_NUMBER || scrub(String(value)) === String(value) ? value : '[redacted]';
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) {
    const clean = value.map((item) => scrubJson(item, scrub, depth + 1));
    const joined = joinedTexts(clean);
    return clean.length < 2 || scrub(joined) === joined ? clean : clean.map(withoutTexts);
  }
  const entries = Object.entries(value).map(([name, item]) => [scrub(name), scrubJson(item, scrub, depth + 1)]);
  return Object.fromEntries(entries);
}
