import type { ArrowColumn } from '../../io/arrow.js';
import { sha256 } from '../../io/digest.js';
import { byteLines } from '../../io/utf8.js';
import { FlavourError } from '../../util/error.js';
import { proveJournal, type ReleasedJournal } from '../journal.js';
import { answerIn } from '../observation.js';
import { ATTEMPTS, RELEASE_FILES } from '../release-files.js';

/** Bytes of files by name. */
export type Files = ReadonlyMap<string, Uint8Array>;

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

/** What a thread proves and makes while this one goes on. They never reject: what a thread did not prove is proved here. */
export interface ThreadProofs {
  readonly answers: Promise<AnswerProofs | null>;
  /** The sound journals by name: one that is not is left out, and proving it again says where it breaks. */
  readonly journals: Promise<ReadonlyMap<string, JournalProof>>;
  /** Makes a Parquet file after that; null where the thread does not. */
  parquet(columns: readonly ArrowColumn[]): Promise<Uint8Array | null>;
}

/** What is known where no thread is at work. */
export const NO_THREAD: ThreadProofs = {
  answers: Promise.resolve(null),
  journals: Promise.resolve(new Map()),
  parquet: () => Promise.resolve(null),
};

function succeeds(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof FlavourError) return false;
    throw error;
  }
}

/** Proves every line of observations.jsonl against its digest. */
export function proveAnswers(observations: Uint8Array): AnswerProofs {
  const unsound = new Set<number>();
  let line = 0;
  for (const stored of byteLines(observations)) {
    line += 1;
    if (!succeeds(() => answerIn(stored, line))) unsound.add(line);
  }
  return { unsound, sha256: sha256(observations) };
}

/** Proves the journals among the files; one that is not sound is left out. */
export function proveJournals(files: Files): Map<string, JournalProof> {
  const sound = new Map<string, JournalProof>();
  for (const [name, bytes] of files)
    if (ATTEMPTS.test(name))
      succeeds(() => {
        const { state: _, ...journal } = proveJournal(bytes, name);
        sound.set(name, { journal, sha256: sha256(bytes) });
      });
  return sound;
}

/** Tells whether a thread can be given these bytes without a copy; a page from disk has no such memory at all. */
export function isShared({ buffer }: Uint8Array): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
}

/** Collects the SHA-256 of the files that a thread proved, by name. */
export async function provedDigests(thread: ThreadProofs): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  const answers = await thread.answers;
  if (answers) digests.set(RELEASE_FILES.observations, answers.sha256);
  for (const [name, { sha256: digest }] of await thread.journals) digests.set(name, digest);
  return digests;
}
