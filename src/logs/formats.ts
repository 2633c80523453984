import { isObject, type JsonObject, parseJson } from '../io/json.js';
import { fail } from '../util/error.js';
import { either } from '../util/format.js';
import type { LogCell } from './cell.js';
import { inspectCells, isInspectLog } from './inspect.js';
import { isLmEvalRow, lmEvalCells } from './lm-eval.js';
import { isPromptfoo, promptfooCells } from './promptfoo.js';

/** What to take from a log. */
export interface LogOptions {
  readonly file: string;
  /** Name of the folder that the file lies in: some harnesses name the model there and nowhere else. */
  readonly folder: string;
  /** Metric, scorer or named score; the first that a sample lists unless given. */
  readonly metric?: string;
  /** Filter of the answer, of logs that have one; the first in the file unless given. */
  readonly filter?: string;
}

/** How the log of one harness is recognised and read. */
export interface LogFormat {
  /** Name of the harness. */
  readonly name: string;
  /** The log as a hint asks for it. */
  readonly log: string;
  /** Whether an object is the first line of such a log, for logs of one object a line. */
  isFirstLine?(row: JsonObject): boolean;
  /** Whether a file of one document is such a log. */
  isDocument?(document: JsonObject): boolean;
  /** Whether samples are scored under several filters. */
  readonly filters: boolean;
  /** Cells of a log that was recognised. Errors: SCHEMA_INVALID with file and path; JSON_INVALID. */
  cells(text: string, options: LogOptions): LogCell[];
}

const document = (text: string, { file }: LogOptions): JsonObject => parseJson(text, { file }) as JsonObject;

/** The logs that `rank-audit` reads. There is no other list of them. */
export const LOG_FORMATS: readonly LogFormat[] = [
  {
    name: 'lm-evaluation-harness',
    log: 'an lm-evaluation-harness sample log',
    isFirstLine: isLmEvalRow,
    filters: true,
    cells: (text, options) => lmEvalCells(text, { ...options, model: options.folder }),
  },
  {
    name: 'inspect_ai',
    log: 'an inspect_ai log',
    isDocument: isInspectLog,
    filters: false,
    cells: (text, options) => inspectCells(document(text, options), options),
  },
  {
    name: 'promptfoo',
    log: 'a promptfoo result',
    isDocument: isPromptfoo,
    filters: false,
    cells: (text, options) => promptfooCells(document(text, options), options),
  },
];

/** Recognises a log by its first line or as a document; null where the text is no JSON object. Errors: SCHEMA_INVALID for other JSON. */
export function logFormat(text: string, file: string): LogFormat | null {
  const start = text.trimStart();
  if (!start.startsWith('{')) return null;
  const end = start.indexOf('\n');
  const first = firstLine(end < 0 ? start : start.slice(0, end));
  const byLine = first && LOG_FORMATS.find((format) => format.isFirstLine?.(first));
  if (byLine) return byLine;
  const whole = parseJson(text, { file });
  const byDocument = isObject(whole) ? LOG_FORMATS.find((format) => format.isDocument?.(whole)) : undefined;
  if (byDocument) return byDocument;
  fail(
    'SCHEMA_INVALID',
    { file },
    'is JSON of no kind that is known here',
    `Give ${either(LOG_FORMATS.map(({ log }) => log))}, or a CSV, Arrow or Parquet matrix.`,
  );
}

/** The object on the first line; null where the line is only a part of a document. */
function firstLine(line: string): JsonObject | null {
  try {
    const row: unknown = JSON.parse(line);
    return isObject(row) ? row : null;
  } catch {
    return null;
  }
}
