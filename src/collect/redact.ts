import { dataText } from '../util/text.js';
import { makeScrubber } from './secrets.js';

const SHAPES =
  /\b(?:sk|pk|hf|gsk|xai|key|or)[-_][A-Za-z0-9_-]{8,}|\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}|:\/\/[^/\s:@]{1,256}:[^/\s@]{1,256}@/gi;

/** Turns any text into one that may be written down: known secrets and secret-like words replaced, length bounded. */
export type Redact = (text: string) => string;

/** Longest error text kept (collection 1.9). */
export const MAX_ERROR_TEXT = 1000;

/** Makes a redactor for errors: known secrets first, then everything that looks like a key, a token or a URL with a password. */
export function makeRedactor(secrets: readonly string[]): Redact {
  const scrub = makeScrubber(secrets);
  return (text) => {
    const out = scrub(text).replace(SHAPES, '[redacted]');
    return out.length <= MAX_ERROR_TEXT ? out : `${out.slice(0, MAX_ERROR_TEXT - 3)}...`;
  };
}

/** Reads a short code from a provider, kept only when it cannot carry anything else (collection 1.8). */
export function safeScalar(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = dataText(value);
  return /^[A-Za-z0-9._:/-]{1,64}$/.test(text) ? text : 'present_redacted';
}
