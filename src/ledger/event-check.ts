import { shown } from '../util/error.js';
import { PHASES } from './cell.js';
import { isAttempt, type JournalEvent } from './event.js';

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
