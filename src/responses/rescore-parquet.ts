import { yieldToEvents } from '../engine/signals.js';
import type { ByteSource } from '../io/byte-source.js';
import { answersBudget } from '../io/held/table-bound.js';
import { openParquet } from '../io/parquet.js';
import { dataText } from '../util/text.js';
import { STATUS_COLUMNS, saysFailed, selectionCode, TEXT_KEYS } from './answer.js';
import { type AnswerCode, FAILED_STATUS, NOT_TEXT } from './outcome.js';
import type { AnswerSink } from './rescore.js';
import type { RowRange } from './rescore-arrow.js';
import { answerColumns } from './row-answer.js';
import { type ReadColumn, readTexts } from './text-batch.js';

/** A number for each different text; texts of a column chunk repeat, so the last one is tried first. */
function remembering(lookup: (text: string) => number): (value: unknown) => number {
  const known = new Map<string, number>();
  let last: string | undefined;
  let number = 0;
  return (value) => {
    const text = typeof value === 'string' ? value : '';
    if (text === last) return number;
    const found = known.get(text) ?? lookup(text);
    known.set(text, found);
    last = text;
    number = found;
    return found;
  };
}

const givenCode = (value: unknown): AnswerCode => (typeof value === 'string' ? selectionCode(value) : NOT_TEXT);

/**
 * Scores the answers in a Parquet file, or in `some` of its row groups; columns as for Arrow. Memory holds the needed columns of one row group. `path` names it
 * in errors: PARQUET_INVALID, SCHEMA_INVALID, TASK_UNKNOWN; BOUND_EXCEEDED for more rows or characters than a file of its size may hold.
 */
export async function rescoreParquet(
  source: ByteSource,
  path: string,
  scorer: AnswerSink,
  some?: RowRange,
): Promise<void> {
  const budget = answersBudget(path, source.size);
  const file = await openParquet(source, path, { budget });
  const { names, groups } = file;
  const columns = answerColumns(names, { file: path });
  const named = (...keys: readonly string[]) => columns.find(({ key }) => keys.includes(key))?.name;
  const taskName = named('task_id')!;
  const textName = named(...TEXT_KEYS);
  const answerName = textName ?? named('selection')!;
  const modelName = named('model_id');
  const statusName = STATUS_COLUMNS.find((name) => named(name) !== undefined);
  const taskOf = remembering((text) => scorer.task(text));
  const modelOf = remembering((text) => scorer.kernel.model(text, { file: path }));
  let first = 0;
  const place = { file: path, item: 0 };
  for (const [group, rows] of groups.entries()) {
    if (some && (group < some.from || group >= some.to)) {
      first += rows;
      continue;
    }
    await yieldToEvents();
    budget.spend('rows', rows);
    const column = (name: string | undefined) => (name === undefined ? undefined : file.column(name, group));
    const tasks = await file.column(taskName, group);
    const answers = await file.column(answerName, group);
    const models = await column(modelName);
    const statuses = await column(statusName);
    const numbers = Int32Array.from({ length: rows }, (_, i) => taskOf(tasks[i]));
    const { codes, reasoned }: ReadColumn =
      textName === undefined
        ? { codes: Int32Array.from(numbers, (_, i) => givenCode(answers[i])), reasoned: new Set() }
        : readTexts(scorer, answers, numbers, budget);
    numbers.forEach((task, i) => {
      if (task < 0) scorer.unknown(dataText(tasks[i]), { file: path, item: first + i + 1 });
      else {
        const failed = statusName !== undefined && saysFailed(statuses?.[i], statusName);
        const code = failed ? FAILED_STATUS : codes[i]!;
        const model = modelOf(models?.[i]);
        const text = answers[i];
        place.item = first + i + 1;
        if (
          scorer.look &&
          textName !== undefined &&
          typeof text === 'string' &&
          !failed &&
          (code < 0 || scorer.curious)
        )
          scorer.look(model, task, code, text, place);
        scorer.add(model, task, code, !failed && reasoned.has(i), place);
      }
    });
    first += rows;
  }
}
