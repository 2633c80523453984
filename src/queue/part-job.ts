import { z } from 'zod';
import type { Blob } from './blobs.js';
import type { Program } from './program.js';
import { asStored, callId, storedBlob, storedProgram } from './stored.js';

/** What the queue holds of a part. */
export interface PartJob {
  readonly call: string;
  readonly part: string;
  /** Its packet, and files that it reads by name. */
  readonly input: Blob | null;
  readonly files: readonly Blob[];
}

/** What the queue holds of a part that is done. */
export interface PartDoneJob {
  readonly result: Blob;
  readonly program: Program;
  readonly worker: string;
  readonly seconds: number;
}

const jobSchema = z.object({
  call: callId,
  part: z.string(),
  input: storedBlob.nullable(),
  files: z.array(storedBlob),
});

const doneSchema = z.object({
  result: storedBlob,
  program: storedProgram,
  worker: z.string(),
  seconds: z.number(),
});

/** Gives a part as the queue holds it. Errors: SCHEMA_INVALID. */
export const partJob = (data: unknown): PartJob => asStored(jobSchema, data, 'a part of the queue');

/** Gives what the queue holds of a part that is done; null where every try failed. Errors: SCHEMA_INVALID. */
export const partDone = (value: unknown): PartDoneJob | null =>
  asStored(doneSchema.nullable(), value ?? null, 'a part of the queue that is done');

/** How often a part is tried before it is given up. */
export const TRIES = 3;
