import { type Column, columnOfValues } from '../io/coded.js';
import { assertJsonFits } from '../io/held/json-bound.js';
import { jsonFile } from '../io/held/json-file.js';
import { isObject, type JsonObject, parseJson } from '../io/json.js';
import { jsonShape } from '../io/json-shape.js';
import { plainValues } from '../io/plain-values.js';
import { textBytes } from '../io/text-bytes.js';
import { decodeText } from '../io/utf8.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { rowPlace, type ScoreTable, scoreTable } from './score-table.js';

/** Tells whether text begins as JSON does: with an object or a list. */
export function isJson(bytes: Uint8Array): boolean {
  const start = bytes[0] === 0xef ? 3 : 0;
  for (let at = start; at < Math.min(bytes.length, start + 4096); at += 1) {
    const byte = bytes[at]!;
    if (byte === 0x7b || byte === 0x5b) return true;
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return false;
  }
  return false;
}

const HINT =
  'Give a list of objects, one a score: [{"model": "A", "task": "t1", "value": 1}, ...]. Other names are said with --model-column, --task-column and --value-column; in pandas, df.to_json("scores.json", orient="records").';

/** A table before its columns have names of their own: rows of named values. */
interface Shape {
  readonly kind: string;
  readonly rows: number;
  readonly columns: ReadonlyMap<string, ArrayLike<unknown>>;
  readonly index?: readonly string[];
  readonly place?: (row: number) => ErrorPlace;
}

/**
 * Reads the table of JSON: a list of objects, an object of objects or of lists, what pandas writes with the orients records, columns, index, split
 * and table, or JSON Lines. Errors: JSON_INVALID, JSON_DUPLICATE_KEY; SCHEMA_INVALID for JSON that is none of these, which is described
 * (reading 1.5).
 */
export function jsonTable(written: Uint8Array, file: string): ScoreTable {
  const { bytes, encoding } = textBytes(written, file);
  const json = jsonFile(encoding ? bytes : written, file);
  const shape = jsonLines(decodeText(file, bytes), file, json) ?? shapeOf(json.value(), file);
  const { kind, rows, index, place = rowPlace(file) } = shape;
  const columns = new Map<string, Column>(
    [...shape.columns].map(([name, values]) => [name, columnOfValues(() => withoutNaN(plainValues(values)))]),
  );
  return scoreTable({ file, kind, rows, columns, ...(index ? { index } : {}), place });
}

function withoutNaN(values: unknown[]): unknown[] {
  return values.map((value) => (Number.isNaN(value) ? null : value));
}

/** Rows of JSON Lines, or the table of the object that is the one line; undefined where the text is something else: its first line is no JSON object that is whole. */
function jsonLines(text: string, file: string, json: { value(): unknown }): Shape | undefined {
  const { 0: first, index } = /\S[^\n]*/.exec(text) ?? { 0: '', index: 0 };
  if (!/^\{.*\}\s*$/.test(first)) return undefined;
  const alone = !/\S/.test(text.slice(index + first.length));
  const whole = valueOr(() => (alone ? json.value() : parseJson(first, { nonFinite: true })));
  if (whole === undefined) return undefined;
  if (!alone) assertJsonFits(text.length, (at) => text.charCodeAt(at), file);
  const records: JsonObject[] = [];
  const lines: number[] = [];
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    const record = records.length === 0 ? whole : parseJson(line, { file, line: i + 1, nonFinite: true });
    if (!isObject(record))
      fail('SCHEMA_INVALID', { file, line: i + 1 }, `an object expected, found ${jsonShape(record)}`, HINT);
    records.push(record);
    lines.push(i + 1);
  });
  const values = Object.values(records[0]!);
  if (
    records.length === 1 &&
    (values.length === 0 || values.some((value) => typeof value === 'object' && value !== null))
  )
    return shapeOf(records[0], file);
  return { ...ofRecords(records, file), kind: 'JSON Lines', place: (row) => ({ file, line: lines[row]! }) };
}

function valueOr(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function unknown(value: unknown, file: string, why?: string): never {
  const what = why ?? `JSON of a kind that is not read: ${jsonShape(value)}`;
  return fail('SCHEMA_INVALID', { file }, what, HINT);
}

/** Cells that a table may have beside those that hold something: rows that share no keys are no table. */
const SPARSE = 2 ** 24;

/** Puts records side by side: a column for each key, null where a record has none. Errors: SCHEMA_INVALID. */
function ofRecords(records: readonly JsonObject[], file: string): Omit<Shape, 'kind'> {
  const columns = new Map<string, unknown[]>();
  let held = 0;
  records.forEach((record, row) => {
    for (const [key, value] of Object.entries(record)) {
      let column = columns.get(key);
      if (column === undefined) {
        column = [];
        columns.set(key, column);
        if (columns.size * records.length > SPARSE + 64 * (held + records.length))
          fail(
            'SCHEMA_INVALID',
            { file },
            `${records.length} rows share no keys; row ${row + 1} brings key ${columns.size}`,
            HINT,
          );
      }
      while (column.length < row) column.push(null);
      column.push(value);
      held += 1;
    }
  });
  for (const column of columns.values()) while (column.length < records.length) column.push(null);
  return { rows: records.length, columns };
}

function shapeOf(value: unknown, file: string): Shape {
  if (Array.isArray(value)) return ofList(value, file);
  if (!isObject(value)) return unknown(value, file);
  const { columns, data, schema } = value;
  if (Array.isArray(columns) && Array.isArray(data)) return ofSplit(value, { columns, data, file });
  if (isObject(schema) && Array.isArray(data) && Array.isArray(schema.fields)) {
    const key = Array.isArray(schema.primaryKey) ? schema.primaryKey.filter((name) => typeof name === 'string') : [];
    const { rows, columns } = ofRecords(objects(data, file), file);
    return withoutCounter({
      kind: 'JSON, pandas table',
      rows,
      columns,
      index: key.filter((name) => columns.has(name)),
    });
  }
  const parts = Object.entries(value);
  if (parts.length > 0 && parts.every(([, part]) => isObject(part)))
    return ofObjects(parts as [string, JsonObject][], file);
  if (parts.length > 0 && parts.every(([, part]) => Array.isArray(part)))
    return ofLists(parts as [string, unknown[]][], value, file);
  const lists = parts.filter(([, part]) => Array.isArray(part) && part.length > 0 && part.every(isObject));
  const [only] = lists as [string, JsonObject[]][];
  if (lists.length === 1 && only && parts.every(([key, part]) => key === only[0] || !Array.isArray(part)))
    return { ...ofRecords(only[1], file), kind: `JSON, list of objects under ${shown(only[0])}` };
  return unknown(value, file);
}

function objects(list: readonly unknown[], file: string): readonly JsonObject[] {
  const wrong = list.findIndex((item) => !isObject(item));
  if (wrong >= 0)
    fail('SCHEMA_INVALID', { file, row: wrong + 1 }, `an object expected, found ${jsonShape(list[wrong])}`, HINT);
  return list as JsonObject[];
}

function ofList(list: readonly unknown[], file: string): Shape {
  if (list.length === 0) return unknown(list, file);
  if (list.every(Array.isArray))
    return unknown(
      list,
      file,
      `a list of ${list.length} lists, which name neither models nor tasks (pandas writes so with orient="values")`,
    );
  if (!list.some(isObject)) return unknown(list, file);
  return { ...ofRecords(objects(list, file), file), kind: 'JSON, list of objects' };
}

/** The text of a label; levels of an index are joined. */
const labelText = (label: unknown): string => (Array.isArray(label) ? label.map(dataText).join('/') : dataText(label));

/** An index whose labels only count the rows is none. */
const counts = (labels: readonly unknown[]): boolean => labels.every((label, i) => labelText(label) === String(i));

function withoutCounter(shape: Shape): Shape {
  const { index = [], columns } = shape;
  const [name] = index;
  if (index.length === 1 && name !== undefined && counts(Array.from(columns.get(name)!)))
    return { kind: shape.kind, rows: shape.rows, columns: new Map([...columns].filter(([other]) => other !== name)) };
  return shape;
}

function ofSplit(
  value: JsonObject,
  { columns, data, file }: { columns: unknown[]; data: unknown[]; file: string },
): Shape {
  const names = columns.map(labelText);
  const wrong = data.findIndex((row) => !Array.isArray(row) || row.length !== names.length);
  if (wrong >= 0)
    fail(
      'SCHEMA_INVALID',
      { file, row: wrong + 1 },
      `${names.length} values expected, found ${jsonShape(data[wrong])}`,
      HINT,
    );
  if (new Set(names).size < names.length) return unknown(value, file, 'two of its columns have the same name');
  const found = new Map(names.map((name, at) => [name, data.map((row) => (row as unknown[])[at])]));
  const { index } = value;
  if (!Array.isArray(index) || index.length !== data.length || counts(index))
    return { kind: 'JSON, pandas split', rows: data.length, columns: found };
  const [first] = index;
  const levels = Array.isArray(first) ? first.length : 1;
  // Levels of an index say different things, models and tasks often: each is a column, called as pandas calls it once it is one.
  if (levels > 1 && index.every((label) => Array.isArray(label) && label.length === levels)) {
    const level = (at: number) => [`level_${at}`, index.map((label) => (label as unknown[])[at])] as const;
    const all = Array.from({ length: levels }, (_, at) => level(at));
    if (!all.some(([name]) => found.has(name)))
      return { kind: 'JSON, pandas split', rows: data.length, columns: new Map([...all, ...found]) };
  }
  const labels = index.map((label) => (Array.isArray(label) ? labelText(label) : label));
  return { kind: 'JSON, pandas split', rows: data.length, columns: new Map([['', labels], ...found]), index: [''] };
}

function ofLists(parts: readonly [string, unknown[]][], value: JsonObject, file: string): Shape {
  const [first] = parts;
  const rows = first![1].length;
  const plain = parts.every(
    ([, list]) => list.length === rows && !list.some((item) => typeof item === 'object' && item !== null),
  );
  if (!plain) return unknown(value, file);
  return { kind: 'JSON, lists by column', rows, columns: new Map(parts) };
}

const kindsOf = (values: readonly unknown[]): number =>
  new Set(values.filter((v) => v !== null).map((v) => typeof v)).size;

/**
 * An object of objects has its rows outside, as {model: {task: value}} and pandas' orient "index" do, unless what is inside counts rows, or
 * only the other way round every column holds values of one kind: pandas' orient "columns".
 */
function ofObjects(parts: readonly [string, JsonObject][], file: string): Shape {
  const inner = ofRecords(
    parts.map(([, part]) => part),
    file,
  );
  const keys = [...inner.columns.keys()];
  const labels = parts.map(([label]) => label);
  if (inner.rows * keys.length === 0) return unknown(Object.fromEntries(parts), file);
  const most = (lists: Iterable<ArrayLike<unknown>>) => {
    let kinds = 0;
    for (const list of lists) kinds = Math.max(kinds, kindsOf(Array.from(list)));
    return kinds;
  };
  const insideKinds = most(inner.columns.values());
  const outsideKinds = most(parts.map(([, part]) => Object.values(part)));
  const columnsOutside = (counts(keys) && !counts(labels)) || (outsideKinds === 1 && insideKinds > 1);
  if (!columnsOutside) {
    const kind = 'JSON, object of objects';
    if (counts(labels)) return { kind, rows: inner.rows, columns: inner.columns };
    return { kind, rows: inner.rows, columns: new Map([['', labels], ...inner.columns]), index: [''] };
  }
  const columns = new Map<string, ArrayLike<unknown>>(
    parts.map(([name, part]) => [name, keys.map((key) => (Object.hasOwn(part, key) ? part[key] : null))]),
  );
  const kind = 'JSON, pandas columns';
  if (counts(keys)) return { kind, rows: keys.length, columns };
  return { kind, rows: keys.length, columns: new Map([['', keys], ...columns]), index: [''] };
}
