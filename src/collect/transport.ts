import { sha256 } from '../io/digest.js';
import { simulateAnswer } from '../responses/simulate.js';
import { isCachingGateway } from './cell-request.js';
import type { HttpOutcome, HttpRequest, Send } from './http.js';
import { readReply } from './read-reply.js';
import { type AnswerKind, EMPTY_READING, type Reading } from './reading.js';
import type { Redact } from './redact.js';
import type { Route } from './route.js';
import type { CellJob } from './schedule.js';

/** Tells whether every answer of a roster is computed: such a run is a function of its plan, byte for byte. */
export function isSimulated(routes: readonly Route[]): boolean {
  return routes.every((route) => route.transport === 'simulated');
}

/** Names a computed attempt: a function of the cell, of how many records it had before, and of the attempt's number. */
export function simulatedAttemptId(options: {
  readonly cell: string;
  readonly records: number;
  readonly index: number;
}): string {
  return sha256(JSON.stringify([options.cell, options.records, options.index])).slice(0, 32);
}

/**
 * Makes the reply that a simulated model gives to a cell, as a chat-completions body, so that reading, parsing, ledger and budget run exactly
 * as with a provider. A fixed function of seed, model, task, phase and sample.
 */
function simulatedReply(options: { readonly job: CellJob; readonly seed: string }): HttpOutcome {
  const { job, seed } = options;
  const { binding, route, task, choices, messages } = job;
  const { skill, refusal_rate, slip_rate } = route.simulation ?? {
    skill: 0,
    refusal_rate: 0,
    slip_rate: 0,
  };
  const answer = simulateAnswer({
    key: [seed, route.model_id, binding.task_id, binding.key.phase, String(binding.key.repeat)],
    scores: task.scores,
    choices,
    skill,
    refusalRate: refusal_rate,
    slipRate: slip_rate,
  });
  const bytes = messages.reduce((sum, m) => sum + Buffer.byteLength(m.content), 0);
  const body = {
    id: `simulated-${binding.cell.slice(0, 16)}`,
    object: 'chat.completion',
    model: route.expected_model,
    choices: [
      {
        index: 0,
        finish_reason: answer.finish,
        message: {
          role: 'assistant',
          content: answer.text,
          ...(answer.refused ? { refusal: answer.text } : {}),
        },
      },
    ],
    usage: {
      prompt_tokens: Math.ceil(bytes / 4),
      completion_tokens: Math.max(1, Math.ceil(Buffer.byteLength(answer.text) / 4)),
    },
  };
  return {
    kind: 'reply',
    status: 200,
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    oversized: false,
  };
}

/** Reads what became of a request: a reply by its content, anything else by whether a byte had left. */
function readOutcome(options: {
  readonly outcome: HttpOutcome;
  readonly expected: AnswerKind;
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

/** Makes the function that sends a cell's request through its route's transport; the simulated one answers here, in the same words a server would use. */
export function makeSendCell(options: {
  readonly send: Send;
  readonly redact: Redact;
  readonly seed: string;
}): (job: CellJob, request: HttpRequest) => Promise<Reading> {
  const { send, redact, seed } = options;
  return async (job, request) => {
    const { transport } = job.route;
    const outcome = transport === 'simulated' ? simulatedReply({ job, seed }) : await send(request);
    const expected = transport === 'anthropic' ? 'messages' : 'chat_completions';
    return attested(job, readOutcome({ outcome, expected, redact }));
  };
}
