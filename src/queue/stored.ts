import { z } from 'zod';
import { checked, count, sha256Text } from '../util/schema.js';

const HINT = 'Something else writes into this Redis or store: use another database (redis://HOST/1), and call again.';

/** The id of a call, which names keys and folders. */
export const callId = z.string().regex(/^[0-9a-f]{16}$/, { error: 'sixteen hexadecimal digits expected' });

/** Bytes that are kept somewhere under their digest, as Redis holds them. */
export const storedBlob = z.object({ sha256: sha256Text, bytes: count, at: z.enum(['redis', 'store']) });

export const storedProgram = z.object({ version: z.string(), kernels: z.string() });

/** Gives a value of the queue as a schema reads it. Errors: SCHEMA_INVALID for what no program of ours keeps there. */
export function asStored<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  return checked(schema, value, { file: what }, HINT);
}

/** Reads a text that the queue keeps as JSON. Errors: SCHEMA_INVALID. */
export function stored<S extends z.ZodType>(schema: S, text: string | undefined, what: string): z.output<S> {
  let value: unknown = text;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    // No schema of ours is one of a text.
  }
  return asStored(schema, value, what);
}
