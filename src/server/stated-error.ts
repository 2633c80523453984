import { FlavourError } from '../util/error.js';

/** An error as an answer states it, over a pipe and over HTTP. */
export interface StatedError {
  readonly code: string;
  readonly what: string;
  readonly hint: string | null;
}

/** Says an error in an answer; what is no error of ours is a bug, whose message alone is told. */
export function statedError(error: unknown): StatedError {
  if (error instanceof FlavourError) return { code: error.code, what: error.message, hint: error.hint ?? null };
  const what = error instanceof Error ? error.message : String(error);
  return { code: 'BUG', what, hint: 'Please report this with the request.' };
}
