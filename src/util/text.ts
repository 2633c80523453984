/** Tells whether a UTF-16 unit is white space as Python's `str.isspace` and `\s` see it (compiler c.2); JavaScript's `\s` is another set. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13) || (code >= 0x1c && code < 0x20);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  return (
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x1680 ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Takes white space off both ends, as Python's `str.strip` does; JavaScript's `trim` takes a byte order mark too, and leaves U+001C to U+001F. */
export function stripped(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Tells whether Python's `splitlines` ends a line at a UTF-16 unit. */
export function isLineBreak(code: number): boolean {
  if (code < 0x85) return (code >= 10 && code <= 13) || (code >= 0x1c && code <= 0x1e);
  return code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** True where every character is printable ASCII or one of the ASCII blanks. */
function isAsciiText(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7e) return false;
  return true;
}

/**
 * Full case folding: two strings fold alike exactly when Python's `casefold` says so. Built from the case mappings of
 * single characters, because those of whole strings depend on context (final sigma); dotless i folds to itself.
 */
function caseFold(text: string): string {
  if (isAsciiText(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) {
    folded += character === 'ı' ? 'ı' : character.toLowerCase().toUpperCase().toLowerCase();
  }
  return folded;
}

/** Letters, digits and hyphens in words that single blanks or underscores separate: what a name nearly always is. */
const PLAIN_NAME = /^[A-Za-z0-9-]+(?:[ _][A-Za-z0-9-]+)*$/;

/** Brings a name into the form in which names are compared: underscores are blanks, case is folded, runs of blanks are one, ends are trimmed (compiler c.2). */
export function normalizeName(name: string): string {
  if (PLAIN_NAME.test(name)) {
    const lower = name.toLowerCase();
    return lower.includes('_') ? lower.replaceAll('_', ' ') : lower;
  }
  const folded = caseFold(name.replaceAll('_', ' '));
  let result = '';
  let pending = false;
  for (let i = 0; i < folded.length; i += 1) {
    if (isBlank(folded.charCodeAt(i))) {
      pending = result !== '';
      continue;
    }
    if (pending) result += ' ';
    pending = false;
    result += folded.charAt(i);
  }
  return result;
}

/** Tells whether a text is well formed: false where it holds half of a surrogate pair, which UTF-8 cannot write. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** Control characters, escape sequences among them, what breaks a line or turns its direction, and what no XML may hold. */
export const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Makes a text from a file safe for a terminal and for one line of a document: control characters become spaces. */
export function plain(text: string): string {
  return text.replace(CONTROLS, ' ');
}

/** Writes control characters as JSON does, so that they show: a path may hold any. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Of these what JSON may leave as it is. */
const JSON_CONTROLS = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Writes the same JSON with every control character as an escape: what a value of a file holds moves no cursor and turns no line. */
export function plainJson(json: string): string {
  return json.replace(JSON_CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How many lists and objects may stand in one another where the text of a value is made of all its parts. */
const DEEPEST = 64;

/** Tells whether lists and objects stand in one another no deeper than their texts are made: what a file holds may be nested past any stack. */
function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < DEEPEST && Object.values(value).every((part) => isShallow(part, depth + 1));
}

/**
 * Gives the text of a value that a file holds: a text as it stands, a list by its parts, an object as JSON writes it, `...` for what is nested
 * too deep. `String` would call an object's own `toString`, which in a file is data.
 */
export function dataText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isShallow(value)) return '...';
  return Array.isArray(value) ? value.map(dataText).join() : (JSON.stringify(value) ?? typeof value);
}

/** Writes a word so that a shell takes it literally. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
