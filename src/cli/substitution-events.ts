import type { Substitution } from '../analyses/substitutions/check.js';
import { readInput } from '../io/file.js';
import { parseJson } from '../io/json.js';
import { type PickleValue, readPickle } from '../io/pickle.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';

/** What stands there, in a word: a pickle's values may contain themselves, or repeat without end. */
function kindOf(found: unknown): string {
  if (Array.isArray(found)) return `a list of ${found.length}`;
  if (typeof found === 'string') return shown(found);
  return found === undefined ? 'nothing' : found instanceof Map ? 'a dictionary' : `a ${typeof found}`;
}

const RECORD =
  'A record is a pair [source, target], or an object with it as `subs`; a table has two columns, source and target.';

const spaced = (name: string): string => name.replaceAll(' ', '_');

/**
 * Reads observed substitutions: a data-only pickle as the GISMo release has it, a JSON array, one JSON value a line, or a table of two columns;
 * a record is a pair (source, target), or has it as `subs`. Blanks in names are read as underscores (reading 3.7). Errors: PICKLE_REFUSED,
 * SCHEMA_INVALID.
 */
export function readSubstitutions(path: string): Substitution[] {
  const bytes = readInput(path);
  const pickled = bytes[0] === 0x80;
  const records = pickled ? pickleRecords(bytes, path) : textRecords(decodeText(path, bytes), path);
  return records.map((subs, i) => {
    const [source, target] = Array.isArray(subs) && subs.length === 2 ? (subs as unknown[]) : [subs];
    if (typeof source === 'string' && typeof target === 'string') return [spaced(source), spaced(target)] as const;
    const found = kindOf(typeof source === 'string' && Array.isArray(subs) ? target : source);
    return fail(
      'SCHEMA_INVALID',
      { file: path, row: i + 1, path: 'subs' },
      `two names expected, found ${found}`,
      RECORD,
    );
  });
}

function pickleRecords(bytes: Uint8Array, path: string): unknown[] {
  const value = readPickle(bytes, path);
  if (!Array.isArray(value))
    fail('SCHEMA_INVALID', { file: path }, `a list of records expected, found ${kindOf(value)}`, RECORD);
  return value.map((record: PickleValue) => (record instanceof Map ? record.get('subs') : undefined));
}

function textRecords(text: string, path: string): unknown[] {
  const start = text.trimStart();
  if (!/^[[{]/.test(start)) return tableRecords(text);
  const list = /^\[\s*[[{\]]/.test(start)
    ? (parseJson(text, { file: path }) as unknown as unknown[])
    : text
        .split('\n')
        .flatMap((line, i) => (line.trim() === '' ? [] : [parseJson(line, { file: path, line: i + 1 }) as unknown]));
  return list.map((record) => (Array.isArray(record) ? record : (record as { readonly subs?: unknown } | null)?.subs));
}

/** Two cells a line, separated by a tab, a semicolon or a comma; a first line `source`, `target` is a header. */
function tableRecords(text: string): unknown[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const separator = ['\t', ';', ','].find((each) => lines[0]?.includes(each)) ?? ',';
  const rows = lines.map((line) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')));
  const [source, target] = rows[0] ?? [];
  return source?.toLowerCase() === 'source' && target?.toLowerCase() === 'target' ? rows.slice(1) : rows;
}
