import { shown } from '../util/error.js';
import { type CellBinding, type JsonValue, PHASES, type Phase } from './cell-key.js';
import type { ResponseRecord } from './record.js';

export const JOURNAL_SCHEMA = 'flavourbench-journal/1';

/**
 * What happened to one request (collection 1.9). `request_rejected`, `pre_send_failure` and `transient_envelope` are certain: the
 * provider took nothing, the cell may be asked again. Everything else after a start means it may have been accepted.
 */
export type AttemptType =
  | 'request_started'
  | 'response_received'
  | 'request_rejected'
  | 'invalid_response'
  | 'pre_send_failure'
  | 'uncertain_delivery'
  | 'transient_envelope'
  | 'retry_scheduled'
  | 'accounting_reconciled';

/** A journal entry about a request. No prompt, no answer, no credential ever enters it. */
export interface AttemptEvent {
  readonly type: AttemptType;
  readonly cell: string;
  /** Unique per request sent. */
  readonly attempt_id: string;
  /** 0-based within the cell and session. */
  readonly attempt_index: number;
  /** With `request_started`: enough to seal the cell later without the plan. */
  readonly binding?: CellBinding;
  readonly model_name?: string;
  readonly route?: ResponseRecord['route'];
  readonly rank_eligible?: boolean;
  /** With `request_started`: micro-USD set aside for this request. */
  readonly reserved_micros?: number;
  /** Micro-USD known to be charged, once known. */
  readonly cost_micros?: number;
  readonly http_status?: number | null;
  readonly generation_id?: string | null;
  readonly error_type?: string | null;
  readonly payload_sha256?: string | null;
  readonly metadata?: { readonly [name: string]: JsonValue };
}

/** What the journal says of a record, so that resume and status need not open 34,560 files. */
export interface RecordEntry {
  readonly cell: string;
  readonly record_sha256: string;
  readonly supersedes: string | null;
  readonly slot: string;
  readonly model_id: string;
  readonly contract_sha256: string;
  readonly phase: Phase;
  readonly panel: string;
  readonly family: string;
  readonly task_id: string;
  readonly repeat: number;
  readonly status: 'completed' | 'failed';
  readonly outcome: string;
  /** Parse outcome; null where nothing was parsed. */
  readonly parse: string | null;
  readonly source: ResponseRecord['source'];
  readonly rank_eligible: boolean;
  readonly cost_micros: number;
  /** Set aside for an ambiguous request whose cost nobody knows; 0 otherwise. */
  readonly uncertain_micros: number;
  readonly tokens: number;
}

export interface ScheduleCount {
  readonly model_id: string;
  readonly panel: string;
  readonly family: string;
  readonly cells: number;
}

/** The ledger's own entries. */
export type BookEvent =
  | { readonly type: 'ledger_created'; readonly schema: string }
  | ({ readonly type: 'record_written' } & RecordEntry)
  | {
      readonly type: 'retry_requested';
      readonly cell: string;
      readonly supersedes: string;
      readonly list_sha256: string;
    }
  | {
      readonly type: 'block_quarantined';
      readonly commitment_sha256: string;
      readonly slot: string;
      readonly phases: readonly Phase[];
      readonly records: readonly string[];
    }
  | {
      readonly type: 'schedule_declared';
      readonly manifest_sha256: string;
      readonly phase: Phase;
      readonly counts: readonly ScheduleCount[];
    }
  | { readonly type: 'scores_inspected'; readonly stamp_sha256: string }
  | { readonly type: 'lock_taken_over'; readonly previous: { readonly [k: string]: JsonValue } }
  | { readonly type: 'tail_repaired'; readonly kept_sha256: string; readonly bytes: number }
  | { readonly type: 'merged'; readonly sources: readonly { readonly head: string }[] };

export type JournalEvent = (AttemptEvent | BookEvent) & { readonly at: string };

export const CERTAIN_REJECTION: ReadonlySet<string> = new Set([
  'request_rejected',
  'pre_send_failure',
  'transient_envelope',
]);

const ATTEMPT_TYPES: ReadonlySet<string> = new Set<AttemptType>([
  'request_started',
  'response_received',
  'request_rejected',
  'invalid_response',
  'pre_send_failure',
  'uncertain_delivery',
  'transient_envelope',
  'retry_scheduled',
  'accounting_reconciled',
]);

export function isAttemptType(type: string): type is AttemptType {
  return ATTEMPT_TYPES.has(type);
}

export function isAttempt(event: AttemptEvent | BookEvent): event is AttemptEvent & { readonly at: string } {
  return ATTEMPT_TYPES.has(event.type);
}

const DIGEST = /^[0-9a-f]{64}$/;

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const digest: Check = (value) => typeof value === 'string' && DIGEST.test(value);
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const phase: Check = (value) => PHASES.includes(value as never);
const either =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const SCHEDULED: Readonly<Record<string, Check>> = {
  model_id: text,
  panel: text,
  family: text,
  cells: count,
};

const SHAPES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  ledger_created: { schema: text },
  record_written: {
    cell: digest,
    record_sha256: digest,
    supersedes: orNull(digest),
    slot: text,
    model_id: text,
    contract_sha256: digest,
    phase,
    panel: text,
    family: text,
    task_id: text,
    repeat: count,
    status: either('completed', 'failed'),
    outcome: text,
    parse: orNull(text),
    source: text,
    rank_eligible: either(true, false),
    cost_micros: count,
    uncertain_micros: count,
    tokens: count,
  },
  retry_requested: { cell: digest, supersedes: digest, list_sha256: text },
  block_quarantined: { commitment_sha256: digest, slot: text, records: listOf(digest) },
  schedule_declared: {
    phase,
    counts: listOf((row) => problemIn(row, SCHEDULED) === undefined),
  },
  scores_inspected: { stamp_sha256: digest },
  lock_taken_over: {},
  tail_repaired: { bytes: count },
  merged: {},
};

function problemIn(value: unknown, shape: Readonly<Record<string, Check>>): readonly [string, unknown] | undefined {
  if (typeof value !== 'object' || value === null) return ['', value];
  for (const name in shape) {
    const found = (value as Record<string, unknown>)[name];
    if (!shape[name]!(found)) return [name, found];
  }
  return undefined;
}

/** What is wrong with the shape of an event whose digest holds: it was written by something else, or by a newer version. */
export function eventProblem(event: JournalEvent): string | undefined {
  if (!text(event?.type)) return `has an event without a type: ${shown(event)}`;
  const shape = isAttempt(event) ? { cell: digest } : SHAPES[event.type];
  if (!shape) return `has an event of unknown type ${shown(event.type)}`;
  const problem = problemIn(event, shape);
  return problem && `has a ${event.type} whose ${problem[0]} is ${shown(problem[1])}`;
}
