import { sha256 } from '../io/digest.js';
import type { JsonValue } from '../ledger/cell-key.js';
import type { AttemptEvent } from '../ledger/journal-event.js';
import type { Accounting } from './charge.js';
import { ANSWER_KINDS, type Reading } from './reading.js';
import type { CellJob } from './schedule.js';

/** One request of one cell. */
export interface AttemptName {
  readonly cell: string;
  readonly attempt_id: string;
  readonly attempt_index: number;
}

/**
 * Makes the event that is durable before any byte is sent: the request contract by digests and values, never prompt text, and enough
 * to seal the cell without the plan (collection 1.9).
 */
export function startedEvent(options: {
  readonly job: CellJob;
  readonly name: AttemptName;
  readonly body: string;
}): AttemptEvent {
  const { job, name, body } = options;
  const { route } = job;
  return {
    type: 'request_started',
    ...name,
    binding: job.binding,
    model_name: route.name,
    route: recordRoute(job),
    rank_eligible: route.rank_eligible,
    reserved_micros: job.reservation.micros,
    payload_sha256: sha256(body),
    metadata: {
      transport: route.transport,
      requested_model: route.requested_model,
      provider_tag: route.provider_tag,
      effort: route.effort,
      decoding: job.binding.key.decoding,
      protocol: route.protocol,
      message_count: job.messages.length,
      messages_sha256: sha256(JSON.stringify(job.messages)),
    },
  };
}

/** Takes from a cell's route what records and journal say of it. */
export function recordRoute(job: CellJob) {
  const { transport, requested_model, expected_model, expected_provider, provider_tag } = job.route;
  return { transport, requested_model, expected_model, expected_provider, provider_tag };
}

const REJECTED_TYPES: Readonly<Record<string, AttemptEvent['type']>> = {
  not_sent: 'pre_send_failure',
  transient_envelope: 'transient_envelope',
};

function typeOf(reading: Reading): AttemptEvent['type'] {
  if (reading.delivery === 'ambiguous') return 'uncertain_delivery';
  if (reading.delivery === 'accepted') {
    const answers: readonly (string | null)[] = ANSWER_KINDS;
    return answers.includes(reading.replyKind) ? 'response_received' : 'invalid_response';
  }
  return REJECTED_TYPES[reading.failure ?? ''] ?? 'request_rejected';
}

/** Makes the event about what came back. `costMicros` only where the provider itself named it or the rate card is the contract. */
export function replyEvent(options: {
  readonly name: AttemptName;
  readonly reading: Reading;
  readonly costMicros: number | null;
}): AttemptEvent {
  const { name, reading, costMicros } = options;
  const metadata: Record<string, JsonValue> = {
    envelope: reading.replyKind,
    response_model: reading.model,
    response_provider: reading.provider,
    finish_reason: reading.finish,
    native_finish_reason: reading.native,
    finish_class: reading.finishClass,
    cache: reading.cache,
  };
  return {
    type: typeOf(reading),
    ...name,
    http_status: reading.status,
    generation_id: reading.generationId,
    error_type: reading.failure,
    ...(costMicros === null ? {} : { cost_micros: costMicros }),
    metadata,
  };
}

/** Makes the event of a repetition that is waited for; `seconds` is how long. */
export function retryEvent(options: {
  readonly name: AttemptName;
  readonly reason: string;
  readonly seconds: number;
}): AttemptEvent {
  return {
    type: 'retry_scheduled',
    ...options.name,
    metadata: { retry_reason: options.reason, backoff_seconds: options.seconds },
  };
}

/**
 * Makes the event of an accounting row that was read. `bookedMicros` is what the request is booked at with it; null where nothing that was said names a
 * cost.
 */
export function accountingEvent(options: {
  readonly name: AttemptName;
  readonly accounting: Accounting;
  readonly bookedMicros: number | null;
}): AttemptEvent {
  const { name, accounting, bookedMicros } = options;
  return {
    type: 'accounting_reconciled',
    ...name,
    generation_id: accounting.generationId,
    ...(bookedMicros === null ? {} : { cost_micros: bookedMicros }),
    metadata: accountingRow(accounting),
  };
}

/** Writes an accounting row as records and journal keep it. */
export function accountingRow(accounting: Accounting): Record<string, string | number | boolean | null> {
  return {
    generation_id: accounting.generationId,
    cost_micros: accounting.costMicros,
    model: accounting.model,
    provider: accounting.provider,
    tokens_prompt: accounting.promptTokens,
    tokens_completion: accounting.completionTokens,
    native_tokens_reasoning: accounting.reasoningTokens,
    generation_time_ms: accounting.latencyMs,
    reconciled: accounting.reconciled,
  };
}
