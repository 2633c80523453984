/** Words of a name whose value is a credential. */
const SECRET_NAME =
  /(?:^|_)(?:authori[sz]ation|auth|apikeys?|key|pat|token|secrets?|passw(?:or)?ds?|passphrases?|passcodes?|pwd|cookies?|credentials?|session|signature|jwt|bearer)\d*(?:$|_)/i;
/** The same without anything between its words, and words that say so alone. */
const RUN_TOGETHER =
  /(?:access|account|api|auth|bearer|client|master|private|refresh|secret|session|signing|subscription)(?:key|token|secret)|^(?:keys|tokens|pass)\d*$/i;
/** Names that hold one of those words and mean something else. */
const HARMLESS_NAME =
  /(?:^|_)(?:(?:max|min|num|prompt|completion|reasoning|new|stop|eos|bos|pad|ban(?:ned)?)_(?:.*_)?tokens?(?:_ids?)?|cache_key|token_(?:healing|ids?))$/i;

/** Tells whether a field or a header of this name carries a credential. `apiKey`, `api key` and letters that only look wider count as `api_key`. */
export function isSecretName(name: string): boolean {
  const words = name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_');
  return (SECRET_NAME.test(words) || RUN_TOGETHER.test(words)) && !HARMLESS_NAME.test(words);
}

const KNOWN_SHAPES =
  /(?:^|[^A-Za-z0-9])(?:(?:sk|pk|hf|gsk|csk|xai|key|or|r8|nvapi|pplx|gh[opsu]|github_pat|glpat|xox[a-z])[-_](?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{16,}|A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,})/;

/** Tells whether a text holds what providers' keys look like. */
export function holdsKnownSecret(text: string): boolean {
  return KNOWN_SHAPES.test(text.slice(0, 4096));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BESIDE_WORDS = /[^A-Za-z0-9+/=_.~-]+/;

function isOpaque(word: string): boolean {
  if (UUID.test(word)) return true;
  if (word.length < 20 || word.length > 4096) return false;
  const parts = word.match(/[A-Za-z0-9+]{16,}/g) ?? [];
  return parts.some((part) => (part.match(/\d/g) ?? []).length >= 3 && /[A-Za-z]/.test(part));
}

/** Tells whether a text holds a word with a long part of letters and digits, as keys have and names of models, dates and settings have not. */
export function looksOpaque(text: string): boolean {
  return text.split(BESIDE_WORDS).some(isOpaque);
}

/** A password in an address; a pair in its query; a text that is one pair, as a line of a header is. */
const USER_OF_ADDRESS = /:\/\/[^/\s:@]{0,256}:[^/\s@]{1,256}@/;
const QUERY = /[?&]([^=&\s]{1,64})=[^&\s]/g;
const PAIR = /^\s*([\w.-]{1,64})\s*[:=]\s*\S/;

/** Tells whether a text gives a credential by name: in an address or as a pair of a name and a value. */
export function namesSecret(text: string): boolean {
  const names = [...text.matchAll(QUERY), ...[PAIR.exec(text) ?? []]].flatMap(([, name]) => name ?? []);
  return USER_OF_ADDRESS.test(text) || names.some(isSecretName);
}

/** Tells whether a text of a plan looks like a credential or gives one. */
export function looksSecret(text: string): boolean {
  return looksOpaque(text) || holdsKnownSecret(text) || namesSecret(text);
}
