import { parseCsv } from '../../io/csv.js';
import { shown } from '../../util/error.js';
import { dataText } from '../../util/text.js';

/** Where two contents differ: what was recomputed and what the file says. */
export interface Difference {
  /** File inside the release. */
  readonly file: string;
  /** Place inside it: line, row, column, path. */
  readonly at: string;
  /** Empty where `found` says all. */
  readonly expected: string;
  readonly found: string;
}

function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return '';
  const { model_id, left_model_id, right_model_id, task_id, path, filename } = item as Record<string, unknown>;
  const name =
    model_id ??
    task_id ??
    path ??
    filename ??
    (left_model_id && `${dataText(left_model_id)} : ${dataText(right_model_id)}`);
  return typeof name === 'string' ? ` (${name})` : '';
}

/** Yields every place where two JSON values differ. Numbers are equal when they are the same double, or within `tolerance`. */
export function* jsonDifferences(
  file: string,
  expected: unknown,
  found: unknown,
  options: {
    readonly ignore?: (key: string, at: string) => boolean;
    readonly tolerance?: number;
  } = {},
  at = '',
): Generator<Difference> {
  if (typeof expected === 'object' && expected !== null && typeof found === 'object' && found !== null) {
    if (Array.isArray(expected) !== Array.isArray(found)) {
      yield { file, at, expected: shown(expected), found: shown(found) };
      return;
    }
    const left = expected as Record<string, unknown>;
    const right = found as Record<string, unknown>;
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      if (options.ignore?.(key, at)) continue;
      const place = Array.isArray(expected)
        ? `${at}[${key}]${nameOf(left[key] ?? right[key])}`
        : at === ''
          ? key
          : `${at}.${key}`;
      yield* jsonDifferences(file, left[key], right[key], options, place);
    }
    return;
  }
  const near =
    typeof expected === 'number' && typeof found === 'number' && Math.abs(expected - found) <= (options.tolerance ?? 0);
  if (near || expected === found) return;
  yield { file, at, expected: shown(expected ?? null), found: shown(found ?? null) };
}

/** Yields every field in which two CSV texts differ; columns by header, rows by number and first cell. */
export function* csvDifferences(file: string, expected: string, found: string): Generator<Difference> {
  if (expected === found) return;
  const left = parseCsv(expected, { file });
  const right = parseCsv(found, { file });
  if (left.header.join() !== right.header.join()) {
    yield {
      file,
      at: 'line 1',
      expected: shown(left.header.join()),
      found: shown(right.header.join()),
    };
    return;
  }
  let cells = 0;
  for (let r = 0; r < Math.max(left.rows.length, right.rows.length); r += 1) {
    const a = left.rows[r];
    const b = right.rows[r];
    const at = `line ${r + 2}`;
    if (!a || !b) {
      cells += 1;
      yield {
        file,
        at,
        expected: a ? shown(a.join()) : 'no row',
        found: b ? shown(b.join()) : 'no row',
      };
      continue;
    }
    const who = a[left.header.indexOf('model_id')] ?? a.slice(0, 2).join(' : ');
    for (const [c, name] of left.header.entries()) {
      if (a[c] === b[c]) continue;
      cells += 1;
      yield { file, at: `${at} (${who}), ${name}`, expected: shown(a[c]), found: shown(b[c]) };
    }
  }
  if (cells === 0) yield { file, at: 'its bytes', expected: 'the released form', found: 'another form' };
}

/** Yields the first line in which two texts differ, if any. */
export function* textDifferences(file: string, expected: string, found: string): Generator<Difference> {
  if (expected === found) return;
  const left = expected.split('\n');
  const right = found.split('\n');
  const line = left.findIndex((text, i) => text !== right[i]);
  const at = line < 0 ? left.length : line;
  yield {
    file,
    at: `line ${at + 1}`,
    expected: shown(left[at] ?? 'the end'),
    found: shown(right[at] ?? 'the end'),
  };
}

/** A table as it is read from a file. */
interface ReadTable {
  readonly names: readonly string[];
  readonly rows: number;
  column(name: string): ArrayLike<unknown> | undefined;
}

/** Columns by which a row is named. */
const KEYS = ['model', 'task', 'model_id', 'left_model_id', 'right_model_id'];

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

/** Yields every field in which a table differs from what it should hold. */
export function* tableDifferences(file: string, expected: ReadTable, found: ReadTable): Generator<Difference> {
  const { names, rows } = expected;
  if (rows !== found.rows) {
    yield { file, at: 'rows', expected: String(rows), found: String(found.rows) };
    return;
  }
  const keys = names.filter((name) => KEYS.includes(name)).map((name) => expected.column(name)!);
  for (const name of names) {
    const values = expected.column(name)!;
    const read = found.column(name);
    if (!read) {
      yield { file, at: `column ${name}`, expected: 'a column', found: 'none' };
      continue;
    }
    for (let r = 0; r < rows; r += 1) {
      const want = plain(values[r]);
      const is = plain(read[r]);
      if (want === is) continue;
      const who = keys.map((key) => String(key[r])).join(', ');
      yield { file, at: `row ${r + 1} (${who}), ${name}`, expected: shown(want), found: shown(is) };
    }
  }
  for (const name of found.names.filter((column) => !names.includes(column)))
    yield { file, at: `column ${name}`, expected: 'no such column', found: 'a column' };
}

/** Words a difference in one line. */
export function differenceText({ file, at, expected, found }: Difference): string {
  if (expected !== '') return `${file}: ${at}: expected ${expected}, found ${found}`;
  return found.startsWith(file) ? found : `${file}: ${found}`;
}
