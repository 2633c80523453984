import canonicalize from 'canonicalize';
import { fail } from '../util/error.js';
import { sha256 } from './digest.js';

/**
 * Writes a value as RFC 8785 canonical JSON: the form of every document this project writes itself.
 * NaN, infinities and lone surrogates are errors.
 */
export function canonicalJson(value: unknown): string {
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (cause) {
    fail('JSON_INVALID', null, `cannot be written as JSON: ${String(cause)}`, undefined, { cause });
  }
  fail('JSON_INVALID', null, 'undefined cannot be written as JSON');
}

/** Takes the SHA-256 of the canonical form. */
export function canonicalDigest(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** Takes the SHA-256 of the canonical form of a set of digests, sorted: hexadecimal texts are canonical as they are. */
export function setDigest(digests: Iterable<string>): string {
  return sha256(JSON.stringify([...digests].sort()));
}

/** Gives the document with `artifact_sha256` set to the digest of everything else in it. */
export function sealed<T extends object>(document: T): T & { artifact_sha256: string } {
  const { artifact_sha256: _, ...body } = document as T & { artifact_sha256?: string };
  return { ...(body as T), artifact_sha256: canonicalDigest(body) };
}
