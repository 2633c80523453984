import { basename } from 'node:path';
import { parseCsv } from '../io/csv.js';
import { parseJson } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { isWellFormed } from '../util/text.js';
import { plainEnding, readSpaceText } from './space-file.js';

const LONGEST = 200;
const NAMES = 'Names are unique, printable and at most 200 characters long.';
const FORM = 'A list of names, or an object from name to row number 0, 1, 2, ..., is expected.';
/** What no name and no label may hold: it would break a line or a terminal. */
export const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Checks a list of names: not empty, printable, at most 200 characters, each once. Errors: NAME_INVALID with the position. */
export function checkNames(names: readonly string[], file: string): readonly string[] {
  const positions = new Map<string, number>();
  names.forEach((name, i) => {
    const place = { file, path: `name ${i + 1}` };
    if (name.trim() === '') fail('NAME_INVALID', place, 'a name expected, found an empty one', NAMES);
    if (name.length > LONGEST)
      fail(
        'NAME_INVALID',
        place,
        `${shown(name)} has ${name.length} characters; at most ${LONGEST} are expected`,
        NAMES,
      );
    if (!isWellFormed(name)) fail('NAME_INVALID', place, `${shown(name)} holds half of a surrogate pair`, NAMES);
    if (CONTROL.test(name)) fail('NAME_INVALID', place, `${shown(name)} contains a control character`, NAMES);
    const first = positions.get(name);
    if (first !== undefined)
      fail(
        'NAME_INVALID',
        place,
        `${shown(name)} is also name ${first + 1}`,
        'Each name has one row: remove or rename the other.',
      );
    positions.set(name, i);
  });
  return names;
}

function fromJson(text: string, file: string): string[] {
  const value = parseJson(text, { file });
  if (Array.isArray(value)) {
    return value.map((name, i) => {
      if (typeof name !== 'string')
        fail('NAME_INVALID', { file, path: `[${i}]` }, `a name expected, found ${shown(name)}`, FORM);
      return name;
    });
  }
  if (typeof value !== 'object' || value === null)
    fail('NAME_INVALID', { file }, `a list or an object expected, found ${shown(value)}`, FORM);
  const entries = Object.entries(value);
  const names = new Array<string | undefined>(entries.length).fill(undefined);
  for (const [name, row] of entries) {
    if (typeof row !== 'number' || !Number.isInteger(row) || row < 0 || row >= entries.length)
      fail(
        'NAME_INVALID',
        { file },
        `${shown(name)} has row ${shown(row)}; 0 to ${entries.length - 1} are expected`,
        FORM,
      );
    if (names[row] !== undefined)
      fail('NAME_INVALID', { file }, `${shown(name)} and ${shown(names[row])} are both row ${row}`, FORM);
    names[row] = name;
  }
  return names as string[];
}

/**
 * Reads row names: a JSON list, a JSON object from name to row (vocab.json), a CSV with a `name` column or one column, or a
 * text file with one name a line.
 */
export async function readNames(path: string): Promise<readonly string[]> {
  const file = basename(path);
  const text = await readSpaceText(path);
  const kind = plainEnding(path);
  if (kind === '.json') return checkNames(fromJson(text, file), file);
  if (kind === '.csv') {
    const { header, rows } = parseCsv(text, { file });
    const column = header.length === 1 ? 0 : header.indexOf('name');
    if (column < 0) {
      fail('NAME_INVALID', { file, line: 1 }, `no column \`name\` among ${header.join(', ')}`, FORM);
    }
    return checkNames(
      rows.map((row) => row[column]!),
      file,
    );
  }
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return checkNames(lines, file);
}

/** Reads spellings that were merged into one ingredient: the last column lists them, parts separated by `;`, `|` or `,`. */
export async function readVariants(path: string, names: readonly string[]): Promise<Map<string, number>> {
  const { header, rows } = parseCsv(await readSpaceText(path), { file: basename(path) });
  const final = header.indexOf('final_name');
  const originals = header.indexOf('original_names_consolidated');
  const rowOf = new Map(names.map((name, i) => [name, i]));
  const out = new Map<string, number>();
  if (final < 0 || originals < 0) return out;
  for (const cells of rows) {
    const row = rowOf.get(cells[final]!);
    if (row === undefined) continue;
    for (const part of cells[originals]!.split(/[;|,]/)) {
      const spelling = part.replace(/[[\]'"]/g, '').trim();
      if (spelling !== '' && !rowOf.has(spelling) && !out.has(spelling)) out.set(spelling, row);
    }
  }
  return out;
}
