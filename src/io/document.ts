import { canonicalDigest } from './canonical.js';
import { type PyValue, parsePyJson, pyDigest } from './pyjson.js';

/**
 * Digest a sealed document must state in `artifact_sha256`: over everything else in it, in the canonical form it names in
 * `canonicalization` (RFC8785), else in the released Python-style form, for which number tokens are read from the text.
 */
export function documentDigest(text: string, document: Readonly<Record<string, unknown>>, file?: string): string {
  if (document.canonicalization === 'RFC8785') {
    const { artifact_sha256: _, ...body } = document;
    return canonicalDigest(body);
  }
  const { artifact_sha256: _, ...body } = parsePyJson(text, { file }) as { [key: string]: PyValue };
  return pyDigest(body);
}
