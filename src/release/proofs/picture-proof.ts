import { latin1Text, sameBytes, utf8Text } from '#platform';
import { readPixels } from '../../draw/pixels.js';
import { shown } from '../../util/error.js';
import type { Inventory, ReleaseFile } from '../release-files.js';
import { type Difference, textDifferences } from './differences.js';
import type { Findings } from './findings.js';

export interface PictureProof {
  /** The pictures as they were drawn again. */
  readonly made: readonly ReleaseFile[];
  readonly files: Inventory;
  /** Whether the release was drawn by rules that this program no longer has: pictures that differ are listed, not held against it. */
  readonly oldRules: boolean;
}

/**
 * Holds every picture of a release against the one that was drawn again from its documents: SVG and PDF byte by byte, PNG pixel by pixel
 * (docs/release.md). Those that are missing are for others to name.
 */
export function provePictures({ made, files, oldRules }: PictureProof, findings: Findings): void {
  const left: string[] = [];
  let compared = 0;
  let packed = 0;
  for (const { name, bytes } of made) {
    const found = files.get(name);
    if (found === undefined) continue;
    compared += 1;
    if (sameBytes(bytes, found)) continue;
    const difference = pictureDifference(name, bytes, found);
    if (difference === null) packed += 1;
    else if (oldRules) left.push(name);
    else findings.add(difference);
  }
  findings.done('pictures drawn again: SVG and PDF by byte, PNG by pixel', compared - left.length);
  if (left.length > 0)
    findings.left('pictures', left.length, `drawn by version 0.1.0, whose rules are gone: ${left.join(', ')}`);
  if (packed > 0) findings.note(`${packed} PNG have the same pixels in other bytes: packed by another encoder`);
}

/** Finds where a picture differs from the one that was drawn again; null for a PNG of the same pixels. */
function pictureDifference(file: string, made: Uint8Array, found: Uint8Array): Difference | null {
  if (file.endsWith('.png')) return pixelDifference(file, made, found);
  const [first] = file.endsWith('.svg')
    ? markupDifferences(file, utf8Text(made), utf8Text(found))
    : textDifferences(file, latin1Text(made), latin1Text(found));
  return first ?? { file, at: 'its bytes', expected: 'valid UTF-8', found: 'other bytes' };
}

function pixelDifference(file: string, made: Uint8Array, found: Uint8Array): Difference | null {
  const [expected, read] = [readPixels(made), readPixels(found)];
  if (typeof expected === 'string') throw new Error(`${file} was drawn, but ${expected}`);
  if (typeof read === 'string') return { file, at: 'its form', expected: 'a picture as it was drawn', found: read };
  const { width, height, rgba } = read;
  if (width !== expected.width || height !== expected.height)
    return { file, at: 'its size', expected: `${expected.width} x ${expected.height}`, found: `${width} x ${height}` };
  const at = rgba.findIndex((value, i) => value !== expected.rgba[i]);
  if (at < 0) return null;
  const pixel = Math.floor(at / 4);
  const colour = (bytes: Uint8Array) =>
    `#${Array.from(bytes.subarray(4 * pixel, 4 * pixel + 4), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return {
    file,
    at: `pixel ${(pixel % width) + 1} of row ${Math.floor(pixel / width) + 1}`,
    expected: colour(expected.rgba),
    found: colour(rgba),
  };
}

/** Yields the first element, with the text behind its tag, in which two texts of markup differ, if any. */
export function* markupDifferences(file: string, expected: string, found: string): Generator<Difference> {
  if (expected === found) return;
  const elements = (text: string) => text.split(/(?=<)/);
  const [left, right] = [elements(expected), elements(found)];
  const first = left.findIndex((element, i) => element !== right[i]);
  const at = first < 0 ? left.length : first;
  const [a = 'the end', b = 'the end'] = [left[at], right[at]];
  yield { file, at: `tag ${at + 1}`, expected: shown(excerpt(a, b)), found: shown(excerpt(b, a)) };
}

/** Characters before the first difference that an excerpt shows. */
const BEFORE = 40;

/** A text from shortly before it parts from another. */
function excerpt(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return at <= 2 * BEFORE ? text : `...${text.slice(at - BEFORE)}`;
}
