import { canonicalDigest } from '../io/canonical.js';

/** Takes the digest of choices: that of the object from label to name (reading 3.5). */
export function choicesDigest(choices: readonly string[]): string {
  return canonicalDigest(Object.fromEntries(choices.map((name, i) => [String.fromCharCode(65 + i), name])));
}
