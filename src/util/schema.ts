import type { z } from 'zod';
import { shown } from './error.js';

/** The first problem of a value that does not fit a schema: its path, what is expected there, and what was found. */
export function firstProblem(
  error: z.ZodError,
  value: unknown,
): { readonly path: string; readonly what: string } {
  const issue = error.issues[0]!;
  let found = value;
  for (const part of issue.path) found = (found as Record<PropertyKey, unknown> | null)?.[part];
  const what =
    issue.code === 'unrecognized_keys' ? issue.message : `${issue.message}, found ${shown(found)}`;
  return { path: issue.path.map(String).join('.'), what };
}
