import type { ArrowColumn } from '../../io/arrow.js';
import { columnsCsv } from '../../io/csv.js';
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

const SELECTIONS: readonly (string | null)[] = [...PORTFOLIOS];

/** Makes the columns of rows that were scored: what a table of them holds, in its order. */
export function rowTable(
  { count, models, tasks, codes, lines, items }: RowColumns,
  { file, names, list }: { readonly file: string; readonly names: readonly string[]; readonly list: readonly Task[] },
): ArrowColumn[] {
  const texts = (value: (at: number) => string | null): (string | null)[] => {
    const made = new Array<string | null>(count);
    for (let at = 0; at < count; at += 1) made[at] = value(at);
    return made;
  };
  const places = (from: Float64Array): ArrayLike<number | null> => {
    const made = new Array<number | null>(count);
    for (let at = 0; at < count; at += 1) {
      const value = from[at]!;
      if (value > MOST)
        fail('BOUND_EXCEEDED', { file, line: value }, `more than ${MOST} lines in a file`, 'Split the file.');
      made[at] = value === 0 ? null : value;
    }
    return made;
  };
  const scores = new Array<number | null>(count);
  for (let at = 0; at < count; at += 1) {
    const code = codes[at]!;
    scores[at] = code < 0 ? null : list[tasks[at]!]!.scores[code]!;
  }
  const reasons = OUTCOMES.map((outcome) => (outcome === 'ok' ? null : REASONS[outcome]));
  return [
    { name: 'model', kind: 'text', values: texts((at) => names[models[at]!]!) },
    { name: 'task', kind: 'text', values: texts((at) => list[tasks[at]!]!.id) },
    { name: 'family', kind: 'text', values: texts((at) => list[tasks[at]!]!.family) },
    { name: 'selection', kind: 'text', values: texts((at) => (codes[at]! < 0 ? null : SELECTIONS[codes[at]!]!)) },
    { name: 'outcome', kind: 'text', values: texts((at) => (codes[at]! < 0 ? OUTCOMES[-codes[at]!]! : 'ok')) },
    { name: 'reason', kind: 'text', values: texts((at) => (codes[at]! < 0 ? reasons[-codes[at]!]! : null)) },
    { name: 'score_bps', kind: 'int32', values: scores },
    { name: 'file', kind: 'text', values: new Array<string>(count).fill(file) },
    { name: 'line', kind: 'int32', values: places(lines) },
    { name: 'row', kind: 'int32', values: places(items) },
  ];
}

/** Makes the bytes of a table of rows. Equal columns give equal bytes. Errors: TEXT_INVALID_UTF8. */
export async function rowBytes(columns: readonly ArrowColumn[], format: RowFormat): Promise<string | Uint8Array> {
  switch (format) {
    case 'parquet': {
      const { parquetFile } = await import('../../io/write-parquet.js');
      // Every part holds every kind of row, so least and largest values let no reader pass one over; to find them costs a third of the writing.
      return parquetFile({ columns, statistics: false });
    }
    case 'arrow': {
      const { arrowFile } = await import('../../io/arrow/write-arrow.js');
      return arrowFile({ columns });
    }
    case 'csv':
      return columnsCsv(columns);
    case 'jsonl':
      return jsonLines(
        Array.from({ length: columns[0]!.values.length }, (_, at) =>
          Object.fromEntries(columns.map(({ name, values }) => [name, values[at]])),
        ),
      );
  }
}

/** Writes objects as JSON, one a line. */
export function jsonLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
