import type { Blob } from './blobs.js';
import type { Program } from './program.js';

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

/** How often a part is tried before it is given up. */
export const TRIES = 3;
