import { type ErrorPlace, fail } from '../util/error.js';
import { canonicalDigest } from './canonical.js';
import { type PyValue, parsePyJson, pyDigest } from './pyjson.js';

/**
 * Computes the digest that a sealed document must state in `artifact_sha256`: over everything else in it, in the canonical form it names in
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

/** A digest that a document states and the one that its content has. */
interface StatedDigest {
  readonly field: 'artifact_sha256' | 'results_sha256';
  readonly stated: unknown;
  readonly found: string;
}

/**
 * The digests that a document states, with those of its content: `artifact_sha256` over everything else in it, `results_sha256`
 * over its `results`. Without a text the form is RFC 8785; with one it is the form that the document names.
 */
function statedDigests(document: object, text?: string, file?: string): StatedDigest[] {
  const { artifact_sha256, ...body } = document as Readonly<Record<string, unknown>>;
  const digests: StatedDigest[] = [];
  // A seal states the digest of results that stand in another file.
  if (body.results_sha256 !== undefined && 'results' in body)
    digests.push({ field: 'results_sha256', stated: body.results_sha256, found: canonicalDigest(body.results) });
  if (artifact_sha256 !== undefined) {
    const found = text === undefined ? canonicalDigest(body) : documentDigest(text, { ...body }, file);
    digests.push({ field: 'artifact_sha256', stated: artifact_sha256, found });
  }
  return digests;
}

/** Holds a document of ours against the digests it states. Errors: DIGEST_MISMATCH (exit 4) names both digests. */
export function assertDigests(document: object, place: ErrorPlace, hint: string, text?: string): void {
  for (const { field, stated, found } of statedDigests(document, text, place.file)) {
    if (stated !== found) {
      fail('DIGEST_MISMATCH', place, `${field} is ${stated}, its content has ${found}`, hint, { exit: 4 });
    }
  }
}
