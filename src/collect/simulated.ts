import { sha256 } from '../io/digest.js';
import { simulateAnswer } from '../responses/simulate.js';
import type { CellJob } from './cell-job.js';
import type { WireOutcome } from './http.js';
import type { Route } from './route.js';

/** Whether every answer of a roster is computed: such a run is a function of its plan, byte for byte. */
export function isSimulated(routes: readonly Route[]): boolean {
  return routes.every((route) => route.transport === 'simulated');
}

/** The name of a computed attempt: a function of the cell, of how many records it had before, and of the attempt's number. */
export function simulatedAttemptId(options: {
  readonly cell: string;
  readonly records: number;
  readonly index: number;
}): string {
  return sha256(JSON.stringify([options.cell, options.records, options.index])).slice(0, 32);
}

/**
 * The reply a simulated model gives to a cell, as a chat-completions body, so that reading, parsing, ledger and budget run exactly
 * as with a provider. A fixed function of seed, model, task, phase and sample.
 */
export function simulatedReply(options: { readonly job: CellJob; readonly seed: string }): WireOutcome {
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
