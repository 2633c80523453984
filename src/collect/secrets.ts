/** Least characters of a credential: what is shorter is a mistake, and replacing it would spoil ordinary words. */
export const SHORTEST_SECRET = 12;

/** Words of a name whose value is a credential. */
const SECRET_NAME =
  /(?:^|[-_.])(?:authori[sz]ation|auth|apikey|key|token|secret|passw(?:or)?d|passphrase|pwd|cookie|credentials?|session|signature|jwt|bearer)(?:$|[-_.])/i;
/** Names that hold one of those words and mean something else. */
const HARMLESS_NAME =
  /(?:^|[-_.])(?:(?:max|min|num|prompt|completion|reasoning|new|stop|eos|bos|pad|ban(?:ned)?)[-_.](?:.*[-_.])?tokens?(?:[-_.]ids?)?|cache[-_.]key|token[-_.](?:healing|ids?))$/i;

/** Tells whether a field or a header of this name carries a credential. `apiKey` counts as `api_key`. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return SECRET_NAME.test(words) && !HARMLESS_NAME.test(words);
}

const KNOWN_SHAPES =
  /(?:^|[^A-Za-z0-9])(?:(?:sk|pk|hf|gsk|xai|key|or|ghp|glpat|xox[a-z])[-_](?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,})/;

/** Tells whether a text holds what providers' keys look like. */
export function holdsKnownSecret(text: string): boolean {
  return KNOWN_SHAPES.test(text.slice(0, 4096));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Tells whether a text is one word with a long part of letters and digits, as keys have and names of models, dates and settings have not. */
export function looksOpaque(text: string): boolean {
  if (UUID.test(text)) return true;
  if (!/^[A-Za-z0-9+/=_.~-]{20,4096}$/.test(text)) return false;
  const parts = text.match(/[A-Za-z0-9+]{16,}/g) ?? [];
  return parts.some((part) => (part.match(/\d/g) ?? []).length >= 3 && /[A-Za-z]/.test(part));
}

const LETTER = /[A-Za-z0-9]/;

function escaped(unit: string): string {
  return LETTER.test(unit) ? unit : `\\u{${unit.codePointAt(0)!.toString(16)}}`;
}

/**
 * One character of a secret in each of its spellings: as it is, escaped in JSON (also twice) or as `\x73`, percent-encoded (also twice), quoted-printable,
 * a numeric entity of HTML.
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
  options.push(`&#(?:0{0,4}${code}|[xX]0{0,4}${anyCase(code.toString(16))});?`);
  if (character === ' ') options.push('\\+');
  // The character alone comes last: a backslash also begins its own longer spellings.
  options.push(escaped(character));
  return `(?:${options.join('|')})`;
}

const anyCase = (hex: string): string =>
  [...hex].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join('');

/** Breaks of lines that may stand inside an encoded text, also as escapes. */
const BREAK = '(?:\\s|\\\\{1,4}[nrt]){0,4}';

/** The part of the Base64 of a text that does not depend on what stands before it, for the three places it can begin at. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = text.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
    return core.length < 12 ? [] : [core];
  });
}

/** A pattern for an encoded part in both alphabets, wrapped or not; the characters at both ends, which hold a few bits of it, and the filling go too. */
function base64Pattern(core: string): string {
  const either = [...core].map((c) => (c === '+' ? '[+\\-]' : c === '/' ? '[\\/_]' : c));
  return `(?:[A-Za-z0-9+\\/_\\-]${BREAK})?${either.join(BREAK)}(?:${BREAK}[A-Za-z0-9+\\/_\\-])?(?:${BREAK}=){0,2}`;
}

/** Encodings of a whole secret: Base64 once and twice, and the digits of its bytes, run together or apart. */
function encodings(secret: string): string[] {
  const once = base64Cores(secret);
  const digits = [...Buffer.from(secret, 'utf8')].map((byte) => anyCase(byte.toString(16).padStart(2, '0')));
  return [...[...once, ...once.flatMap(base64Cores)].map(base64Pattern), digits.join('[\\s:]{0,2}')];
}

/**
 * Makes a function that replaces known secrets and nothing else, in the spellings of JSON, of addresses, of HTML and of mail, in Base64 once or twice and
 * in hexadecimal digits. A pattern has no repetition but short counted ones, so its time is linear in the text.
 */
export function makeScrubber(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length > 0).sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  const patterns = known.flatMap((secret) => [Array.from(secret, spellings).join(''), ...encodings(secret)]);
  const pattern = new RegExp(patterns.join('|'), 'gu');
  return (text) => text.replace(pattern, '[redacted]');
}

/** Depth past which a reply holds nothing that is read. */
const DEEPEST = 64;

/** Gives the same JSON with every text in it, names too, scrubbed; null in place of what lies deeper than any reply that is read. */
export function scrubJson(value: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => scrubJson(item, scrub, depth + 1));
  const entries = Object.entries(value).map(([name, item]) => [scrub(name), scrubJson(item, scrub, depth + 1)]);
  return Object.fromEntries(entries);
}
