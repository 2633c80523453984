import { undoneEscapes } from './undone-escapes.js';

/** Least characters of a credential: what is shorter is a mistake, and replacing it would spoil ordinary words. */
export const SHORTEST_SECRET = 12;

/** Least folded characters that are looked for, and how they are found: every run of that many holds a piece that begins at a multiple of the stride. */
const SHORTEST_FORM = 10;
const PIECE = 5;
const STRIDE = SHORTEST_FORM - PIECE + 1;
/** Different characters that a folded secret has at least: twelve noughts, commas out, stand in ordinary texts too. */
const LEAST_DIFFERENT = 5;

/** A way to reduce texts, such that spellings which look or read alike become one. Works on each code point by itself. */
type Fold = (text: string) => string;

/** Tags of Unicode, which nobody sees and programs read: one for each character of ASCII. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu;
const untagged = (text: string): string =>
  text.replace(TAGS, (tag) => String.fromCodePoint(tag.codePointAt(0)! - 0xe0000));

const reduced = (text: string): string => untagged(text).normalize('NFKD').toLowerCase();
/** Letters and digits alone: compatible forms as one, small, without marks, blanks, punctuation and what nobody sees. */
const lettersOf: Fold = (text) => reduced(text).replace(/[^\p{L}\p{N}]+|\p{Default_Ignorable_Code_Point}+/gu, '');
/** What is seen: as before, with punctuation. */
const seenOf: Fold = (text) =>
  reduced(text).replace(/[\s\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]+/gu, '');

/** A folded spelling of a secret; an encoded one has neighbours that hold some of its bits. */
interface Form {
  readonly text: string;
  readonly encoded: boolean;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** The part of the Base64 of a text that does not depend on what stands before it, for the three places it can begin at. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return encoded.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
  });
}

/** Base64 and hexadecimal digits of a text's bytes, in UTF-8 and in both orders of UTF-16. */
function encodings(text: string): string[] {
  const wide = Buffer.from(text, 'utf16le');
  return [Buffer.from(text, 'utf8'), wide, Buffer.from(wide).swap16()].flatMap((bytes) => {
    const digits = bytes.toString('hex');
    return [...base64Cores(bytes), digits, digits.toUpperCase()];
  });
}

const AMPERSAND = { '&': '&amp;' };
const TEXT = { ...AMPERSAND, '<': '&lt;', '>': '&gt;' };

/** What writers of HTML and XML escape: texts of an element, attributes, and both kinds of quotation marks as languages and libraries spell them. */
const HTML: readonly Readonly<Record<string, string>>[] = [
  TEXT,
  { ...AMPERSAND, '"': '&quot;' },
  { ...AMPERSAND, '<': '&lt;', '"': '&quot;' },
  { ...TEXT, '"': '&quot;' },
  ...['&#39;', '&#039;', '&#x27;', '&apos;'].map((apostrophe) => ({ ...TEXT, '"': '&quot;', "'": apostrophe })),
  { ...TEXT, '"': '&#34;', "'": '&#39;' },
];

/** What a secret is written as before somebody encodes it: as it is, and escaped as in JSON, in an address, in a form and in HTML. */
function escapedSpellings(secret: string): Set<string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const units = (text: string) =>
    text.replace(/[^\w]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const address = encodeURIComponent(secret);
  const small = (text: string) => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  const form = new URLSearchParams({ k: secret }).toString().slice(2);
  const html = HTML.map((escapes) => secret.replace(/[&<>"']/g, (character) => escapes[character] ?? character));
  return new Set([
    secret,
    json,
    json.replaceAll('/', '\\/'),
    units(secret),
    address,
    small(address),
    form,
    small(form),
    ...html,
  ]);
}

/** Folded spellings of a secret: itself and the encodings of what it is written as, once and twice, each forwards and backwards. */
function formsOf(secret: string, fold: Fold): Form[] {
  const once = [...escapedSpellings(secret), reversed(secret)].flatMap(encodings);
  const encoded = [...once, ...once.flatMap(encodings)].map(fold);
  const plain = fold(secret);
  const forms = [
    ...(new Set(plain).size < LEAST_DIFFERENT ? [] : [{ text: plain, encoded: false }]),
    ...encoded.map((text) => ({ text, encoded: true })),
  ];
  return forms
    .flatMap((form) => [form, { ...form, text: reversed(form.text) }])
    .filter(({ text }) => text.length >= SHORTEST_FORM);
}

/** A stretch of a text, its end not included. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly encoded: boolean;
}

/** Makes a function that finds forms in a folded text. It looks at one piece in every stride, so its time is linear in the text. */
function finder(forms: readonly Form[]): (text: string) => Span[] {
  const pieces = new Map<string, { readonly form: Form; readonly at: number }[]>();
  for (const form of new Map(forms.map((each) => [each.text, each])).values())
    for (let at = 0; at < STRIDE; at += 1) {
      const piece = form.text.slice(at, at + PIECE);
      pieces.set(piece, [...(pieces.get(piece) ?? []), { form, at }]);
    }
  return (text) => {
    const spans: Span[] = [];
    for (let i = 0; i + PIECE <= text.length; i += STRIDE)
      for (const { form, at } of pieces.get(text.slice(i, i + PIECE)) ?? []) {
        const start = i - at;
        if (start >= 0 && text.startsWith(form.text, start))
          spans.push({ start, end: start + form.text.length, encoded: form.encoded });
      }
    return spans.sort((a, b) => a.start - b.start);
  };
}

/** Finds where spans of a folded text stand in the text itself. */
function placesOf(text: string, fold: Fold, spans: readonly Span[]): Span[] {
  /** The place in the text of every folded character, and where it ends. */
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const point of text) {
    const { length } = fold(point);
    for (let i = 0; i < length; i += 1) {
      starts.push(at);
      ends.push(at + point.length);
    }
    at += point.length;
  }
  return spans.map(({ start, end, encoded }) => ({ start: starts[start]!, end: ends[end - 1]!, encoded }));
}

const DIGIT_OF_64 = /[A-Za-z0-9+/_-]/;

/** An encoded span with the digits at both ends that hold some bits of it. */
function widened(text: string, { start, end, encoded }: Span): Span {
  if (!encoded) return { start, end, encoded };
  const before = DIGIT_OF_64.test(text.charAt(start - 1)) ? start - 1 : start;
  const after = DIGIT_OF_64.test(text.charAt(end)) ? end + 1 : end;
  return { start: before, end: after + /^={0,2}/.exec(text.slice(after, after + 2))![0].length, encoded };
}

function cut(text: string, spans: readonly Span[]): string {
  let clean = '';
  let done = 0;
  for (const { start, end } of spans) {
    if (start >= done) clean += `${text.slice(done, start)}[redacted]`;
    done = Math.max(done, end);
  }
  return clean + text.slice(done);
}

/** Characters as a list of their numbers, as a program prints bytes. Its parts are bounded, so its time is linear in the text. */
const NUMBERS = /(?<![\w.])(?:0x[0-9a-f]{2}|\d{2,3})(?:\W{1,8}(?:0x[0-9a-f]{2}|\d{2,3})){9,}/gi;

/** A text with lists of numbers that spell a secret taken out. */
function withoutNumbers(text: string, spells: (text: string) => boolean): string {
  return text.replace(NUMBERS, (list) => {
    const spelt = list.split(/\W+/).map((code) => String.fromCodePoint(Number(code)));
    return spells(spelt.join('')) ? '[redacted]' : list;
  });
}

/** How often escapes are undone. */
const DEEPEST_ESCAPE = 3;

/**
 * Makes a function that replaces spellings of secrets that read alike: over lines, with blanks, marks and punctuation between their letters, in the other case, in
 * wide or mathematical letters, backwards, in Base64 or hexadecimal digits once or twice, all of that together, or as numbers. Where only undoing escapes shows one,
 * the whole text is replaced.
 */
export function formScrubber(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  if (long.length === 0) return (text) => text;
  const letters = finder(long.flatMap((secret) => formsOf(secret, lettersOf)));
  /** Secrets that punctuation makes. */
  const dotted = long.filter((secret) => lettersOf(secret).length < SHORTEST_FORM);
  const looks = [{ fold: lettersOf, find: letters }];
  if (dotted.length > 0)
    looks.push({ fold: seenOf, find: finder(dotted.flatMap((secret) => formsOf(secret, seenOf))) });
  return (text) => {
    let clean = text;
    for (const { fold, find } of looks) {
      const spans = find(fold(clean));
      if (spans.length === 0) continue;
      const inText = clean;
      clean = cut(
        inText,
        placesOf(inText, fold, spans).map((span) => widened(inText, span)),
      );
    }
    const spells = (one: string): boolean => looks.some(({ fold, find }) => find(fold(one)).length > 0);
    clean = withoutNumbers(clean, spells);
    let before = clean;
    for (let depth = 0; depth < DEEPEST_ESCAPE; depth += 1) {
      const after = undoneEscapes(before);
      if (after === before) break;
      if (spells(after)) return '[redacted]';
      before = after;
    }
    return clean;
  };
}
