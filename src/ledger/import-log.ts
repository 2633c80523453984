import { statSync } from 'node:fs';
import { sha256 } from '../io/digest.js';
import { readInput, readText } from '../io/file.js';
import { parseJson } from '../io/json.js';
import { MAX_LINE_BYTES, textLines } from '../io/lines.js';
import { type PyValue, parsePyJson } from '../io/pyjson.js';
import { DEFAULT_PARSER, parseSelection } from '../responses/parser.js';
import { parserFields } from '../responses/parser-contract.js';
import { type ErrorPlace, fail } from '../util/error.js';
import { answerCells, type ImportOptions } from './import-answers.js';
import { fromReleased, releasedResponse } from './import-released.js';
import type { LedgerWriter } from './ledger-writer.js';
import type { ImportedCell } from './record.js';

type PyObject = { readonly [key: string]: PyValue };

/** A row of a log: its value, and the same with its number tokens kept. */
interface LogRow {
  readonly value: unknown;
  readonly exact: PyValue;
  readonly place: ErrorPlace & { readonly file: string };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstLine(file: string): string {
  for (const { text } of textLines(file)) if (text.trim() !== '') return text;
  return '';
}

/** Tells whether a file is one released document, written over many lines as the reference stores it. */
function isStoredDocument(file: string): boolean {
  if (parsed(firstLine(file)) !== undefined || statSync(file).size > MAX_LINE_BYTES) return false;
  return releasedResponse(parsed(readText(file))) !== undefined;
}

function* releasedRows(file: string): Generator<LogRow> {
  if (isStoredDocument(file)) {
    const text = readText(file);
    const place = { file };
    yield { value: parseJson(text, place), exact: parsePyJson(text, place), place };
    return;
  }
  for (const { text, line } of textLines(file)) {
    if (text.trim() === '') continue;
    const place = { file, line };
    yield { value: parseJson(text, place), exact: parsePyJson(text, place), place };
  }
}

function* releasedCells({ file, tasks }: ImportOptions): Generator<ImportedCell> {
  for (const { value, exact, place } of releasedRows(file)) {
    const response = releasedResponse(value);
    if (!response) {
      fail(
        'SCHEMA_INVALID',
        place,
        'a released response expected, found another document',
        'Every line of the file must be of the same kind.',
      );
    }
    const tree = exact as PyObject;
    const kept = (response === value ? tree : tree.response) as { [key: string]: PyValue };
    yield fromReleased({ response, exact: kept, tasks, place });
  }
}

/** A log that was read and checked whole. */
interface ImportedLog {
  readonly file: string;
  /** What every record made from it says of its source. */
  readonly origin: { readonly label: string; readonly sha256: string };
  readonly cells: readonly ImportedCell[];
}

/**
 * Reads an existing log: lab responses (any form of collection 2.2), or released response documents, one a line or one a file.
 * Errors: those of the forms; SCHEMA_INVALID for a log without an answer.
 */
export function readLog(options: ImportOptions): ImportedLog {
  const { file, label } = options;
  const released = releasedResponse(parsed(firstLine(file))) !== undefined || isStoredDocument(file);
  const cells = [...(released ? releasedCells(options) : answerCells(options))];
  if (cells.length === 0) {
    fail(
      'SCHEMA_INVALID',
      { file },
      'the file holds no answer',
      'Give a file of lab responses or of released response documents.',
    );
  }
  return { file, origin: { label, sha256: sha256(readInput(file)) }, cells };
}

/**
 * Enters a log, each answer marked with where it came from. Entering the same log again changes nothing; another answer to a cell that
 * has one is a conflict. Errors: LEDGER_CONFLICT (exit 4), before anything is written.
 */
export async function enterLog(
  ledger: LedgerWriter,
  { file, origin, cells }: ImportedLog,
  onProgress?: (done: number) => void,
): Promise<{ readonly written: number; readonly known: number; readonly parseable: number }> {
  let parseable = 0;
  const records = cells.map(({ binding, answer, choices, draft }) => {
    const read = answer === null ? null : parseSelection(answer, choices);
    if (read?.outcome === 'ok') parseable += 1;
    const parse = read && {
      ...parserFields(DEFAULT_PARSER),
      outcome: read.outcome,
      selection: read.key,
      inline_reasoning: read.reasoned,
    };
    const known = ledger.has(binding.cell) ? ledger.get(binding.cell) : undefined;
    if (known?.source === 'imported' && known.origin?.sha256 === origin.sha256) return known;
    if (known) {
      fail(
        'LEDGER_CONFLICT',
        { file },
        `${ledger.dir} already holds a record of model ${binding.key.model_id} and task ${binding.task_id}${known.origin ? `, from ${known.origin.label}` : ''}`,
        'Nothing of this log was written. Import another log under another --label into a ledger of its own.',
        { exit: 4 },
      );
    }
    return ledger.compose(binding, { ...draft, parse, origin });
  });
  const written = await ledger.putRecords(records, onProgress);
  return { written, known: records.length - written, parseable };
}
