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

/** Items of a long list that are written together. */
const TOGETHER = 4096;

/** Characters of a part, or more. */
const PART = 2 ** 18;

/** Parts of a text that is written bit by bit. */
function openParts() {
  const parts: string[] = [];
  let last = '';
  return {
    put(text: string): void {
      last += text;
      if (last.length < PART) return;
      parts.push(last);
      last = '';
    },
    ended: (): readonly string[] => (last === '' ? parts : [...parts, last]),
  };
}

type Put = (text: string) => void;

/** Writes a list whose items stand in order, many at a time: the text of all of them would lie in memory once more for each that takes it up. */
function putLong(list: readonly unknown[], put: Put): void {
  for (let from = 0; from < list.length; from += TOGETHER) {
    if (from > 0) put(',');
    put(JSON.stringify(list.slice(from, from + TOGETHER)).slice(1, -1));
  }
}

/** Writes a value whose long lists stand in order, wherever they lie, behind what stands before it; false, and nothing, for what JSON has no form for. */
function putValue(value: unknown, before: string, put: Put): boolean {
  if (isLong(value)) {
    put(`${before}[`);
    putLong(value as unknown[], put);
    put(']');
    return true;
  }
  if (Array.isArray(value)) {
    put(`${before}[`);
    for (let k = 0; k < value.length; k += 1) {
      const comma = k === 0 ? '' : ',';
      if (!putValue(value[k], comma, put)) put(`${comma}null`);
    }
    put(']');
    return true;
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype ||
    'toJSON' in value
  ) {
    const text = canonicalize(value);
    if (text !== undefined) put(before + text);
    return text !== undefined;
  }
  put(`${before}{`);
  let comma = '';
  for (const [key, field] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (putValue(field, `${comma}${canonicalize(key)}:`, put)) comma = ',';
  put('}');
  return true;
}

/** Makes the text of a value; an error of the project where there is none. */
function textOf<T>(make: () => T | undefined): T {
  try {
    const text = make();
    if (text !== undefined) return text;
  } catch (cause) {
    fail('JSON_INVALID', null, `cannot be written as JSON: ${String(cause)}`, undefined, { cause });
  }
  fail('JSON_INVALID', null, 'undefined cannot be written as JSON');
}

/**
 * Writes a value as RFC 8785 canonical JSON in parts that follow one another, a few hundred thousand characters each: a document of half a million
 * pairs then lies in memory once. Errors: those of `canonicalJson`.
 */
export function canonicalParts(value: unknown): readonly string[] {
  return textOf(() => {
    const { put, ended } = openParts();
    return putValue(value, '', put) ? ended() : undefined;
  });
}

/**
 * Writes a value as RFC 8785 canonical JSON: the form of every document this project writes itself.
 * NaN, infinities and lone surrogates are errors.
 */
export function canonicalJson(value: unknown): string {
  return textOf(() =>
    typeof value === 'object' && standsInOrder(value) ? JSON.stringify(value) : canonicalParts(value).join(''),
  );
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
