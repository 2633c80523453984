import type { Asked } from '../../collect/asked.js';
import { type BodyRoute, plainBody } from '../../collect/cell-request.js';
import { type Message, messagesOf } from '../../collect/protocol.js';
import { ANSWER_KINDS } from '../../collect/reading.js';
import { sha256 } from '../../io/digest.js';
import type { AttemptEvent } from '../../ledger/journal-event.js';
import type { ResponseRecord } from '../../ledger/record.js';
import type { Task } from '../../tasks/task.js';

/** A line about a request, as a journal has it. */
export type Attempt = AttemptEvent & { readonly at: string };

/** An answer and what a release knows of the question. */
export interface AskedRecord {
  readonly record: ResponseRecord;
  readonly task: Task;
  readonly asked: Asked | null;
}

interface Said {
  readonly messages: readonly Message[];
  readonly sha256: string;
}

/** What is said to models, made once a task and protocol. */
export type Sayings = Map<string, Said>;

function saidIn(sayings: Sayings, protocol: Asked['protocol']['name'], task: Task): Said {
  const name = `${protocol} ${task.id}`;
  let said = sayings.get(name);
  if (said === undefined) {
    const messages = messagesOf(protocol, task.prompt);
    said = { messages, sha256: sha256(JSON.stringify(messages)) };
    sayings.set(name, said);
  }
  return said;
}

/**
 * The start of a request as it follows from the answer that it led to (collection 1.9), members in canonical order. Its time and the name of the
 * request are its own; so is the digest of a body with prices or further fields, and what a plan of an `earlier` session may have said otherwise.
 */
export function expectedStart(
  event: Attempt,
  { record, task, asked }: AskedRecord,
  options: { readonly index: number; readonly earlier: boolean; readonly sayings: Sayings },
): Attempt {
  const { index, earlier, sayings } = options;
  const { key, route } = record;
  const { binding, metadata = {} } = event;
  const said =
    asked === null || record.original_task_id !== null ? undefined : saidIn(sayings, asked.protocol.name, task);
  const later = <T>(own: T, stated: T | undefined): T => (earlier ? (stated ?? own) : own);
  return {
    at: event.at,
    attempt_id: event.attempt_id,
    attempt_index: index,
    binding: {
      cell: record.cell,
      family: record.family,
      key,
      manifest_sha256: later(record.manifest_sha256, binding?.manifest_sha256),
      original_task_id: record.original_task_id,
      panel: record.panel,
      slot: record.slot,
      task_id: record.task_id,
      task_set_sha256: later(record.task_set_sha256, binding?.task_set_sha256),
    },
    cell: record.cell,
    metadata: {
      decoding: key.decoding,
      effort: asked?.effort ?? metadata.effort ?? null,
      message_count: said?.messages.length ?? metadata.message_count ?? null,
      messages_sha256: said?.sha256 ?? metadata.messages_sha256 ?? null,
      protocol: asked?.protocol.name ?? metadata.protocol ?? null,
      provider_tag: route.provider_tag,
      requested_model: route.requested_model,
      transport: route.transport,
    },
    model_name: later(record.model_name, event.model_name),
    payload_sha256: said && asked ? payload(event, record, asked, said.messages) : event.payload_sha256,
    rank_eligible: later(record.rank_eligible, event.rank_eligible),
    reserved_micros: later(record.budget?.reserved_micros ?? 0, event.reserved_micros),
    route,
    type: 'request_started',
  };
}

/** The digest of the body, where everything in it is known; else as it is stated. */
function payload({ payload_sha256 }: Attempt, record: ResponseRecord, asked: Asked, messages: readonly Message[]) {
  const { transport, requested_model } = record.route;
  if (transport === 'openrouter' || requested_model === null || Object.keys(asked.extra_body).length > 0)
    return payload_sha256;
  const { temperature, top_p, seed, max_tokens, max_completion_tokens } = record.key.decoding as BodyRoute['decoding'];
  const decoding = { temperature, top_p, seed, max_tokens, max_completion_tokens };
  const { effort, extra_body } = asked;
  const route = { transport: transport as BodyRoute['transport'], requested_model, decoding, effort, extra_body };
  return sha256(JSON.stringify(plainBody(route, messages)));
}

/** Types of the events that say what became of a request. */
const REPLIES: ReadonlySet<string> = new Set([
  ...['response_received', 'invalid_response', 'uncertain_delivery'],
  ...['request_rejected', 'pre_send_failure', 'transient_envelope'],
]);

/** Tells whether an event says what became of a request. */
export function isReply({ type }: Attempt): boolean {
  return REPLIES.has(type);
}

/** The members of a line that name its request, as its start does. */
function named({ attempt_id, attempt_index, cell }: Attempt) {
  return { attempt_id, attempt_index, cell };
}

/** What a reply may say freely: how it came, which no record repeats. A formula answers in one way. */
function envelopeOf({ http_status, metadata = {} }: Attempt, { route, outcome }: ResponseRecord) {
  const { cache = null, envelope = null } = metadata;
  if (route.transport === 'simulated') return { http_status: 200, cache: null, envelope: 'chat_completions' };
  const good = typeof http_status === 'number' && http_status >= 200 && http_status < 300;
  return { http_status: outcome === 'completed' && !good ? 200 : (http_status ?? null), cache, envelope };
}

function failureOf({ error_type }: Attempt, { error, outcome }: ResponseRecord): string | null {
  if (error === null || error.type.startsWith('identity_')) return null;
  return error_type === null && outcome === 'ambiguous' ? null : error.type;
}

function typeOf({ type }: Attempt, { outcome, generation }: ResponseRecord, envelope: unknown): Attempt['type'] {
  if (outcome === 'ambiguous') return 'uncertain_delivery';
  const refused = generation?.billing_status === 'not_charged' || generation?.billing_status === 'accounting';
  if (outcome !== 'completed' && refused && type === 'request_rejected') return type;
  return ANSWER_KINDS.some((kind) => kind === envelope) ? 'response_received' : 'invalid_response';
}

/**
 * The reply that a record was made of, as it follows from the record and the start of its request. How it came (status, cache, form) is its own;
 * where an accounting row followed, the row decided on identity, and the last line that states a cost on that.
 */
export function expectedReply(
  event: Attempt,
  start: Attempt,
  record: ResponseRecord,
  accounting: Attempt | undefined,
): Attempt {
  const { generation } = record;
  const metadata = event.metadata ?? {};
  if (generation === null) return { ...event, ...named(start) };
  const { http_status, cache, envelope } = envelopeOf(event, record);
  const { billing_status: basis } = generation;
  const known = basis !== 'unknown' && !(record.route.transport === 'openrouter' && basis === 'rate_card');
  const stated = event.cost_micros;
  const last = accounting?.cost_micros === undefined && stated !== undefined;
  const cost =
    accounting === undefined ? (known ? generation.cost_micros : undefined) : last ? generation.cost_micros : stated;
  const decided = accounting?.metadata?.reconciled === true;
  const identity = decided
    ? { response_model: metadata.response_model ?? null, response_provider: metadata.response_provider ?? null }
    : { response_model: generation.actual_model, response_provider: generation.actual_provider };
  return {
    at: event.at,
    attempt_id: start.attempt_id,
    attempt_index: start.attempt_index,
    cell: start.cell,
    ...(cost === undefined ? {} : { cost_micros: cost }),
    error_type: failureOf(event, record),
    generation_id: generation.generation_ids[0] ?? null,
    http_status,
    metadata: {
      cache,
      envelope,
      finish_class: generation.finish_class,
      finish_reason: generation.finish_reason,
      native_finish_reason: generation.native_finish_reason,
      ...identity,
    },
    type: typeOf(event, record, envelope),
  };
}

/** A rejection after which the cell was asked again: which request, and that it cost nothing. What it says is its own. */
export function expectedRejection(event: Attempt, start: Attempt): Attempt {
  const { cost_micros: _, ...rest } = event;
  const certain = ['request_rejected', 'pre_send_failure', 'transient_envelope'] as const;
  const type =
    event.error_type === 'not_sent' ? certain[1] : event.error_type === 'transient_envelope' ? certain[2] : certain[0];
  return { ...rest, ...named(start), type };
}

/** The wait after a rejection: for its reason. How long a provider asked to wait is its own. */
export function expectedWait(event: Attempt, start: Attempt, rejection: Attempt): Attempt {
  const { backoff_seconds = null } = event.metadata ?? {};
  return {
    at: event.at,
    attempt_id: start.attempt_id,
    attempt_index: start.attempt_index,
    cell: start.cell,
    metadata: { backoff_seconds, retry_reason: rejection.error_type ?? 'rejected' },
    type: 'retry_scheduled',
  };
}

/** The accounting row that a record was made with. */
export function expectedAccounting(event: Attempt, start: Attempt, { generation }: ResponseRecord): Attempt {
  const row = generation?.metadata[0];
  if (generation === null || row === undefined) return { ...event, ...named(start) };
  // A row without a cost may restate, or take back, what the reply stated.
  const states = row.cost_micros !== null || event.cost_micros !== undefined;
  return {
    at: event.at,
    attempt_id: start.attempt_id,
    attempt_index: start.attempt_index,
    cell: start.cell,
    ...(states ? { cost_micros: generation.cost_micros } : {}),
    generation_id: generation.generation_ids[0] ?? null,
    metadata: row,
    type: 'accounting_reconciled',
  };
}
