import { Worker } from 'node:worker_threads';
import {
  type AnswerProofs,
  type Files,
  isShared,
  type JournalProof,
  NO_THREAD,
  type ThreadProofs,
} from './proofs/line-proof.js';

const WORKER = new URL('../../dist/release/proof-worker.js', import.meta.url);

/**
 * Proves the files that lie in shared memory on a thread that is at work before this call returns; without any, nothing. `script` is
 * the thread's, the project's own unless given.
 */
export function proveOnThread(files: Files, script = WORKER): ThreadProofs {
  const shared = new Map([...files].filter(([, bytes]) => isShared(bytes)));
  if (shared.size === 0) return NO_THREAD;
  const worker = new Worker(script, { workerData: shared });
  const reply = <T>(kind: keyof ThreadProofs, otherwise: T) =>
    new Promise<T>((resolve) => {
      worker.on('message', (message) => kind in message && resolve(message[kind]));
      worker.on('error', () => resolve(otherwise));
      worker.on('exit', () => resolve(otherwise));
    });
  return {
    answers: reply<AnswerProofs | null>('answers', null),
    journals: reply<ReadonlyMap<string, JournalProof>>('journals', new Map()),
  };
}
