import {
  type AttemptEvent,
  CERTAIN_REJECTION,
  entryOf,
  isAttempt,
  type JournalEvent,
  type RecordEntry,
} from './journal-event.js';
import { applyEvent, emptyState, type LedgerState, recordProblem } from './journal-state.js';
import type { ResponseRecord } from './record.js';

/** What was paid for a request, micro-USD, as far as the journal tells. */
interface Attempt {
  readonly cell: string;
  started: boolean;
  reserved: number;
  cost: number | undefined;
  rejected: boolean;
}

interface Chosen {
  /** The events that one ledger can hold, in order. */
  readonly events: JournalEvent[];
  /** Events that contradict those. */
  readonly dropped: number;
  /** Digests of lines that records in force cite and that are not among the events. */
  readonly lostEvents: readonly string[];
  /** Records that contradict a record in force. */
  readonly unplaced: { readonly record: ResponseRecord; readonly why: string }[];
  /** Records that a line speaks of and that no file proves. */
  readonly lost: RecordEntry[];
  readonly cost_micros: number;
  readonly uncertain_micros: number;
  readonly tokens: number;
}

/** Adds an event to what is known of its request. */
function follow(attempts: Map<string, Attempt>, event: AttemptEvent): Attempt {
  let attempt = attempts.get(event.attempt_id);
  if (!attempt) {
    attempt = { cell: event.cell, started: false, reserved: 0, cost: undefined, rejected: false };
    attempts.set(event.attempt_id, attempt);
  }
  if (event.type === 'request_started') {
    attempt.started = true;
    attempt.reserved = event.reserved_micros ?? 0;
  }
  if (event.cost_micros !== undefined) attempt.cost = event.cost_micros;
  attempt.rejected = CERTAIN_REJECTION.has(event.type);
  return attempt;
}

/**
 * Of the records that were written first in a cell, the one to keep: the first that is completed, else the first. What an answer is worth is
 * never looked at. Cells of a block that was put aside keep the order of the journal.
 */
function firstsOf(
  events: readonly { readonly event: JournalEvent }[],
  records: ReadonlyMap<string, ResponseRecord>,
): ReadonlyMap<string, string> {
  const aside = new Set(events.flatMap(({ event }) => (event.type === 'block_quarantined' ? event.records : [])));
  const firsts = new Map<string, RecordEntry>();
  for (const { event } of events) {
    if (event.type !== 'record_written' || event.supersedes !== null) continue;
    if (!records.has(event.record_sha256) || aside.has(event.record_sha256)) continue;
    const found = firsts.get(event.cell);
    if (!found || (found.status === 'failed' && event.status === 'completed')) firsts.set(event.cell, event);
  }
  return new Map([...firsts].map(([cell, entry]) => [cell, entry.record_sha256]));
}

/**
 * Puts events of several writers into one history that a ledger can hold. What contradicts it is left out, and what was paid for that
 * is added up: requests that no record in force answers, at their cost or, where nobody knows it, at their reservation.
 */
export function chooseEvents(options: {
  readonly events: readonly { readonly event: JournalEvent; readonly sha256: string }[];
  /** Records that prove, by digest, wherever they lie. */
  readonly records: ReadonlyMap<string, ResponseRecord>;
}): Chosen {
  const { events, records } = options;
  const state: LedgerState = emptyState();
  const chosen: Omit<Chosen, 'dropped' | 'lostEvents'> = {
    events: [],
    unplaced: [],
    lost: [],
    cost_micros: 0,
    uncertain_micros: 0,
    tokens: 0,
  };
  const attempts = new Map<string, Attempt>();
  const attemptOf = new Map<string, string>();
  const placed = new Set<string>();
  const kept = new Set<string>();
  const refused = new Map<string, string>();
  const firsts = firstsOf(events, records);
  let dropped = 0;
  const keep = (event: JournalEvent, sha256: string): void => {
    applyEvent(state, event, sha256);
    chosen.events.push(event);
    kept.add(sha256);
  };
  const whyNot = (entry: RecordEntry): string | undefined => {
    const cell = state.cells.get(entry.cell);
    const first = firsts.get(entry.cell);
    if (entry.supersedes === null && first !== undefined && first !== entry.record_sha256)
      return `record ${first} is kept`;
    return (
      recordProblem(state, entry) ?? (cell?.head && cell.retry === undefined ? 'no retry was asked for' : undefined)
    );
  };
  for (const { event, sha256 } of events) {
    if (isAttempt(event)) {
      const { started } = follow(attempts, event);
      attemptOf.set(sha256, event.attempt_id);
      const cell = state.cells.get(event.cell);
      // Without its start nobody could seal a request; beside a record in force it would be taken for a retry.
      if (!started || (cell?.head && cell.retry === undefined)) dropped += 1;
      else keep(event, sha256);
    } else if (event.type === 'record_written') {
      const { record_sha256: digest } = event;
      if (placed.has(digest)) continue;
      const why = whyNot(event);
      if (!records.has(digest)) chosen.lost.push(event);
      else if (why !== undefined) refused.set(digest, why);
      else {
        keep(event, sha256);
        placed.add(digest);
        continue;
      }
      dropped += 1;
    } else if (
      event.type === 'retry_requested' &&
      state.cells.get(event.cell)?.head?.record_sha256 !== event.supersedes
    ) {
      dropped += 1;
    } else if (event.type !== 'ledger_created') keep(event, sha256);
  }
  // Records without a line: the writer was stopped between the two, or the line is lost.
  for (const [digest, record] of records) {
    if (placed.has(digest)) continue;
    const entry = entryOf(record);
    const why = refused.get(digest) ?? whyNot(entry);
    if (why !== undefined) {
      chosen.unplaced.push({ record, why });
      continue;
    }
    keep({ type: 'record_written', ...entry, at: record.recorded_at ?? '' }, digest);
    placed.add(digest);
  }
  const cited = [...placed].flatMap((digest) => records.get(digest)!.attempt_event_sha256s);
  const lostEvents = [...new Set(cited)].filter((sha256) => !kept.has(sha256)).sort();
  return {
    ...chosen,
    dropped,
    lostEvents,
    ...unanswered({ state, records, placed, attempts, attemptOf, unplaced: chosen.unplaced }),
  };
}

/** Adds up what was paid for requests that no placed record answers and that no later sealing will book. */
function unanswered(options: {
  readonly state: LedgerState;
  readonly records: ReadonlyMap<string, ResponseRecord>;
  readonly placed: ReadonlySet<string>;
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly attemptOf: ReadonlyMap<string, string>;
  readonly unplaced: Chosen['unplaced'];
}): Pick<Chosen, 'cost_micros' | 'uncertain_micros' | 'tokens'> {
  const { state, records, placed, attempts, attemptOf, unplaced } = options;
  const sum = { cost_micros: 0, uncertain_micros: 0, tokens: 0 };
  const answered = new Set<string>();
  const attemptsOf = (record: ResponseRecord): string[] =>
    record.attempt_event_sha256s.flatMap((sha256) => attemptOf.get(sha256) ?? []);
  for (const digest of placed) for (const id of attemptsOf(records.get(digest)!)) answered.add(id);
  for (const { record } of unplaced) {
    const ids = attemptsOf(record);
    if (ids.some((id) => answered.has(id))) continue;
    const entry = entryOf(record);
    for (const name of ['cost_micros', 'uncertain_micros', 'tokens'] as const) sum[name] += entry[name];
    for (const id of ids) answered.add(id);
  }
  /** The request of an open cell that sealing will book: its last. */
  const open = new Map<string, string>();
  for (const [id, { cell, rejected }] of attempts)
    if (!rejected && state.cells.get(cell)?.attempt === 'maybe_accepted') open.set(cell, id);
  for (const [id, { cell, cost, reserved, rejected }] of attempts) {
    if (answered.has(id) || rejected || open.get(cell) === id) continue;
    if (cost !== undefined) sum.cost_micros += cost;
    else sum.uncertain_micros += reserved;
  }
  return sum;
}
