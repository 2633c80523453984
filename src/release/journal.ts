import { latin1Text, utf8Text } from '#platform';
import { isCanonical } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { byteLines } from '../io/utf8.js';
import { JOURNAL_SCHEMA, type RecordEntry } from '../ledger/journal-event.js';
import { applyLine, emptyState, type LedgerState } from '../ledger/journal-state.js';
import { fail } from '../util/error.js';
import { eventFault, type JournalFault, requestFault } from './journal-order.js';

const START = '{"chain":"';
const EVENT = '","event":';
const EVENT_DIGEST = ',"event_sha256":"';
const HEAD = START.length + 64 + EVENT.length;
const END = '"}';
const FOOT = EVENT_DIGEST.length + 64 + END.length;
const NOTHING = 'null';
const HEAD_DIGITS = 64;

const NEVER_EDITED = 'A journal is never edited.';

/** What a journal says of a record that it has. */
export interface WrittenRecord {
  /** The line that says it. */
  readonly at: JournalLineAt;
  /** Lines about requests of its cell before it, since the record before, in order. */
  readonly attempts: readonly JournalLineAt[];
}

/** Where the event of a line stands in the bytes of a journal. */
export interface JournalLineAt {
  readonly sha256: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** The record in force of a cell. */
export interface RecordInForce {
  readonly model: string;
  readonly task: string;
  readonly phase: RecordEntry['phase'];
  readonly repeat: number;
  readonly contract: string;
  readonly panel: string;
  readonly family: string;
  readonly source: RecordEntry['source'];
}

/** A cell whose last requests no record answers. */
export interface UnansweredCell {
  readonly cell: string;
  readonly attempts: readonly JournalLineAt[];
}

/** What a journal had come to after each of its lines, in columns: tens of thousands of lines go from thread to thread. */
interface JournalHistory {
  /** Heads of the chain, 64 digits each, one after the other. */
  readonly heads: string;
  /** Looks at scores, and records in the folder, by then. */
  readonly looks: Int32Array;
  readonly records: Int32Array;
}

/** Finds how many looks at scores and how many records there were where a journal had a head; undefined where it never had it. */
export function standingAt({ heads, looks, records }: JournalHistory, head: string) {
  if (head.length !== HEAD_DIGITS) return undefined;
  for (let at = heads.indexOf(head); at >= 0; at = heads.indexOf(head, at + 1)) {
    const line = at / HEAD_DIGITS;
    if (Number.isInteger(line)) return { looks: looks[line]!, records: records[line]! };
  }
  return undefined;
}

/** What a proved journal says. */
export interface ReleasedJournal {
  readonly lines: number;
  /** Head of the chain. */
  readonly head: string;
  /** Lines whose event was left out. */
  readonly withheld: number;
  /** First line whose time is before that of the line above it, where there are more such lines than a merge brings; null where there are not. */
  readonly disordered: number | null;
  readonly history: JournalHistory;
  /** When scores were looked at first; null where it tells of no look. */
  readonly firstLook: string | null;
  /** Records that it says were written, by digest. */
  readonly records: ReadonlyMap<string, WrittenRecord>;
  readonly inForce: readonly RecordInForce[];
  /** What its lines say that no ledger says there, at most a hundred. */
  readonly faults: readonly JournalFault[];
  /** Whether it was joined of several, or put together again from a damaged one: then lines may stand beside each other that no one writer wrote. */
  readonly joined: boolean;
  /** Lines that records cite and that a salvage did not find. */
  readonly lost: ReadonlySet<string>;
  readonly unanswered: readonly UnansweredCell[];
  /** Cells that plans declared, by the name of their row (`scheduleName`). */
  readonly schedule: ReadonlyMap<string, number>;
}

/** A proved journal with all its lines put together, as the ledger itself does: too much to hand from thread to thread. */
interface FoldedJournal extends ReleasedJournal {
  readonly state: LedgerState;
}

/** Copies the whole lines of a ledger's journal, as a release carries them. */
export function releasedJournal(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Lists the lines of a journal that name the host which held a lock, as version 0.1.0 wrote them. */
export function linesWithHosts(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      /"host":.*"type":"lock_taken_over"\},"event_sha256":"[0-9a-f]{64}"\}$/.test(line) ? [i + 1] : [],
    );
}

/** Where a line of a journal has its parts; null where it is none. */
function partsOf(line: Uint8Array): { chain: string; event: Uint8Array; digest: string } | null {
  const end = line.length - FOOT;
  const holds = (text: string, at: number) => latin1Text(line, at, at + text.length) === text;
  const isLine =
    end >= HEAD &&
    holds(START, 0) &&
    holds(EVENT, HEAD - EVENT.length) &&
    holds(EVENT_DIGEST, end) &&
    holds(END, line.length - END.length);
  if (!isLine) return null;
  const digest = end + EVENT_DIGEST.length;
  return {
    chain: latin1Text(line, START.length, START.length + 64),
    event: line.subarray(HEAD, end),
    digest: latin1Text(line, digest, digest + 64),
  };
}

/**
 * Proves every line of a released journal against its digest and the chain, and folds them as the ledger does: two records of one cell, or an
 * event that no ledger writes, are errors. Errors: VERIFY_FAILED, LEDGER_DAMAGED and LEDGER_CONFLICT (exit 4) with the line.
 */
export function proveJournal(bytes: Uint8Array, file: string): FoldedJournal {
  const state = emptyState();
  const heads: string[] = [];
  const looksBy: number[] = [];
  const recordsBy: number[] = [];
  const records = new Map<string, WrittenRecord>();
  let lines = 0;
  let head = sha256(JOURNAL_SCHEMA);
  let withheld = 0;
  let firstLook: string | null = null;
  let descents = 0;
  let merged = 0;
  let firstDescent: number | null = null;
  let salvages = 0;
  let turns = 0;
  const faults: JournalFault[] = [];
  const requests = new Map<string, JournalLineAt>();
  const placeOf = (event: Uint8Array, digest: string): JournalLineAt => {
    const from = event.byteOffset - bytes.byteOffset;
    return { sha256: digest, line: lines, from, to: from + event.length };
  };
  const hear = (fault: Omit<JournalFault, 'line'> | undefined): void => {
    if (fault !== undefined && faults.length < MOST_FAULTS) faults.push({ line: lines, ...fault });
  };
  for (const line of byteLines(bytes)) {
    lines += 1;
    const place = { file, line: lines };
    const parts = partsOf(line);
    if (!parts) fail('VERIFY_FAILED', place, 'is not a journal line', NEVER_EDITED, { exit: 4 });
    const { chain, event, digest } = parts;
    const text = utf8Text(event);
    if (text !== NOTHING && sha256(event) !== digest)
      fail('VERIFY_FAILED', place, 'differs from its digest', NEVER_EDITED, { exit: 4 });
    head = sha256(`${head}${digest}`);
    if (chain !== head)
      fail(
        'VERIFY_FAILED',
        place,
        'does not follow from the line before it: one was dropped, added or moved',
        NEVER_EDITED,
        { exit: 4 },
      );
    if (text === NOTHING) withheld += 1;
    else {
      const { latest } = state;
      const known = state.cells.get(CELL.exec(text)?.[1] ?? '');
      const before = known?.events ?? [];
      const barred = merged > 0 ? undefined : requestFault(known);
      const read = applyLine(state, { text, eventSha256: digest, line: lines }, file, (event) =>
        hear(eventFault(state, event, lines, merged > 0)),
      );
      if (state.latest < latest) {
        descents += 1;
        firstDescent ??= lines;
      }
      if (read !== undefined && !isCanonical(read, text))
        fail('VERIFY_FAILED', place, 'is not in canonical form', NEVER_EDITED, { exit: 4 });
      if (read?.type === 'record_written')
        records.set(read.record_sha256, {
          at: placeOf(event, digest),
          attempts: before.map((own) => requests.get(own)!),
        });
      else if (read?.type === 'scores_inspected') firstLook ??= read.at;
      else if (read?.type === 'merged') merged += read.sources.length;
      else if (read?.type === 'salvaged') salvages += 1;
      // Joined shards take turns from one block that is put aside to the next.
      else if (read?.type === 'block_quarantined' && merged > 0) turns += 1;
      else if (read === undefined) {
        hear(lines === 1 ? { expected: `a journal that begins with ${JOURNAL_SCHEMA}`, found: 'a request' } : barred);
        requests.set(digest, placeOf(event, digest));
      }
    }
    heads.push(head);
    looksBy.push(state.inspections.size);
    recordsBy.push(state.totals.records - state.quarantined.length);
  }
  if (bytes.length > 0 && bytes.at(-1) !== 10)
    fail('VERIFY_FAILED', { file, line: lines + 1 }, 'is cut off', NEVER_EDITED, { exit: 4 });
  return {
    ...{ lines, head, withheld, firstLook, records, faults },
    history: { heads: heads.join(''), looks: Int32Array.from(looksBy), records: Int32Array.from(recordsBy) },
    disordered: descents > merged + salvages + turns ? firstDescent : null,
    inForce: inForceIn(state),
    joined: merged + salvages > 0,
    lost: state.salvaged.lostEvents,
    unanswered: [...state.cells.values()].flatMap(({ cell, events }) =>
      events.length === 0 ? [] : [{ cell, attempts: events.map((own) => requests.get(own)!) }],
    ),
    schedule: new Map([...state.schedule].map(([name, { cells }]) => [name, cells])),
    state,
  };
}

const MOST_FAULTS = 100;

const CELL = /"cell":"([0-9a-f]{64})"/;

function inForceIn({ cells }: LedgerState): RecordInForce[] {
  return [...cells.values()].flatMap(({ head }) =>
    head === undefined
      ? []
      : [
          {
            model: head.model_id,
            task: head.task_id,
            phase: head.phase,
            repeat: head.repeat,
            contract: head.contract_sha256,
            panel: head.panel,
            family: head.family,
            source: head.source,
          },
        ],
  );
}
