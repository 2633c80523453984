import type { ArrowColumn } from '../../io/arrow.js';
import { columnsCsv } from '../../io/csv.js';
import type { CodedParquetColumn } from '../../io/parquet/coded-parquet.js';
import { PORTFOLIOS, type Task } from '../../tasks/task.js';
import { fail } from '../../util/error.js';
import { OUTCOMES, type Outcome } from '../outcome.js';
import type { RowColumns } from './row-columns.js';

/** Forms in which the rows of a batch are written. */
export const ROW_FORMATS = ['parquet', 'arrow', 'jsonl', 'csv'] as const;

export type RowFormat = (typeof ROW_FORMATS)[number];

/** Why an answer has no score, in words. */
export const REASONS: Readonly<Record<Exclude<Outcome, 'ok'>, string>> = {
  no_marker: 'no FINAL_SELECTION in the answer',
  empty_selection: 'nothing after FINAL_SELECTION',
  wrong_count: 'not three items',
  unknown_label: 'an item is neither a label nor a candidate',
  duplicate_label: 'one candidate twice',
  contradictory: 'selections that differ',
  not_text: 'no text to read',
  failed_status: 'the row says that there is no answer',
  too_long: 'longer than is read',
  open_reasoning: 'reasoning that never ends',
};

/** Most lines and rows that a column of places holds. */
const MOST = 2 ** 31 - 1;

/** Numbers the words of a column anew, as they first appear in it: what a thread met before must not show. -1 stays what is missing. */
function byAppearance(name: string, codes: Int32Array, words: readonly string[]): CodedParquetColumn {
  const places = new Int32Array(words.length).fill(-1);
  const found: string[] = [];
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at]!;
    if (code < 0) continue;
    if (places[code]! < 0) places[code] = found.push(words[code]!) - 1;
    codes[at] = places[code]!;
  }
  return { name, kind: 'coded', codes, words: found };
}

/** Makes the columns of rows that were scored: what a table of them holds, in its order. Errors: BOUND_EXCEEDED past 2^31 lines. */
export function rowTable(
  { count, models, tasks, codes, lines, items }: RowColumns,
  { file, names, list }: { readonly file: string; readonly names: readonly string[]; readonly list: readonly Task[] },
): CodedParquetColumn[] {
  const numbers = (value: (at: number) => number): Int32Array => {
    const made = new Int32Array(count);
    for (let at = 0; at < count; at += 1) made[at] = value(at);
    return made;
  };
  const places = (name: string, from: Float64Array): CodedParquetColumn => ({
    name,
    kind: 'int32',
    values: numbers((at) => {
      const value = from[at]!;
      if (value > MOST)
        fail('BOUND_EXCEEDED', { file, line: value }, `more than ${MOST} lines in a file`, 'Split the file.');
      return value === 0 ? -1 : value;
    }),
  });
  const families = [...new Set(list.map(({ family }) => family))];
  const familyOf = Int32Array.from(list, ({ family }) => families.indexOf(family));
  const reasons = OUTCOMES.map((outcome) => (outcome === 'ok' ? '' : REASONS[outcome]));
  const ids = list.map(({ id }) => id);
  return [
    byAppearance('model', models.slice(0, count), names),
    byAppearance('task', tasks.slice(0, count), ids),
    byAppearance(
      'family',
      numbers((at) => familyOf[tasks[at]!]!),
      families,
    ),
    byAppearance(
      'selection',
      numbers((at) => Math.max(-1, codes[at]!)),
      PORTFOLIOS,
    ),
    byAppearance(
      'outcome',
      numbers((at) => Math.max(0, -codes[at]!)),
      OUTCOMES,
    ),
    byAppearance(
      'reason',
      numbers((at) => (codes[at]! < 0 ? -codes[at]! : -1)),
      reasons,
    ),
    {
      name: 'score_bps',
      kind: 'int32',
      values: numbers((at) => (codes[at]! < 0 ? -1 : list[tasks[at]!]!.scores[codes[at]!]!)),
    },
    byAppearance('file', new Int32Array(count), [file]),
    places('line', lines),
    places('row', items),
  ];
}

/** The same columns with each value by itself. */
function plainColumns(columns: readonly CodedParquetColumn[]): ArrowColumn[] {
  return columns.map((column): ArrowColumn => {
    const { name } = column;
    if (column.kind === 'int32')
      return { name, kind: 'int32', values: Array.from(column.values, (value) => (value < 0 ? null : value)) };
    return { name, kind: 'text', values: Array.from(column.codes, (code) => column.words[code] ?? null) };
  });
}

/** Makes the bytes of a table of rows. Equal columns give equal bytes. Errors: TEXT_INVALID_UTF8. */
export async function rowBytes(table: readonly CodedParquetColumn[], format: RowFormat): Promise<string | Uint8Array> {
  if (format === 'parquet') {
    const { codedParquetFile } = await import('../../io/parquet/coded-parquet.js');
    return codedParquetFile(table);
  }
  const columns = plainColumns(table);
  if (format === 'csv') return columnsCsv(columns);
  if (format === 'arrow') {
    const { arrowFile } = await import('../../io/arrow/write-arrow.js');
    return arrowFile({ columns });
  }
  return jsonLines(
    Array.from({ length: columns[0]!.values.length }, (_, at) =>
      Object.fromEntries(columns.map(({ name, values }) => [name, values[at]])),
    ),
  );
}

/** Writes objects as JSON, one a line. */
export function jsonLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
