import type { ScoreMatrix } from '../../core/matrix.js';
import type { InferencePlan } from '../../inference/plan.js';
import type { Inference } from '../../inference/result.js';
import type { Verification } from '../../release/proofs/verification.js';
import type { ScoreFile } from '../../scores/read-scores.js';
import type { Choices } from '../reader-choices.js';
import type { AnswersToScore, ScoredAnswers } from './score-answers.js';

/** Scores to infer from: the files of a table or of logs, which are read by the choices as a command reads them, or a matrix. */
export interface AskedScores {
  /** Files and matrix of one key are the same. */
  readonly key: number;
  readonly files: readonly ScoreFile[] | null;
  readonly matrix: ScoreMatrix | null;
  /** What the document beside the matrix states; null for tables and logs. */
  readonly plan: InferencePlan | null;
  /** Names in print by model id, where a document has them. */
  readonly names: ReadonlyMap<string, string>;
}

/** Scores, the choices to infer by, and whether to warn where the other of the two tests decides otherwise, which takes flips of its own. */
export interface AskedInference {
  readonly scores: AskedScores;
  readonly choices: Choices;
  readonly otherTest: boolean;
}

/** What some choices gave of scores. */
export interface Inferred {
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  /** Cells are missing, and what is shown holds whatever their values are. */
  readonly bounded: boolean;
  /** models x tasks: 1 where the value is missing, and the matrix holds the least that it could be; null where none is. */
  readonly absent: Uint8Array | null;
  /** What the reading of files by these choices had to say. */
  readonly warnings: readonly string[];
  /** Milliseconds that it took. */
  readonly took: number;
}

/** What can be asked of the thread that computes, by name: what is given, and what comes back. */
export interface Asks {
  readonly infer: readonly [AskedInference, Inferred];
  readonly verify: readonly [
    {
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly folder?: string;
      readonly expect?: string;
    },
    Verification,
  ];
  readonly score: readonly [AnswersToScore, ScoredAnswers];
}

export type AskName = keyof Asks;
export type Given<N extends AskName> = Asks[N][0];
export type Answered<N extends AskName> = Asks[N][1];

/** How what is asked is run. */
export interface HowAsked {
  readonly signal?: AbortSignal;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** An error as it passes between threads. */
export interface SentError {
  readonly message: string;
  /** Null for what is no error of ours. */
  readonly code: string | null;
  readonly hint: string | null;
  readonly line: number | null;
}
