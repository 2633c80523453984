import { diskFailed, type FlavourError, failure } from '../util/error.js';

/** A write of the ledger that did not succeed. */
export function writeFailed(path: string, cause: unknown): FlavourError {
  const place = (cause as { readonly dest?: string } | null)?.dest ?? path;
  const why = cause instanceof Error ? cause.message : String(cause);
  return failure(
    'LEDGER_WRITE_FAILED',
    { file: place },
    why,
    'Nothing more is sent. Make room on the disk and run the same command again.',
    { exit: 5, cause },
  );
}

/** Runs a piece of work that writes below `dir`. Errors: LEDGER_WRITE_FAILED where the disk is full or gone. */
export function onDisk<T>(dir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw diskFailed(error) ? writeFailed(dir, error) : error;
  }
}
