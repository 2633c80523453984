import { type Data, DataType, type RecordBatch, RecordBatchReader, type Vector } from 'apache-arrow';
import { utf8Text } from '#platform';
import { yieldToEvents } from '../engine/signals.js';
import { vectorValues } from '../io/arrow/arrow-columns.js';
import { arrowMessages } from '../io/arrow/arrow-messages.js';
import { arrowInvalid } from '../io/arrow.js';
import type { ByteSource } from '../io/byte-source.js';
import { answersBudget, type Budget } from '../io/held/table-bound.js';
import { once } from '../util/once.js';
import { dataText } from '../util/text.js';
import { STATUS_COLUMNS, saysFailed, selectionCode, TEXT_KEYS } from './answer.js';
import { UNSURE } from './answer-kernel.js';
import { FAILED_STATUS, NOT_TEXT } from './outcome.js';
import { readText } from './parser.js';
import type { AnswerSink } from './rescore.js';
import { answerColumns } from './row-answer.js';
import type { ReadColumn } from './text-batch.js';

/** Record batches, or row groups, `from` to before `to`; `before` rows stand before them. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
  readonly before: number;
}

interface Texts {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
}

/** The run of UTF-8 behind a plain text column without nulls; undefined for any other column. */
function plainTexts(vector: Vector): Texts | undefined {
  const [data] = vector.data as readonly Data[];
  if (data === undefined || vector.data.length !== 1 || !DataType.isUtf8(data.type)) return undefined;
  if (data.nullCount > 0) return undefined;
  const offsets = data.valueOffsets as Int32Array;
  const [first, last] = [offsets[0]!, offsets[data.length]!];
  const bytes = (data.values as Uint8Array).subarray(first, last);
  return { bytes, offsets: first === 0 ? offsets : offsets.map((offset) => offset - first) };
}

/** One number a row: dictionaries are looked up once a value, plain columns in the kernel, others row by row. */
function numbersOf(
  vector: Vector,
  lookup: (value: unknown) => number,
  kernelFind?: (texts: Texts, count: number) => Int32Array,
): Int32Array {
  const { length } = vector;
  const [data] = vector.data as readonly Data[];
  if (data !== undefined && vector.data.length === 1 && DataType.isDictionary(data.type)) {
    const dictionary = vectorValues(data.dictionary as Vector);
    const known = new Int32Array(dictionary.length).fill(-2);
    const stored = data.values as Int32Array | BigInt64Array;
    const indices = stored instanceof BigInt64Array ? Float64Array.from(stored, Number) : stored;
    const numbers = new Int32Array(length);
    const nulls = data.nullCount > 0;
    for (let i = 0; i < length; i += 1) {
      if (nulls && !data.getValid(i)) {
        numbers[i] = lookup(null);
        continue;
      }
      const index = indices[i]!;
      if (known[index] === -2) known[index] = lookup(dictionary[index]);
      numbers[i] = known[index]!;
    }
    return numbers;
  }
  const texts = kernelFind === undefined ? undefined : plainTexts(vector);
  const numbers = texts === undefined ? new Int32Array(length).fill(-1) : kernelFind!(texts, length);
  if (!numbers.includes(-1)) return numbers;
  const values = vectorValues(vector);
  for (let i = 0; i < length; i += 1) if (numbers[i] === -1) numbers[i] = lookup(values[i]);
  return numbers;
}

/**
 * Scores a file of answers in Arrow form (file or stream): columns `task_id` or `task`, `model_id` or `model`, one text
 * column or `selection`, and perhaps `status` or `completed`; `some` of its batches, if it is a file. Memory holds one record batch. Errors: ARROW_INVALID, SCHEMA_INVALID, TASK_UNKNOWN; BOUND_EXCEEDED
 * for more rows, bytes or characters than a file of its size may hold.
 */
export async function rescoreArrow(
  source: ByteSource,
  path: string,
  scorer: AnswerSink,
  some?: RowRange,
): Promise<void> {
  const budget = answersBudget(path, source.size);
  let before = some?.before ?? 0;
  try {
    for await (const batch of await RecordBatchReader.from(arrowMessages(source, budget, undefined, some))) {
      await yieldToEvents();
      rescoreBatch(batch, { path, scorer, before, budget });
      before += batch.numRows;
    }
  } catch (cause) {
    throw arrowInvalid(path, cause);
  }
}

/** Where a batch stands. */
interface BatchPlace {
  readonly path: string;
  readonly scorer: AnswerSink;
  /** Rows before it. */
  readonly before: number;
  readonly budget: Budget;
}

function rescoreBatch(batch: RecordBatch, { path, scorer, before, budget }: BatchPlace): void {
  const { kernel } = scorer;
  const columns = answerColumns(
    batch.schema.fields.map(({ name }) => name),
    { file: path },
  );
  const named = (...keys: readonly string[]) => columns.find(({ key }) => keys.includes(key))?.name;
  const column = (name: string | undefined) => (name === undefined ? null : (batch.getChild(name) as Vector));
  const taskColumn = column(named('task_id'))!;
  const textColumn = column(named(...TEXT_KEYS));
  const selections = column(named('selection'));
  const modelColumn = column(named('model_id'));
  const statusName = STATUS_COLUMNS.find((name) => named(name) !== undefined);
  const tasks = numbersOf(
    taskColumn,
    (value) => scorer.task(dataText(value)),
    ({ bytes, offsets }, count) => kernel.find('tasks', bytes, offsets, count),
  );
  const models =
    modelColumn === null
      ? new Int32Array(batch.numRows).fill(kernel.model(''))
      : numbersOf(
          modelColumn,
          (value) => kernel.model(typeof value === 'string' ? value : '', { file: path }),
          ({ bytes, offsets }, count) => kernel.find('models', bytes, offsets, count),
        );
  const failed =
    statusName === undefined
      ? null
      : numbersOf(batch.getChild(statusName)!, (value) => (saysFailed(value, statusName) ? 1 : 0));
  const { codes, reasoned } = answerCodes(scorer, textColumn ?? selections!, {
    isSelection: selections !== null,
    tasks,
    budget,
  });
  const place = { file: path, item: 0 };
  for (let i = 0; i < batch.numRows; i += 1) {
    const task = tasks[i]!;
    if (task < 0) scorer.unknown(dataText(taskColumn.get(i)), { file: path, item: before + i + 1 });
    else {
      const lost = failed?.[i] === 1;
      const code = lost ? FAILED_STATUS : codes[i]!;
      place.item = before + i + 1;
      if (scorer.look && textColumn !== null && !lost && (code < 0 || scorer.curious)) {
        const text: unknown = textColumn.get(i);
        if (typeof text === 'string') scorer.look(models[i]!, task, code, text, place);
      }
      scorer.add(models[i]!, task, code, !lost && reasoned.has(i), place);
    }
  }
}

interface AnswerColumn {
  readonly isSelection: boolean;
  readonly tasks: Int32Array;
  readonly budget: Budget;
}

function answerCodes(scorer: AnswerSink, vector: Vector, { isSelection, tasks, budget }: AnswerColumn): ReadColumn {
  const reasoned = new Set<number>();
  if (isSelection) {
    const codes = numbersOf(vector, (value) => (typeof value === 'string' ? selectionCode(value) : NOT_TEXT));
    return { codes, reasoned };
  }
  const texts = plainTexts(vector);
  const codes =
    texts === undefined
      ? new Int32Array(vector.length).fill(UNSURE)
      : scorer.kernel.read(texts.bytes, texts.offsets, tasks);
  const values = once(() => vectorValues(vector));
  for (let i = 0; i < codes.length; i += 1) {
    if (codes[i] !== UNSURE || tasks[i]! < 0) continue;
    const text = texts ? utf8Text(texts.bytes, texts.offsets[i], texts.offsets[i + 1]) : values()[i];
    codes[i] = NOT_TEXT;
    if (typeof text !== 'string') continue;
    budget.spend('characters', text.length);
    const read = readText(text, scorer.choices(tasks[i]!), scorer.parser);
    codes[i] = read.code;
    if (read.reasoned) reasoned.add(i);
  }
  return { codes, reasoned };
}
