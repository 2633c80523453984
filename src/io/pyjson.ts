import { fail } from '../util/error.js';
import { isWellFormed } from '../util/text.js';
import { sha256 } from './digest.js';
import type { JsonPlace } from './json.js';
import { readJsonTree } from './json-reader.js';

/** A number that Python holds as a float: it prints with a point or an exponent even where it is integral. */
export class PyFloat {
  constructor(readonly value: number) {}
}

/** Plain numbers that are integers print as integers; others, and every PyFloat, print as Python's repr of a float. */
export type PyValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | PyFloat
  | readonly PyValue[]
  | { readonly [key: string]: PyValue | undefined };

/** Marks a number as a float, so that 100 prints as `100.0`. */
export function pyFloat(value: number): PyFloat {
  return new PyFloat(value);
}

function fromToken(token: string): number | bigint | PyFloat {
  if (/[.eE]/.test(token)) return new PyFloat(Number(token));
  if (token.endsWith('N') || token.endsWith('y')) return new PyFloat(Number(token));
  const value = Number(token);
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : BigInt(token);
}

/**
 * Parses JSON and keeps what JavaScript loses: whether a number was written as an integer or a float, and every digit of a
 * large integer. Strict like `parseJson`; `nonFinite` also reads NaN and Infinity, as Python does.
 */
export function parsePyJson(text: string, options: JsonPlace & { readonly nonFinite?: boolean } = {}): PyValue {
  return readJsonTree(text, { ...options, number: fromToken }) as PyValue;
}

/** Writes a float as Python's repr does (collection 0.1): shortest digits, `.0` when integral, exponent below 1e-4 and from 1e16 on. */
export function pyFloatText(value: number): string {
  if (!Number.isFinite(value)) {
    fail('JSON_INVALID', null, `${value} cannot be written as JSON`);
  }
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size >= 1e16 || (size < 1e-4 && size > 0)) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    const padded = exponent.slice(1).padStart(2, '0');
    return `${digits}e${exponent.charAt(0)}${padded}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Compares keys by Unicode code point, which is not JavaScript's order once surrogate pairs occur. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1;
  }
  return a.length - b.length;
}

interface PyJsonStyle {
  /** Writes everything outside printable ASCII as `\uXXXX`: the second canonical form (collection 0.1). */
  readonly ascii?: boolean;
  /** Stored form: two blanks a level, one item a line. */
  readonly indent?: boolean;
  /** What a lone surrogate and a non-finite number become: an error, or `\udXXX` and `null`. */
  readonly lenient?: boolean;
}

function stringText(value: string, style: PyJsonStyle): string {
  const text = JSON.stringify(value);
  if (style.ascii) {
    return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  if (!style.lenient && !isWellFormed(value)) {
    fail('JSON_INVALID', null, `a lone surrogate cannot be written as UTF-8: ${text}`);
  }
  return text;
}

function write(value: PyValue, style: PyJsonStyle, pad: string): string {
  if (typeof value === 'string') return stringText(value, style);
  if (typeof value === 'number' || value instanceof PyFloat) {
    const number = typeof value === 'number' ? value : value.value;
    if (style.lenient && !Number.isFinite(number)) return 'null';
    if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) {
      return String(value);
    }
    return pyFloatText(number);
  }
  if (value === null || typeof value !== 'object') return String(value);
  const inner = style.indent ? `${pad}  ` : '';
  const open = style.indent ? `\n${inner}` : '';
  const close = style.indent ? `\n${pad}` : '';
  const comma = style.indent ? `,\n${inner}` : ',';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = (value as readonly PyValue[]).map((item) => write(item, style, inner));
    return `[${open}${items.join(comma)}${close}]`;
  }
  const object = value as { readonly [key: string]: PyValue | undefined };
  const keys = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareCodePoints);
  if (keys.length === 0) return '{}';
  const colon = style.indent ? ': ' : ':';
  const items = keys.map((key) => stringText(key, style) + colon + write(object[key] as PyValue, style, inner));
  return `{${open}${items.join(comma)}${close}}`;
}

/**
 * Writes Python-style canonical JSON (collection 0.1): keys by code point, no blanks, floats keep their point. Keys whose value
 * is undefined are left out. Errors: JSON_INVALID on NaN, infinities and lone surrogates.
 */
export function pyCanonical(value: PyValue, style: Omit<PyJsonStyle, 'indent'> = {}): string {
  return write(value, style, '');
}

/** Takes the SHA-256 of the canonical form. */
export function pyDigest(value: PyValue, style: Omit<PyJsonStyle, 'indent'> = {}): string {
  return sha256(pyCanonical(value, style));
}

/** Writes the stored form of a released document: two-blank indent, sorted keys, a final line feed. */
export function pyStored(value: PyValue): string {
  return `${write(value, { indent: true }, '')}\n`;
}

/** Gives the document with `artifact_sha256` set to the Python-style digest of everything else in it. */
export function pySealed<T extends { readonly [key: string]: PyValue | undefined }>(
  document: T,
): T & { artifact_sha256: string } {
  const { artifact_sha256: _, ...body } = document;
  return { ...(body as unknown as T), artifact_sha256: pyDigest(body) };
}
