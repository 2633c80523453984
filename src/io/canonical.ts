import canonicalize from 'canonicalize';
import { fail } from '../util/error.js';
import { sha256 } from './digest.js';

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Tells whether JSON.stringify writes a value in its canonical form: plain data whose keys stand in order. */
function standsInOrder(value: unknown): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return value === null || typeof value === 'boolean';
  if (Array.isArray(value)) return value.every(standsInOrder);
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false;
  let before: string | null = null;
  for (const key in value) {
    if ((before !== null && before >= key) || LONE_SURROGATE.test(key)) return false;
    if (!standsInOrder((value as Record<string, unknown>)[key])) return false;
    before = key;
  }
  return true;
}

/** Lists that stand in order: `canonicalize` takes many times as long as JSON.stringify, and room. Shorter ones are not worth looking through. */
const LONG = 32;

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length >= LONG && standsInOrder(value);

/** Writes a value whose long lists stand in order, wherever they lie; undefined for what JSON has no form for. */
function withLongLists(value: unknown): string | undefined {
  if (isLong(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => withLongLists(item) ?? 'null').join(',')}]`;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return canonicalize(value);
  if ('toJSON' in value) return canonicalize(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const written = fields.flatMap(([key, field]) => {
    const text = withLongLists(field);
    return text === undefined ? [] : [`${canonicalize(key)}:${text}`];
  });
  return `{${written.join(',')}}`;
}

/**
 * Writes a value as RFC 8785 canonical JSON: the form of every document this project writes itself.
 * NaN, infinities and lone surrogates are errors.
 */
export function canonicalJson(value: unknown): string {
  try {
    if (typeof value === 'object' && standsInOrder(value)) return JSON.stringify(value);
    const text = withLongLists(value);
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

/** Tells whether the members of every object stand in the order of RFC 8785. */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isOrdered);
  let last: string | undefined;
  for (const key in value) {
    if (last !== undefined && key < last) return false;
    last = key;
    if (!isOrdered((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

/** Tells whether a text is the canonical form of the value that was read from it: its members in order, none twice. Mostly without writing it anew. */
export function isCanonical(value: unknown, text: string): boolean {
  return (isOrdered(value) && JSON.stringify(value) === text) || canonicalJson(value) === text;
}
