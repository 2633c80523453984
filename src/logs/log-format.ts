import type { LogCell } from './cell.js';
import type { OpenedLog } from './opened-log.js';

/** What to take from a log. */
export interface LogOptions {
  /** Metric, scorer or named score; the one that the harness names first unless given. */
  readonly metric?: string;
  /** Filter of the answer, of logs that have one; the first in the file unless given. */
  readonly filter?: string;
}

/** The run that a log is of, where the log says it. */
export interface LogRun {
  /** The same for two files of one run. */
  readonly id?: string;
  /** The same for a run and those that repeat or continue it. */
  readonly of: string;
  /** Arguments of the evaluation. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** When it began, in a form that sorts. */
  readonly began: string;
  /** How it ended, where that was not well. */
  readonly unfinished?: string;
}

/** What a log holds. */
export interface LogRead {
  readonly cells: readonly LogCell[];
  /** Metrics, scorers or named scores that could be taken. */
  readonly metrics: readonly string[];
  /** Filters that could be taken; empty for logs without any. */
  readonly filters: readonly string[];
  readonly run?: LogRun;
  /** What a reader should know, as sentences without a full stop. */
  readonly warnings?: readonly string[];
}

/** How the log of one harness is recognised and read. */
export interface LogFormat {
  /** Name of the harness. */
  readonly name: string;
  /** The log as a hint asks for it. */
  readonly log: string;
  /** Whether samples are scored under several filters. */
  readonly filters?: boolean;
  /** Tells by its content whether a file is such a log. */
  recognise(log: OpenedLog): boolean;
  /** Reads a log that was recognised. Errors: SCHEMA_INVALID with file and path or line; INCOMPLETE; those of its parts. */
  read(log: OpenedLog, options: LogOptions): LogRead | Promise<LogRead>;
}
