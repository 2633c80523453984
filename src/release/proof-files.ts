import { Worker } from 'node:worker_threads';
import { sha256 } from '../io/digest.js';
import { byteLines } from '../io/utf8.js';
import { FlavourError } from '../util/error.js';
import { proveJournal, type ReleasedJournal } from './journal.js';
import { ATTEMPTS, RELEASE_FILES } from './layout.js';
import { answerIn } from './observation.js';

type Files = ReadonlyMap<string, Uint8Array>;

/** What the lines of observations.jsonl prove by themselves. */
export interface AnswerProofs {
  /** Lines that are no answer as it was sealed. */
  readonly unsound: ReadonlySet<number>;
  /** Of the file. */
  readonly sha256: string;
}

export interface JournalProof {
  readonly journal: ReleasedJournal;
  /** Of the file. */
  readonly sha256: string;
}

/** Proofs that a thread makes while this one goes on. They never reject: what a thread did not prove is proved here. */
export interface ProofsApart {
  readonly answers: Promise<AnswerProofs | null>;
  /** The sound journals by name: one that is not is left out, and proving it again says where it breaks. */
  readonly journals: Promise<ReadonlyMap<string, JournalProof>>;
}

function succeeds(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof FlavourError) return false;
    throw error;
  }
}

export function proveAnswers(observations: Uint8Array): AnswerProofs {
  const unsound = new Set<number>();
  let line = 0;
  for (const stored of byteLines(Buffer.from(observations.buffer, observations.byteOffset, observations.byteLength))) {
    line += 1;
    if (!succeeds(() => answerIn(stored, line))) unsound.add(line);
  }
  return { unsound, sha256: sha256(observations) };
}

export function proveJournals(files: Files): Map<string, JournalProof> {
  const sound = new Map<string, JournalProof>();
  for (const [name, bytes] of files)
    if (ATTEMPTS.test(name))
      succeeds(() => sound.set(name, { journal: proveJournal(bytes, name), sha256: sha256(bytes) }));
  return sound;
}

/** Whether a thread can be given these bytes without a copy. */
export function isShared({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer;
}

const WORKER = new URL('../../dist/release/proof-worker.js', import.meta.url);

/**
 * Proves the files that lie in shared memory on a thread that is at work before this call returns; without any, nothing. `script` is
 * the thread's, the project's own unless given.
 */
export function proveApart(files: Files, script = WORKER): ProofsApart {
  const shared = new Map([...files].filter(([, bytes]) => isShared(bytes)));
  if (shared.size === 0) return { answers: Promise.resolve(null), journals: Promise.resolve(new Map()) };
  const worker = new Worker(script, { workerData: shared });
  const reply = <T>(kind: keyof ProofsApart, otherwise: T) =>
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

/** SHA-256 of the files that were proved apart, by name. */
export async function digestsApart(apart: ProofsApart): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  const answers = await apart.answers;
  if (answers) digests.set(RELEASE_FILES.observations, answers.sha256);
  for (const [name, { sha256: digest }] of await apart.journals) digests.set(name, digest);
  return digests;
}
