import { Worker } from 'node:worker_threads';
import type { ArrowColumn } from '../io/arrow.js';
import {
  type AnswerProofs,
  type Files,
  isShared,
  type JournalProof,
  NO_THREAD,
  type ThreadProofs,
} from './proofs/line-proof.js';

const WORKER = new URL('../../dist/release/proof-worker.js', import.meta.url);

/** A thread that proves, to be closed once nothing more is asked of it. */
export interface ProofThread extends ThreadProofs {
  close(): void;
}

/** What the thread sends, each once and in this order. */
interface Replies {
  readonly answers: AnswerProofs | null;
  readonly journals: ReadonlyMap<string, JournalProof>;
  readonly parquet: Uint8Array;
}

/**
 * Proves the files that lie in shared memory on a thread that is at work before this call returns; without any, nothing. `script` is
 * the thread's, the project's own unless given.
 */
export function proveOnThread(files: Files, script = WORKER): ProofThread {
  const shared = new Map([...files].filter(([, bytes]) => isShared(bytes)));
  if (shared.size === 0) return { ...NO_THREAD, close() {} };
  const worker = new Worker(script, { workerData: shared });
  const reply = <K extends keyof Replies, T>(kind: K, otherwise: T) =>
    new Promise<Replies[K] | T>((resolve) => {
      worker.on('message', (message: Partial<Replies>) => kind in message && resolve(message[kind]!));
      worker.on('error', () => resolve(otherwise));
      worker.on('exit', () => resolve(otherwise));
    });
  const made = reply('parquet', null);
  return {
    answers: reply('answers', null),
    journals: reply('journals', new Map()),
    parquet(columns: readonly ArrowColumn[]) {
      worker.postMessage(columns);
      return made;
    },
    close: () => void worker.terminate(),
  };
}
