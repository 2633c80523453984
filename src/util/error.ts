/** Where in the input an error was found. */
export interface ErrorPlace {
  readonly file?: string;
  /** 1-based line of a text input. */
  readonly line?: number;
  /** 1-based UTF-16 unit of the line. */
  readonly column?: number;
  /** 1-based row of a table whose rows are no lines. */
  readonly row?: number;
  /** Path inside a document, for example `tasks[3].choices.A`. */
  readonly path?: string;
}

interface FlavourErrorOptions {
  readonly hint?: string;
  readonly where?: ErrorPlace;
  /** Exit code a command should end with; 2 unless said otherwise (docs/errors.md). */
  readonly exit?: 2 | 3 | 4 | 5 | 6;
  readonly cause?: unknown;
}

/**
 * The one error of this project: a stable upper-snake-case `code`, a message that says the thing and its numbers, and a
 * hint that says what to do. Anything else that is thrown is a bug.
 */
export class FlavourError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly where: ErrorPlace | undefined;
  readonly exit: 2 | 3 | 4 | 5 | 6;

  constructor(code: string, message: string, options: FlavourErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FlavourError';
    this.code = code;
    this.hint = options.hint;
    this.where = options.where;
    this.exit = options.exit ?? 2;
  }
}

/** How an error ends a command, and what it came from. */
export type FailureMore = Pick<FlavourErrorOptions, 'exit' | 'cause'>;

/** Writes a place as every message begins with it: `scores.csv, line 3: tasks[2].id`; empty for none. */
export function placeText({ file, line, column, row, path }: ErrorPlace): string {
  const at = [file, line && `line ${line}`, column && `column ${column}`, row && `row ${row}`]
    .filter((part) => part !== undefined)
    .join(', ');
  return [at, path ?? ''].filter((part) => part !== '').join(': ');
}

/** Longest message: names and values of a file stand in it, and a file may hold any. */
const LONGEST = 8000;

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1000)} ... ${text.slice(-900)}`;

/**
 * Makes the error for something wrong at a place, for callers that do not throw it at once. Its message is the place, then
 * `what`: what is wrong there with its numbers, what was expected and what was found. `place` is null for an error of no
 * input.
 */
export function failure(
  code: string,
  place: ErrorPlace | null,
  what: string,
  hint?: string,
  more: FailureMore = {},
): FlavourError {
  const at = place === null ? '' : placeText(place);
  const message = shortened(at === '' ? what : `${at}: ${what}`);
  return new FlavourError(code, message, { hint: hint && shortened(hint), where: place ?? undefined, ...more });
}

/** Throws the `failure` of these arguments. */
export function fail(
  code: string,
  place: ErrorPlace | null,
  what: string,
  hint?: string,
  more: FailureMore = {},
): never {
  throw failure(code, place, what, hint, more);
}

/** What to do about a disk that is full or failing, by what it said. */
const DISK_HINTS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'Make room on the disk'],
  ['EDQUOT', 'Delete files of yours on this disk, or have the quota raised'],
  ['EFBIG', 'Raise the limit (`ulimit -f`), or choose a disk whose files may be larger'],
  ['EIO', 'Look at the disk and its connection (`dmesg` names the error), or choose another one'],
]);

/** Says what to do where an error says that a disk is full or failing: the same call works once that is mended. Undefined for any other error. */
export function diskHint(error: unknown): string | undefined {
  return error instanceof Error ? DISK_HINTS.get((error as NodeJS.ErrnoException).code) : undefined;
}

/** A value as JSON; what is nested past the stack in a word. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Array.isArray(value) ? 'a list nested too deep' : 'an object nested too deep';
  }
}

/** Writes a value as an error message shows it: quoted, escaped and never longer than 80 characters. */
export function shown(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === undefined) return 'nothing';
  // Of a long text no more is written than is shown.
  const begun = typeof value === 'string' ? value.slice(0, 100) : value;
  const text = typeof value === 'number' ? String(value) : jsonOf(begun);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
