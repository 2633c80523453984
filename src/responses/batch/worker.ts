import { workerData } from 'node:worker_threads';
import { useKernels } from '../../engine/wasm/module.js';
import { type ErrorPlace, FlavourError } from '../../util/error.js';
import type { PartWork } from './part-work.js';
import { type PartDone, type PartScorerStart, partScorer } from './score-part.js';

/** What a thread gives back: a part that is done, or the error it ended with, which loses its class between threads; a bug is no error of ours. */
export type PartReply =
  | { readonly done: PartDone }
  | { readonly bug: Error }
  | {
      readonly error: { code: string; message: string; hint?: string; where?: ErrorPlace; exit: FlavourError['exit'] };
    };

const { module, start } = workerData as { module: WebAssembly.Module; start: PartScorerStart };
useKernels(module);
const score = partScorer(start);

/** Entry of a thread that scores parts. */
export async function run(work: PartWork): Promise<PartReply> {
  try {
    return { done: await score(work) };
  } catch (error) {
    if (!(error instanceof FlavourError)) return { bug: error as Error };
    const { code, message, hint, where, exit } = error;
    return { error: { code, message, hint, where, exit } };
  }
}
