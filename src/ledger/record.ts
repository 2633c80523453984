import { z } from 'zod';
import { sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { FlavourError, fail } from '../util/error.js';
import { checked, sha256Text as digest } from '../util/schema.js';
import { type CellBinding, cellId, contractDigest, type JsonValue } from './cell-key.js';

export const RECORD_SCHEMA = 'flavourbench-response/1';

const kind = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const count = z.int().nonnegative();
const text = z.string();
/** Any JSON: it was parsed from text, or the seal writes it as text. A recursive schema could not be compiled. */
const json = z.custom<JsonValue>();

/** What came back, and what it cost. Money is integer micro-USD, tokens are counts, times are milliseconds. */
const generation = z.strictObject({
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
  metadata: z.array(z.record(text, json)),
});

const key = z.strictObject({
  model_id: text.min(1),
  endpoint_execution_sha256: digest,
  protocol_sha256: digest,
  decoding: z.record(text, json),
  prompt_sha256: digest,
  phase: z.enum(['pilot', 'primary', 'repeat']),
  repeat: count,
});

const shape = z.strictObject({
  schema: z.literal(RECORD_SCHEMA),
  cell: digest,
  key,
  contract_sha256: digest,
  slot: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/),
  model_name: text,
  panel: text.min(1),
  family: text.min(1),
  task_id: text.min(1),
  original_task_id: text.nullable(),
  task_set_sha256: digest.nullable(),
  manifest_sha256: digest.nullable(),
  source: z.enum(['collected', 'simulated', 'imported', 'sealed']),
  /** For imports: label and digest of the file the answer came from. */
  origin: z.strictObject({ label: text, sha256: digest }).nullable(),
  /** False for an unpinned route: such a record can be looked at, never ranked. */
  rank_eligible: z.boolean(),
  route: z.strictObject({
    transport: text,
    requested_model: text.nullable(),
    expected_model: text.nullable(),
    expected_provider: text.nullable(),
    provider_tag: text.nullable(),
  }),
  status: z.enum(['completed', 'failed']),
  /** `completed`, or the kind of the failure: length, refusal, identity, empty, ambiguous, ... */
  outcome: kind,
  started_at: text.nullable(),
  /** Null for an import that does not say. */
  recorded_at: text.nullable(),
  wall_time_ms: count.nullable(),
  /** Journal lines of this cell since the record it supersedes, in order. */
  attempt_event_sha256s: z.array(digest),
  generation: generation.nullable(),
  /** Syntax of the answer only; no score is ever stored in a ledger. */
  parse: z.strictObject({ parser: text, outcome: kind, selection: text.nullable() }).nullable(),
  error: z.strictObject({ type: text.max(120), message: text.max(1000) }).nullable(),
  budget: z.strictObject({ reserved_micros: count, actual_micros: count }).nullable(),
  /** Digest of the failed record this one replaces after an explicit retry. */
  supersedes: digest.nullable(),
  artifact_sha256: digest,
});

/** A verification holds tens of thousands of records against it. */
const compiled = z.compile(shape);

export type Generation = z.infer<typeof generation>;

/** One answer to one cell, immutable and content-addressed (collection 1.11, in our names). It holds no score. */
export type ResponseRecord = z.infer<typeof shape>;

/** What the caller says of a record; the binding and the digests are added. */
export type RecordDraft = Omit<ResponseRecord, 'schema' | 'contract_sha256' | 'artifact_sha256' | keyof CellBinding>;

function checkedRecord(value: unknown, file: string | undefined): ResponseRecord {
  if (!z.validate(compiled, value)) {
    checked(shape, value, { file }, 'A record is written by the ledger and never edited.');
  }
  const record = value as ResponseRecord;
  const problem =
    cellId(record.key) !== record.cell
      ? 'cell is not the digest of its key'
      : contractDigest(record.key) !== record.contract_sha256
        ? 'contract_sha256 is not the digest of its contract'
        : record.status === 'completed' && record.outcome !== 'completed'
          ? `status completed with outcome ${record.outcome}`
          : record.status === 'failed' && record.outcome === 'completed'
            ? 'status failed with outcome completed'
            : record.status === 'completed' && typeof record.generation?.answer !== 'string'
              ? 'status completed without an answer'
              : undefined;
  if (problem !== undefined) {
    throw new FlavourError('SCHEMA_INVALID', `response record ${record.cell}: ${problem}`, {
      where: file === undefined ? {} : { file },
      exit: 4,
    });
  }
  return record;
}

/** Binds a draft to its cell and seals it. */
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
 * itself without its first member: any change of any byte shows.
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

/** An answer from elsewhere, bound to a cell of ours. */
export interface ImportedCell {
  readonly binding: CellBinding;
  /** Text to parse; null for a failed answer. */
  readonly answer: string | null;
  readonly choices: readonly string[];
  readonly draft: Omit<RecordDraft, 'attempt_event_sha256s' | 'supersedes' | 'origin' | 'parse'>;
}
