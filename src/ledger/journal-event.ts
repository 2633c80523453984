import { z } from 'zod';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { checked, count, sha256Text as digest, positiveCount } from '../util/schema.js';
import { MOST_SHARDS } from '../util/shard.js';
import { type CellBinding, cellBindingSchema, jsonValue, PHASES } from './cell-key.js';
import { type ResponseRecord, recordRouteSchema, SOURCES } from './record.js';

export const JOURNAL_SCHEMA = 'flavourbench-journal/1';

const text = z.string();
const at = text.describe('When the line was written, ISO 8601 UTC.');

/**
 * What happened to one request (collection 1.9). `request_rejected`, `pre_send_failure` and `transient_envelope` are certain: the
 * provider took nothing, the cell may be asked again. Everything else after a start means it may have been accepted.
 */
const ATTEMPT_TYPES = [
  'request_started',
  'response_received',
  'request_rejected',
  'invalid_response',
  'pre_send_failure',
  'uncertain_delivery',
  'transient_envelope',
  'retry_scheduled',
  'accounting_reconciled',
] as const;
export type AttemptType = (typeof ATTEMPT_TYPES)[number];

/** A journal entry about a request. No prompt, no answer, no credential ever enters it. */
const attemptSchema = z.object({
  type: z.enum(ATTEMPT_TYPES),
  cell: digest,
  attempt_id: text.describe('Unique per request sent.'),
  attempt_index: count.describe('0-based within the cell and session.'),
  binding: cellBindingSchema
    .optional()
    .describe('With request_started: enough to seal the cell later without the plan.'),
  model_name: text.optional(),
  route: recordRouteSchema.optional(),
  rank_eligible: z.boolean().optional(),
  reserved_micros: count.optional().describe('With request_started: micro-USD set aside for this request.'),
  cost_micros: count.optional().describe('Micro-USD known to be charged, once known.'),
  http_status: z.int().nullish(),
  generation_id: text.nullish(),
  error_type: text.nullish(),
  payload_sha256: text.nullish(),
  metadata: z.record(text, jsonValue).optional(),
});
export type AttemptEvent = Readonly<Omit<z.infer<typeof attemptSchema>, 'binding'>> & {
  readonly binding?: CellBinding;
};

/** What the journal says of a record, so that resume and status need not open 34,560 files. */
const recordEntrySchema = z.object({
  cell: digest,
  record_sha256: digest,
  supersedes: digest.nullable(),
  slot: text,
  model_id: text,
  contract_sha256: digest,
  phase: z.enum(PHASES),
  panel: text,
  family: text,
  task_id: text,
  repeat: count,
  status: z.enum(['completed', 'failed']),
  outcome: text,
  parse: text.nullable().describe('Parse outcome; null where nothing was parsed.'),
  inline_reasoning: z.literal(true).optional().describe('Reasoning in the answer was passed over.'),
  implausible: z.literal(true).optional().describe('The reply claimed a cost or a count that cannot be.'),
  source: z.enum(SOURCES),
  rank_eligible: z.boolean(),
  cost_micros: count,
  uncertain_micros: count.describe('Set aside for an ambiguous request whose cost nobody knows; 0 otherwise.'),
  tokens: count,
});
export type RecordEntry = Readonly<z.infer<typeof recordEntrySchema>>;

/** Tells whether nobody knows what a record cost: perhaps accepted, or accepted with a reply that does not say. */
function costUnknown({ outcome, generation }: ResponseRecord): boolean {
  return generation === null ? outcome === 'ambiguous' : generation.billing_status === 'unknown';
}

/** Makes the journal's summary of a record. */
export function entryOf(record: ResponseRecord): RecordEntry {
  const { key, generation } = record;
  return {
    cell: record.cell,
    record_sha256: record.artifact_sha256,
    supersedes: record.supersedes,
    slot: record.slot,
    model_id: key.model_id,
    contract_sha256: record.contract_sha256,
    phase: key.phase,
    panel: record.panel,
    family: record.family,
    task_id: record.task_id,
    repeat: key.repeat,
    status: record.status,
    outcome: record.outcome,
    parse: record.parse?.outcome ?? null,
    ...(record.parse?.inline_reasoning ? { inline_reasoning: true as const } : {}),
    ...(generation?.billing_status === 'implausible' ? { implausible: true as const } : {}),
    source: record.source,
    rank_eligible: record.rank_eligible,
    cost_micros: generation?.cost_micros ?? record.budget?.actual_micros ?? 0,
    uncertain_micros: costUnknown(record) ? (record.budget?.reserved_micros ?? 0) : 0,
    tokens: (generation?.prompt_tokens ?? 0) + (generation?.completion_tokens ?? 0),
  };
}

const scheduleCountSchema = z.object({ model_id: text, panel: text, family: text, cells: count });
export type ScheduleCount = Readonly<z.infer<typeof scheduleCountSchema>>;

/** What a ledger says of the share of a plan that it holds (collection 1.18). */
const shardSchema = z.object({
  manifest_sha256: digest,
  index: positiveCount.describe('Number of the share, from 1.'),
  count: positiveCount.max(MOST_SHARDS).describe('Shares of the plan.'),
  cells: count.describe('Cells of the share.'),
  cap_micros: count.describe('Cap of the whole plan, micro-USD.'),
  cap_tokens: count.nullable(),
  share_micros: count.describe('What of it this share may use.'),
  share_tokens: count.nullable(),
});
export type ShardDeclaration = Readonly<z.infer<typeof shardSchema>>;

/** The ledger's own entries, by type. */
const LEDGER_EVENTS = {
  ledger_created: z.object({ type: z.literal('ledger_created'), schema: text }),
  record_written: recordEntrySchema.extend({ type: z.literal('record_written') }),
  retry_requested: z.object({
    type: z.literal('retry_requested'),
    cell: digest,
    supersedes: digest,
    list_sha256: text,
  }),
  block_quarantined: z.object({
    type: z.literal('block_quarantined'),
    commitment_sha256: digest,
    slot: text,
    phases: z.array(z.enum(PHASES)).readonly(),
    records: z.array(digest).readonly(),
  }),
  schedule_declared: z.object({
    type: z.literal('schedule_declared'),
    manifest_sha256: text,
    phase: z.enum(PHASES),
    counts: z.array(scheduleCountSchema).readonly(),
  }),
  shard_declared: shardSchema.extend({ type: z.literal('shard_declared') }),
  scores_inspected: z.object({ type: z.literal('scores_inspected'), stamp_sha256: digest }),
  lock_taken_over: z.object({ type: z.literal('lock_taken_over'), previous: z.record(text, jsonValue) }),
  tail_repaired: z.object({ type: z.literal('tail_repaired'), kept_sha256: text, bytes: count }),
  salvaged: z.object({
    type: z.literal('salvaged'),
    journal_sha256: digest.describe('Of the bytes of the journal that this one was made from.'),
    breaks: count.describe('Lines that do not follow from the line before them.'),
    lost_lines: count,
    lost_events: z.array(digest).readonly().describe('Lines that records cite and that are gone.'),
    lost_records: z.array(digest).readonly(),
    unplaced_records: z
      .array(digest)
      .readonly()
      .describe('Kept in quarantine: another record of the cell is in force.'),
    cost_micros: count.describe('Paid for requests that no record in force answers.'),
    uncertain_micros: count,
    tokens: count,
  }),
  merged: z.object({ type: z.literal('merged'), sources: z.array(z.object({ head: text })).readonly() }),
};
type LedgerEventType = keyof typeof LEDGER_EVENTS;
export type LedgerEvent = { [T in LedgerEventType]: Readonly<z.infer<(typeof LEDGER_EVENTS)[T]>> }[LedgerEventType];

/** One entry of the journal: what happened and when. */
export type JournalEvent = (AttemptEvent | LedgerEvent) & { readonly at: string };

/** Types of attempt after which the provider certainly took nothing. */
export const CERTAIN_REJECTION: ReadonlySet<string> = new Set<AttemptType>([
  'request_rejected',
  'pre_send_failure',
  'transient_envelope',
]);

const ATTEMPT_TYPE_SET: ReadonlySet<string> = new Set(ATTEMPT_TYPES);

/** Tells whether a type of event is about a request. */
export function isAttemptType(type: string): type is AttemptType {
  return ATTEMPT_TYPE_SET.has(type);
}

/** Tells whether an event is about a request. */
export function isAttempt(event: AttemptEvent | LedgerEvent): event is AttemptEvent & { readonly at: string } {
  return ATTEMPT_TYPE_SET.has(event.type);
}

const attemptEventSchema = attemptSchema.extend({ at });
const EVENT_SCHEMAS: ReadonlyMap<string, z.ZodObject> = new Map(
  Object.entries(LEDGER_EVENTS).map(([type, schema]) => [type, schema.extend({ at })]),
);

/** A verification of a release holds every line about a request against its schema. */
const compiledAttempt = z.compile(attemptEventSchema);

/** A resume holds one entry a record against its schema: tens of thousands before the first request. */
const compiledEntry = z.compile(LEDGER_EVENTS.record_written.extend({ at }));

const WRITTEN_BY_OTHERS = 'Something else wrote into this journal, or a newer version of this program did.';

/**
 * Reads the text of an event whose digest holds. Errors: LEDGER_DAMAGED (exit 4) for one that something else wrote: no JSON,
 * an unknown type, a field of another kind.
 */
export function parseEvent(eventText: string, place: ErrorPlace): JournalEvent {
  let event: JournalEvent;
  try {
    event = JSON.parse(eventText) as JournalEvent;
  } catch {
    fail('LEDGER_DAMAGED', place, 'the event is not JSON', WRITTEN_BY_OTHERS, { exit: 4 });
  }
  const type: unknown = event?.type;
  if (typeof type !== 'string')
    fail('LEDGER_DAMAGED', place, `the event has no type: ${shown(event)}`, WRITTEN_BY_OTHERS, { exit: 4 });
  if (type === 'record_written' && z.validate(compiledEntry, event)) return event;
  if (isAttemptType(type) && z.validate(compiledAttempt, event)) return event;
  const schema = isAttemptType(type) ? attemptEventSchema : EVENT_SCHEMAS.get(type);
  if (schema === undefined)
    fail('LEDGER_DAMAGED', place, `the event is of unknown type ${shown(type)}`, WRITTEN_BY_OTHERS, { exit: 4 });
  checked(schema, event, { ...place, path: type }, WRITTEN_BY_OTHERS, 'LEDGER_DAMAGED', { exit: 4 });
  return event;
}
