import { z } from 'zod';
import { sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { checked, count, sha256Text as digest } from '../util/schema.js';
import { type CellBinding, cellBindingSchema, cellId, contractDigest, jsonValue } from './cell-key.js';

export const RECORD_SCHEMA = 'flavourbench-response/1';

const WRITTEN_BY_LEDGER = 'A record is written by the ledger and never edited.';

const kind = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const text = z.string();

/** What a cost was booked by: the provider's account, the reply, usage at frozen prices, nothing, no statement, the reservation; or it was imported. */
export const BILLING_BASES = [
  'accounting',
  'envelope',
  'rate_card',
  'not_charged',
  'unknown',
  'implausible',
  'imported',
] as const;
export type BillingBasis = (typeof BILLING_BASES)[number];

/** What came back, and what it cost. Money is integer micro-USD, tokens are counts, times are milliseconds. */
const generationSchema = z.strictObject({
  /** The model's text; null where nothing usable came back. */
  answer: text.nullable(),
  actual_model: text.nullable(),
  actual_provider: text.nullable(),
  generation_ids: z.array(text),
  prompt_tokens: count.nullable(),
  completion_tokens: count.nullable(),
  reasoning_tokens: count.nullable(),
  cost_micros: count,
  cost_reconciled: z.boolean(),
  billing_status: kind,
  latency_ms: count.nullable(),
  retries: count,
  finish_reason: text.nullable(),
  native_finish_reason: text.nullable(),
  /** normal, length, content_filter, refusal, tool, error, unknown. */
  finish_class: kind,
  /** Where the returned identity was read: accounting, envelope, or null. */
  identity_evidence: text.nullable(),
  /** Accounting rows as the provider gave them, scalars only. */
  metadata: z.array(z.record(text, jsonValue)),
});

/** Where an answer came from: a provider, a computed responder, a log of elsewhere, or the sealing of an interrupted request. */
export const SOURCES = ['collected', 'simulated', 'imported', 'sealed'] as const;

/** What a record says of the route that answered. */
export const recordRouteSchema = z.strictObject({
  transport: text,
  requested_model: text.nullable(),
  expected_model: text.nullable(),
  expected_provider: text.nullable(),
  provider_tag: text.nullable(),
});

/** The written form of a record. Times are ISO 8601 UTC or, where the name ends in _ms, milliseconds. */
const recordSchema = z.strictObject({
  schema: z.literal(RECORD_SCHEMA),
  ...cellBindingSchema.shape,
  contract_sha256: digest,
  model_name: text,
  source: z.enum(SOURCES),
  /** For imports: label and digest of the file the answer came from. */
  origin: z.strictObject({ label: text, sha256: digest }).nullable(),
  /** False for an unpinned route: such a record can be looked at, never ranked. */
  rank_eligible: z.boolean(),
  route: recordRouteSchema,
  status: z.enum(['completed', 'failed']),
  /** `completed`, or the kind of the failure: length, refusal, identity, empty, ambiguous, ... */
  outcome: kind,
  started_at: text.nullable(),
  /** Null for an import that does not say. */
  recorded_at: text.nullable(),
  wall_time_ms: count.nullable(),
  /** Journal lines of this cell since the record it supersedes, in order. */
  attempt_event_sha256s: z.array(digest),
  generation: generationSchema.nullable(),
  /** Syntax of the answer only; no score is ever stored in a ledger. */
  parse: z
    .strictObject({
      parser: text,
      parser_sha256: digest
        .optional()
        .describe('Digest of the contract of that parser; absent in records of version 0.1.0.'),
      outcome: kind,
      selection: text.nullable(),
      inline_reasoning: z
        .boolean()
        .optional()
        .describe('Reasoning in the answer was passed over; not said by parser v3.'),
    })
    .nullable(),
  error: z.strictObject({ type: text.max(120), message: text.max(1000) }).nullable(),
  budget: z.strictObject({ reserved_micros: count, actual_micros: count }).nullable(),
  /** Digest of the failed record this one replaces after an explicit retry. */
  supersedes: digest.nullable(),
  artifact_sha256: digest,
});

/** A verification holds tens of thousands of records against it. */
const compiled = z.compile(recordSchema);

export type Generation = z.infer<typeof generationSchema>;

/** One answer to one cell, immutable and content-addressed (collection 1.11, in our names). It holds no score. */
export type ResponseRecord = z.infer<typeof recordSchema>;

/** What the caller says of a record; the binding and the digests are added. */
export type RecordDraft = Omit<ResponseRecord, 'schema' | 'contract_sha256' | 'artifact_sha256' | keyof CellBinding>;

/** Which fields of a record whose shape is right contradict each other; undefined where none do. */
function contradiction({
  key,
  cell,
  contract_sha256,
  status,
  outcome,
  generation,
}: ResponseRecord): string | undefined {
  if (cellId(key) !== cell) return 'cell is not the digest of its key';
  if (contractDigest(key) !== contract_sha256) return 'contract_sha256 is not the digest of its contract';
  if ((status === 'completed') !== (outcome === 'completed')) return `status ${status} with outcome ${outcome}`;
  if (status === 'completed' && typeof generation?.answer !== 'string') return 'status completed without an answer';
  return undefined;
}

function checkedRecord(value: unknown, file: string | undefined): ResponseRecord {
  if (!z.validate(compiled, value)) checked(recordSchema, value, { file }, WRITTEN_BY_LEDGER);
  const record = value as ResponseRecord;
  const problem = contradiction(record);
  if (problem !== undefined)
    fail('SCHEMA_INVALID', { file }, `response record ${record.cell}: ${problem}`, WRITTEN_BY_LEDGER, { exit: 4 });
  return record;
}

/** Binds a draft to its cell and seals it. Errors: SCHEMA_INVALID for a draft that is no record. */
export function makeRecord(binding: CellBinding, draft: RecordDraft): ResponseRecord {
  const body = {
    ...draft,
    ...binding,
    schema: RECORD_SCHEMA,
    contract_sha256: contractDigest(binding.key),
  };
  return checkedRecord(sealed(body), undefined);
}

const HEAD = /^\{"artifact_sha256":"([0-9a-f]{64})",/;

/**
 * Reads the stored text of a record and proves its digest. The stored form is canonical, so the digest is taken over the text
 * itself without its first member: any change of any byte shows. Errors: DIGEST_MISMATCH (exit 4), SCHEMA_INVALID.
 */
export function readRecord(stored: string, file: string): ResponseRecord {
  const line = stored.endsWith('\n') ? stored.slice(0, -1) : stored;
  const found = HEAD.exec(line);
  if (!found || sha256(`{${line.slice(found[0].length)}`) !== found[1]) {
    fail(
      'DIGEST_MISMATCH',
      { file },
      'content and artifact_sha256 differ',
      'The file was changed or cut after it was written; restore it from a copy.',
      { exit: 4 },
    );
  }
  return checkedRecord(JSON.parse(line), file);
}

/** Proves the digest that a record from elsewhere states of itself. Errors: DIGEST_MISMATCH (exit 4). */
export function assertRecordDigest(row: object, place: ErrorPlace): void {
  const { artifact_sha256: stated } = row as { artifact_sha256?: unknown };
  const found = sealed(row).artifact_sha256;
  if (stated === found) return;
  const what = `artifact_sha256 is ${shown(stated)}, its content has ${found}`;
  fail('DIGEST_MISMATCH', place, what, 'The record was changed after a ledger wrote it; give it as it was.', {
    exit: 4,
  });
}

/** An answer from elsewhere, bound to a cell of ours. */
export interface ImportedCell {
  readonly binding: CellBinding;
  /** Text to parse; null for a failed answer. */
  readonly answer: string | null;
  readonly choices: readonly string[];
  readonly draft: Omit<RecordDraft, 'attempt_event_sha256s' | 'supersedes' | 'origin' | 'parse'>;
}
