import { type ErrorPlace, fail } from '../util/error.js';
import { dataText } from '../util/text.js';
import { canonicalDigest, sealed } from './canonical.js';
import { type PyValue, parsePyJson, pySealed } from './pyjson.js';

/**
 * Computes the digest that a sealed document must state in `artifact_sha256`: over everything else in it, in the canonical form it names in
 * `canonicalization` (RFC8785), else in the released Python-style form, for which number tokens are read from the text.
 */
export function documentDigest(text: string, document: Readonly<Record<string, unknown>>, file?: string): string {
  if (document.canonicalization === 'RFC8785') return sealed(document).artifact_sha256;
  return pySealed(parsePyJson(text, { file }) as { [key: string]: PyValue }).artifact_sha256;
}

/** A digest that a document states and the one that its content has. */
interface StatedDigest {
  readonly field: 'artifact_sha256' | 'results_sha256';
  readonly stated: unknown;
  readonly found: string;
}

/**
 * Gives the digests that a document states, with those of its content: `results_sha256` over its `results`, where it states one,
 * and `artifact_sha256` over everything else in it. Without a text the form is RFC 8785; with one it is the form that the
 * document names.
 */
export function statedDigests(document: object, text?: string, file?: string): StatedDigest[] {
  const fields = document as Readonly<Record<string, unknown>>;
  const digests: StatedDigest[] = [];
  // A seal states the digest of results that stand in another file.
  if (fields.results_sha256 !== undefined && 'results' in fields)
    digests.push({ field: 'results_sha256', stated: fields.results_sha256, found: canonicalDigest(fields.results) });
  const found = text === undefined ? sealed(document).artifact_sha256 : documentDigest(text, fields, file);
  return [...digests, { field: 'artifact_sha256', stated: fields.artifact_sha256, found }];
}

/** Holds a document against the digests it states. Errors: `code` (DIGEST_MISMATCH; exit 4) names both digests. */
export function assertDigests(
  document: object,
  place: ErrorPlace,
  hint: string,
  { text, code = 'DIGEST_MISMATCH' }: { readonly text?: string; readonly code?: string } = {},
): void {
  for (const { field, stated, found } of statedDigests(document, text, place.file)) {
    if (stated === found) continue;
    fail(
      code,
      place,
      `${field} is ${stated === undefined ? 'missing' : dataText(stated)}, its content has ${found}`,
      hint,
      { exit: 4 },
    );
  }
}
