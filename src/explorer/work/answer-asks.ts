import { verifyFiles } from '../../release/proofs/verify-files.js';
import { FlavourError } from '../../util/error.js';
import { inferScores, openedEngine } from './infer-scores.js';
import { scoreAnswers } from './score-answers.js';
import type { Answered, AskName, Given, HowAsked, SentError } from './thread-asks.js';

/** How each ask is answered, in whichever thread. */
const ANSWERS: { readonly [N in AskName]: (given: Given<N>, how: HowAsked) => Promise<Answered<N>> } = {
  infer: inferScores,
  verify: async (given, { onProgress }) => verifyFiles({ ...given, engine: await openedEngine(), onProgress }),
  score: scoreAnswers,
};

/** Answers an ask in this thread. Errors: those of the work. */
export function answerAsk<N extends AskName>(name: N, given: Given<N>, how: HowAsked): Promise<Answered<N>> {
  return ANSWERS[name](given, how);
}

/** Gives an error the form in which it passes between threads. */
export function sentError(error: unknown): SentError {
  const known = error instanceof FlavourError;
  return {
    message: error instanceof Error ? error.message : String(error),
    code: known ? error.code : null,
    hint: known ? (error.hint ?? null) : null,
    line: known ? (error.where?.line ?? null) : null,
  };
}

/** Makes the error of one that was sent. */
export function receivedError({ message, code, hint, line }: SentError): Error {
  if (code === null) return new Error(message);
  const where = line === null ? {} : { where: { line } };
  return new FlavourError(code, message, { ...(hint === null ? {} : { hint }), ...where });
}
