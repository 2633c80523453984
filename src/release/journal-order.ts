import type { JournalEvent } from '../ledger/journal-event.js';
import { JOURNAL_SCHEMA } from '../ledger/journal-event.js';
import type { CellState, LedgerState } from '../ledger/journal-state.js';

/** What a journal says at a line that no ledger says there. */
export interface JournalFault {
  readonly line: number;
  readonly expected: string;
  readonly found: string;
}

type Fault = Omit<JournalFault, 'line'>;

/**
 * Holds an event against what a ledger writes after the lines before it (collection 1.12): the journal is begun once; a record is replaced only
 * after it failed and a retry of it was asked for; a block is put aside whole. Undefined where it fits. `state` is that before the event; in a journal that was `joined` of several, a block that one of them put aside is part of it.
 */
export function eventFault(state: LedgerState, event: JournalEvent, line: number, joined: boolean): Fault | undefined {
  if (event.type === 'ledger_created') return beginning(event.schema, line);
  if (line === 1) return { expected: `a journal that begins with ${JOURNAL_SCHEMA}`, found: event.type };
  if (event.type === 'retry_requested') return retryFault(state.cells.get(event.cell), event.supersedes);
  if (event.type === 'record_written') {
    const cell = state.cells.get(event.cell);
    if (event.supersedes === null || cell?.head === undefined || cell.retry !== undefined) return undefined;
    return { expected: 'a record to be replaced after a retry of it was asked for', found: 'no such line before it' };
  }
  if (event.type === 'block_quarantined') return quarantineFault(state, event, joined);
  return undefined;
}

function beginning(schema: string, line: number): Fault | undefined {
  const found = `${schema} in line ${line}`;
  const expected = `${JOURNAL_SCHEMA} in line 1`;
  return found === expected ? undefined : { expected, found };
}

function retryFault(cell: CellState | undefined, supersedes: string): Fault | undefined {
  if (cell?.head?.record_sha256 !== supersedes)
    return { expected: `a retry of the record in force, ${cell?.head?.record_sha256 ?? 'none'}`, found: supersedes };
  return cell.head.status === 'failed'
    ? undefined
    : { expected: 'a retry of a failed answer', found: 'of a completed one: an answer is not drawn again' };
}

function quarantineFault(
  state: LedgerState,
  event: JournalEvent & { type: 'block_quarantined' },
  joined: boolean,
): Fault | undefined {
  const held = [...state.cells.values()].flatMap(({ head, superseded }) =>
    head?.slot === event.slot && event.phases.includes(head.phase)
      ? [...superseded, head].map(({ record_sha256 }) => record_sha256)
      : [],
  );
  const own = new Set(event.records);
  const put = joined ? held.filter((sha256) => own.has(sha256)) : held;
  return put.sort().join() === event.records.join()
    ? undefined
    : { expected: `the ${held.length} records of its block, all of them`, found: `${event.records.length} records` };
}

/** Says where a request follows a record in force of which no retry was asked for; undefined where it may be sent. */
export function requestFault(cell: CellState | undefined): Fault | undefined {
  return cell?.head === undefined || cell.retry !== undefined
    ? undefined
    : { expected: 'no request after the record in force, of which no retry was asked for', found: 'a line about one' };
}
