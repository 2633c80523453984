import { canonicalJson } from '../io/canonical.js';
import { type ErrorPlace, fail } from '../util/error.js';
import type { Phase } from './cell-key.js';
import {
  type AttemptEvent,
  CERTAIN_REJECTION,
  isAttempt,
  type JournalEvent,
  parseEvent,
  type RecordEntry,
  type ScheduleCount,
  type ShardDeclaration,
} from './journal-event.js';
import { type AttemptPeek, peekAttempt } from './journal-line.js';
import type { JournalLine } from './journal-scan.js';

/** What the ledger knows of one cell. */
export interface CellState {
  readonly cell: string;
  /** The record in force; undefined where there is none. */
  head: RecordEntry | undefined;
  /** Records replaced after a retry, oldest first. */
  readonly superseded: RecordEntry[];
  /**
   * Of the requests since `head`: none; certainly taken by nobody, so it may be asked again; or perhaps accepted, so it is
   * sealed and never re-sent.
   */
  attempt: 'none' | 'rejected' | 'maybe_accepted';
  /** Digests of the journal lines since `head`. */
  events: string[];
  /** Canonical text of the last `request_started` since `head`; see `startOf`. */
  start: string | undefined;
  /** Micro-USD the journal knows to be charged since `head`. */
  cost_micros: number | undefined;
  /** Digest of the retry list that asks for this cell again. */
  retry: string | undefined;
  /** Lists whose retry of this cell is done. */
  readonly retried: string[];
}

/** How many cells a model has in a stratum of a phase, as the last plan said. */
export type Scheduled = ScheduleCount & { readonly phase: Phase };

/** Sums over every record ever written, superseded and quarantined ones included: what was paid stays paid. */
export interface Totals {
  records: number;
  cost_micros: number;
  /** Reservations of ambiguous requests, whose cost nobody knows. */
  uncertain_micros: number;
  tokens: number;
}

/** Everything the journal says, line after line put together. */
export interface LedgerState {
  readonly cells: Map<string, CellState>;
  /** Contract in force per `phase/slot/panel`. */
  readonly contracts: Map<string, string>;
  readonly schedule: Map<string, Scheduled>;
  readonly quarantined: RecordEntry[];
  /** Blocks put aside: the commitment's digest and the records it covers. */
  readonly quarantines: {
    readonly commitment_sha256: string;
    readonly records: readonly string[];
  }[];
  readonly inspections: Set<string>;
  /** Sums over every record, and over what a salvage found to be paid for besides. */
  readonly totals: Totals;
  /** Of the totals: what a salvage found; and the lines that records cite and that it did not find. */
  readonly salvaged: { cost_micros: number; uncertain_micros: number; readonly lostEvents: Set<string> };
  /** Shares of a plan that were collected into it, the last declaration of each, by number; none in a ledger of a whole plan. */
  readonly shards: Map<number, ShardDeclaration>;
  /** How often ledgers were joined into it. */
  merges: number;
  takeovers: number;
  repairs: number;
  /** Time of the last line; empty before the first. */
  latest: string;
}

/** Makes the state before the first line. */
export function emptyState(): LedgerState {
  return {
    cells: new Map(),
    contracts: new Map(),
    schedule: new Map(),
    quarantined: [],
    quarantines: [],
    inspections: new Set(),
    totals: { records: 0, cost_micros: 0, uncertain_micros: 0, tokens: 0 },
    salvaged: { cost_micros: 0, uncertain_micros: 0, lostEvents: new Set() },
    shards: new Map(),
    merges: 0,
    takeovers: 0,
    repairs: 0,
    latest: '',
  };
}

/** Names the block of a record: the records of a model in a phase and panel, which share one contract. */
export function blockName(entry: { phase: Phase; slot: string; panel: string }): string {
  return `${entry.phase}/${entry.slot}/${entry.panel}`;
}

/** Names a row of the schedule: phase, model, panel and family. */
export function scheduleName(row: Omit<Scheduled, 'cells'>): string {
  return JSON.stringify([row.phase, row.model_id, row.panel, row.family]);
}

function cellState(state: LedgerState, cell: string): CellState {
  let found = state.cells.get(cell);
  if (found === undefined) {
    found = {
      cell,
      head: undefined,
      superseded: [],
      attempt: 'none',
      events: [],
      start: undefined,
      cost_micros: undefined,
      retry: undefined,
      retried: [],
    };
    state.cells.set(cell, found);
  }
  return found;
}

/** Says why a record cannot be the next one of its cell; undefined when it can. */
export function recordProblem(state: LedgerState, entry: RecordEntry): string | undefined {
  const head = state.cells.get(entry.cell)?.head;
  if ((entry.supersedes ?? undefined) !== head?.record_sha256)
    return head === undefined
      ? `it supersedes ${entry.supersedes}, which this ledger does not hold`
      : `record ${head.record_sha256} is already in force`;
  const contract = state.contracts.get(blockName(entry));
  if (contract !== undefined && contract !== entry.contract_sha256)
    return `block ${blockName(entry)} was collected under contract ${contract}, this record under ${entry.contract_sha256}`;
  return undefined;
}

function applyRecord(state: LedgerState, entry: RecordEntry, place: ErrorPlace | null): void {
  const problem = recordProblem(state, entry);
  if (problem !== undefined) {
    fail(
      'LEDGER_CONFLICT',
      place,
      `cell ${entry.cell}: ${problem}`,
      'Two records of one cell are never chosen between; quarantine the block or start a new ledger.',
      { exit: 4 },
    );
  }
  const cell = cellState(state, entry.cell);
  if (cell.head) cell.superseded.push(cell.head);
  if (cell.retry !== undefined) cell.retried.push(cell.retry);
  cell.head = entry;
  cell.attempt = 'none';
  cell.events = [];
  cell.start = undefined;
  cell.cost_micros = undefined;
  cell.retry = undefined;
  state.contracts.set(blockName(entry), entry.contract_sha256);
  state.totals.records += 1;
  state.totals.cost_micros += entry.cost_micros;
  state.totals.uncertain_micros += entry.uncertain_micros;
  state.totals.tokens += entry.tokens;
  assertCounted(state.totals, place);
}

/** Errors: LEDGER_DAMAGED (exit 4) where sums are past what can be counted: no ledger of ours gets there, and from there on they would be wrong. */
function assertCounted(totals: Totals, place: ErrorPlace | null): void {
  for (const [name, sum] of Object.entries(totals))
    if (!Number.isSafeInteger(sum))
      fail(
        'LEDGER_DAMAGED',
        place,
        `${name} adds up to more than ${Number.MAX_SAFE_INTEGER}`,
        'Nothing that was paid comes to that; restore the journal from a copy.',
        { exit: 4 },
      );
}

/** Reads the `request_started` event that no record of the cell answers yet; undefined where there is none. */
export function startOf(cell: CellState): (AttemptEvent & { readonly at: string }) | undefined {
  return cell.start === undefined ? undefined : JSON.parse(cell.start);
}

function applyAttempt(
  state: LedgerState,
  { cell: id, type, cost_micros }: Omit<AttemptPeek, 'at'>,
  text: string,
  sha256: string,
): void {
  const cell = cellState(state, id);
  cell.events.push(sha256);
  if (type === 'request_started') cell.start = text;
  if (cost_micros !== undefined) cell.cost_micros = cost_micros;
  if (type === 'retry_scheduled') return;
  cell.attempt = CERTAIN_REJECTION.has(type) ? 'rejected' : 'maybe_accepted';
}

function applyQuarantine(state: LedgerState, event: JournalEvent & { type: 'block_quarantined' }): void {
  const gone = new Set(event.records);
  for (const cell of state.cells.values()) {
    if (cell.head === undefined || !gone.has(cell.head.record_sha256)) continue;
    state.quarantined.push(...cell.superseded, cell.head);
    state.contracts.delete(blockName(cell.head));
    cell.superseded.length = 0;
    cell.head = undefined;
    cell.retry = undefined;
    cell.attempt = 'none';
    cell.events = [];
    cell.start = undefined;
    cell.cost_micros = undefined;
  }
  state.quarantines.push({ commitment_sha256: event.commitment_sha256, records: event.records });
}

function applySalvage(state: LedgerState, event: JournalEvent & { type: 'salvaged' }, place: ErrorPlace | null): void {
  for (const name of ['cost_micros', 'uncertain_micros'] as const) {
    state.totals[name] += event[name];
    state.salvaged[name] += event[name];
  }
  state.totals.tokens += event.tokens;
  assertCounted(state.totals, place);
  for (const sha256 of event.lost_events) state.salvaged.lostEvents.add(sha256);
}

/**
 * Adds one journal event to the state. `place` is the journal line it was read from; null for one that is being written. Errors:
 * LEDGER_CONFLICT (exit 4) for a second record of a cell, or a record of another contract than its block.
 */
export function applyEvent(
  state: LedgerState,
  event: JournalEvent,
  sha256: string,
  place: ErrorPlace | null = null,
): void {
  state.latest = event.at;
  if (isAttempt(event)) {
    const { cell, type, cost_micros } = event;
    const text = type === 'request_started' ? canonicalJson(event) : '';
    applyAttempt(state, { cell, type, cost_micros }, text, sha256);
  } else if (event.type === 'record_written') applyRecord(state, event, place);
  else if (event.type === 'retry_requested') cellState(state, event.cell).retry = event.list_sha256;
  else if (event.type === 'block_quarantined') applyQuarantine(state, event);
  else if (event.type === 'schedule_declared')
    for (const count of event.counts) {
      const row = { ...count, phase: event.phase };
      state.schedule.set(scheduleName(row), row);
    }
  else if (event.type === 'scores_inspected') state.inspections.add(event.stamp_sha256);
  else if (event.type === 'salvaged') applySalvage(state, event, place);
  else if (event.type === 'shard_declared') {
    const { at: _, type: __, ...shard } = event;
    state.shards.set(shard.index, shard);
  } else if (event.type === 'merged') state.merges += 1;
  else if (event.type === 'lock_taken_over') state.takeovers += 1;
  else if (event.type === 'tail_repaired') state.repairs += 1;
}

/**
 * Adds one proved journal line to the state; returns its event unless it is about a request. `before` hears of such an event while the state is
 * that of the lines before it. Errors: LEDGER_DAMAGED for an event that something else wrote; LEDGER_CONFLICT as `applyEvent`.
 */
export function applyLine(
  state: LedgerState,
  { text, eventSha256, line }: JournalLine,
  file: string,
  before?: (event: JournalEvent) => void,
): JournalEvent | undefined {
  const peek = peekAttempt(text);
  if (peek) {
    state.latest = peek.at;
    applyAttempt(state, peek, text, eventSha256);
    return undefined;
  }
  const place = { file, line };
  const event = parseEvent(text, place);
  before?.(event);
  applyEvent(state, event, eventSha256, place);
  return event;
}
