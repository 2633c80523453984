import type { FlavourError } from '../../util/error.js';
import type { AnswerPlace } from '../answer.js';

/** A row that is no answer, and why. */
export interface BadRow {
  readonly file: string;
  /** 1-based; null where the file has no lines. */
  readonly line: number | null;
  /** 1-based row of a table or item of a list; null where rows are lines. */
  readonly row: number | null;
  readonly code: string;
  readonly reason: string;
}

/** Makes the record of a row that cannot be read: the message without its place, which stands apart. */
export function badRow({ code, message }: FlavourError, { file, line, item }: AnswerPlace): BadRow {
  const at = message.startsWith(file)
    ? message.slice(file.length).replace(/^(?:, (?:line|column|row) \d+)*: /, '')
    : message;
  return { file, line: line ?? null, row: item ?? null, code, reason: at };
}
