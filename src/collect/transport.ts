import type { CellJob } from './cell-job.js';
import { readReply } from './chat.js';
import type { Send, WireOutcome, WireRequest } from './http.js';
import { EMPTY_READING, type Reading } from './reading.js';
import type { Redact } from './redact.js';
import { simulatedReply } from './simulated.js';
import { isCachingGateway } from './wire.js';

/** Reads what became of a request: a reply by its content, anything else by whether a byte had left. */
function readOutcome(options: {
  readonly outcome: WireOutcome;
  readonly expected: 'chat_completions' | 'messages';
  readonly redact: Redact;
}): Reading {
  const { outcome, expected, redact } = options;
  if (outcome.kind === 'reply') return readReply(outcome, expected);
  const message = redact(outcome.error);
  if (outcome.kind === 'not_sent') {
    return {
      ...EMPTY_READING,
      delivery: 'rejected',
      failure: 'not_sent',
      message,
      retryable: true,
    };
  }
  const { status } = outcome;
  return { ...EMPTY_READING, failure: 'uncertain_delivery', status, message };
}

/** Behind a caching gateway an answer counts only when the gateway says that it is fresh (collection 1.8). */
function attested(job: CellJob, reading: Reading): Reading {
  const fresh = reading.cache === 'MISS' || reading.cache === 'BYPASS';
  if (reading.failure !== null || fresh || !isCachingGateway(job.route)) return reading;
  return { ...reading, failure: 'freshness', message: 'the gateway does not attest a fresh reply' };
}

/** Sends a cell's request through its route's transport; the simulated one answers here, in the same words a server would use. */
export function makeSendCell(options: {
  readonly send: Send;
  readonly redact: Redact;
  readonly seed: string;
}): (job: CellJob, request: WireRequest) => Promise<Reading> {
  const { send, redact, seed } = options;
  return async (job, request) => {
    const { transport } = job.route;
    const outcome = transport === 'simulated' ? simulatedReply({ job, seed }) : await send(request);
    const expected = transport === 'anthropic' ? 'messages' : 'chat_completions';
    return attested(job, readOutcome({ outcome, expected, redact }));
  };
}
