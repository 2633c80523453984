import { deserialize } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { useKernels } from '../../engine/wasm/module.js';
import { type ErrorPlace, FlavourError } from '../../util/error.js';
import type { PartWork } from './part-work.js';
import { type PartDone, partScorer } from './score-part.js';

/** What a thread is asked: first, with no work, to get ready, then a part each time. What parts are scored with is known later than the thread starts. */
export interface PartTask {
  readonly work: PartWork | null;
  /** A `PartScorerStart`, serialized. */
  readonly start: SharedArrayBuffer;
}

/** What a thread gives back: a part that is done, null once it is ready, or the error it ended with, which loses its class between threads; a bug is no error of ours. */
export type PartReply =
  | { readonly done: PartDone | null }
  | { readonly bug: Error }
  | {
      readonly error: { code: string; message: string; hint?: string; where?: ErrorPlace; exit: FlavourError['exit'] };
    };

useKernels((workerData as { module: WebAssembly.Module }).module);
let score: ((work: PartWork) => Promise<PartDone>) | undefined;

/** Entry of a thread that scores parts, all of them with one start. */
export async function run({ work, start }: PartTask): Promise<PartReply> {
  try {
    score ??= partScorer(deserialize(new Uint8Array(start).slice()));
    return { done: work && (await score(work)) };
  } catch (error) {
    if (!(error instanceof FlavourError)) return { bug: error as Error };
    const { code, message, hint, where, exit } = error;
    return { error: { code, message, hint, where, exit } };
  }
}
